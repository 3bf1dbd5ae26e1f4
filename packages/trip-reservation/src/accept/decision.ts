import { Deadline, PostgresFailure, settleBy } from '@solegate/postgres-infra';
import { BUSY_DRIVERS, busyOf } from '../sql/busy.js';
import type { StoreCall, TripDatabase } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { answerFor, READ_STANDING, type Standing, standingOf } from '../sql/standing.js';
import { BusyError } from '../trip/errors.js';
import type { TripObserver } from '../trip/observer.js';
import type { Accepted } from '../trip/outcomes.js';
import { DECIDE_HELD_TRIP, DECIDE_TRIPS, type MovedRow } from './decide-trips.js';
import { GroupCommit, type Submitted } from './group-commit.js';

/** A driver accepts a trip in the epoch of their offer. */
export interface AcceptRequest {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly driverId: bigint;
  readonly deadline: Deadline;
  /** From the observer, one for each driver who waits for the decision. */
  readonly origins: readonly unknown[];
}

export type Decision =
  /** This statement moved the trip to the driver. `offeredTo`: all drivers who were listed. */
  | { readonly kind: 'WON'; readonly accepted: Accepted; readonly offeredTo: readonly bigint[] }
  /** Nothing moved. `standing` was read right after; the trip might have been theirs before. */
  | { readonly kind: 'STANDS'; readonly standing: Standing };

/** Maximum number of trips per statement; its rows stay locked for about as long as one commit takes. */
const GROUP_MAX = 100;
/**
 * While the log is flushed for one group, PostgreSQL executes the other; and a group that waits for a driver being
 * reserved elsewhere blocks no one else. More groups would be smaller, and a statement costs more than one more trip.
 */
const GROUPS_AT_ONCE = 2;

/** How long a group waits for a driver who is being reserved elsewhere; then each request is decided alone. */
const DRIVER_WAIT_MS = 100;
/** How often a driver can find the trip open yet not get it, because others reserve and release it concurrently. */
const ATTEMPT_MAX = 3;

export interface TripDecisionsOptions {
  readonly database: TripDatabase;
  readonly requestTimeoutMs: number;
  readonly startTimeoutMs: number;
  readonly now: () => number;
  readonly observer: TripObserver;
  /** Called before trips might be moved and events written. */
  readonly expected: () => void;
  /** Called when trips were moved and events written. */
  readonly written: () => void;
}

/** A request in a group. An abandoned one, for which no caller waits, is not sent. */
interface Grouped {
  readonly request: AcceptRequest;
  isSent: boolean;
  isAbandoned: boolean;
}

/**
 * Decides the accepts of one process in groups. A group has its own time limit, and each caller leaves it at their own
 * deadline without ending it for the others.
 */
export class TripDecisions {
  readonly #options: TripDecisionsOptions;
  readonly #groups: GroupCommit<Grouped, Decision | undefined>;

  constructor(options: TripDecisionsOptions) {
    this.#options = options;
    this.#groups = new GroupCommit({
      commit: this.#decideGroup.bind(this),
      batchMax: GROUP_MAX,
      concurrencyMax: GROUPS_AT_ONCE,
    });
  }

  /** @throws BusyError, PostgresFailure; by the deadline of the request */
  async decide(request: AcceptRequest): Promise<Decision> {
    const grouped: Grouped = { request, isSent: false, isAbandoned: false };
    const decision = await settleBy(this.#groups.submit(grouped), request.deadline, () => {
      grouped.isAbandoned = true;
      return grouped.isSent
        ? new PostgresFailure('UNKNOWN', 'PostgreSQL did not respond before the deadline')
        : new PostgresFailure('UNAVAILABLE', 'the deadline passed before the statement was sent');
    });
    return decision ?? this.#decideAlone(request);
  }

  /** Answers undefined for a trip whose row is locked, and for all if the group timed out waiting for a driver. */
  async #decideGroup(group: readonly Submitted<Grouped, Decision | undefined>[]): Promise<void> {
    const live = group.filter(({ item }) => !item.isAbandoned);
    if (live.length === 0) return;
    for (const { item } of live) item.isSent = true;
    const requests = live.map(({ item }) => item.request);
    const call = this.#options.database.call(Deadline.after(this.#options.requestTimeoutMs));
    const values = this.#valuesOf(requests);
    const rows = await this.#measured(requests, () => call.tryChange(DECIDE_TRIPS, values, DRIVER_WAIT_MS));
    const wins = rows ? winsOf(requests, rows) : [];
    // The reading for the others might end too late for those who won.
    for (const [index, win] of wins.entries()) if (win) live[index]?.answer(win);
    const decisions = rows ? await this.#decisionsOf(call, requests, rows, wins) : [];
    for (const [index, { answer }] of live.entries()) answer(decisions[index]);
  }

  /** Returns the current state of the trip and the driver. @throws PostgresFailure */
  async standing(request: Pick<AcceptRequest, 'tripId' | 'driverId' | 'deadline'>): Promise<Standing> {
    const [standing] = await readBack(this.#options.database.call(request.deadline), [request]);
    return standing as Standing;
  }

  /** Maps the drivers who are on a trip to that trip, with one query for a whole round. */
  async busyAmong(driverIds: readonly bigint[], deadline: Deadline): Promise<ReadonlyMap<bigint, bigint>> {
    return busyOf(await this.#options.database.call(deadline).read(BUSY_DRIVERS, [idArray(driverIds)]));
  }

  async #decideAlone(request: AcceptRequest): Promise<Decision> {
    const call = this.#options.database.call(request.deadline);
    for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
      const values = this.#valuesOf([request]);
      const rows = await this.#measured([request], () => call.changeHeld(DECIDE_HELD_TRIP, values));
      const [decision] = await this.#decisionsOf(call, [request], rows);
      if (decision) return decision;
    }
    throw new BusyError(request.tripId);
  }

  #valuesOf(requests: readonly AcceptRequest[]): unknown[] {
    return [
      idArray(requests.map(({ tripId }) => tripId)),
      idArray(requests.map(({ epoch }) => epoch)),
      idArray(requests.map(({ driverId }) => driverId)),
      this.#options.startTimeoutMs,
      requests.length,
    ];
  }

  async #measured<Rows>(requests: readonly AcceptRequest[], decide: () => Promise<Rows>): Promise<Rows> {
    const { now, observer, expected } = this.#options;
    const beganAt = now();
    expected();
    const rows = await decide();
    observer.decisionEnded?.({
      tripCount: requests.length,
      elapsedMs: now() - beganAt,
      origins: requests.flatMap(({ origins }) => origins),
    });
    return rows;
  }

  /**
   * In the order of the requests; undefined where nothing moved although no refusal applies to the driver, or where only
   * others moved and the state could not be read. Those are decided alone.
   */
  async #decisionsOf(
    call: StoreCall,
    requests: readonly AcceptRequest[],
    rows: readonly unknown[],
    wins = winsOf(requests, rows),
  ) {
    if (rows.length > 0) this.#options.written();
    const refused = requests.filter((_, index) => wins[index] === undefined);
    const standings = await readBack(call, refused).catch((error: unknown) => {
      // An earlier attempt might have moved any of them.
      if (rows.length === 0 || call.isChangeUnknown) throw error;
      return [];
    });
    return wins.map((decision, index) => {
      const standing = decision ? undefined : standings.shift();
      if (standing === undefined) return decision;
      const { driverId, epoch } = requests[index] as AcceptRequest;
      const isDecided = standing.status === undefined || answerFor(standing, driverId, epoch) !== undefined;
      return isDecided ? ({ kind: 'STANDS', standing } as const) : undefined;
    });
  }
}

/** In the order of the requests; undefined for those that did not move their trip. */
function winsOf(requests: readonly AcceptRequest[], rows: readonly unknown[]): (Decision | undefined)[] {
  const movedById = new Map((rows as MovedRow[]).map((row) => [row.id, row]));
  return requests.map((request) => {
    const moved = movedById.get(String(request.tripId));
    return moved && isOf(request, moved) ? winOf(request, moved) : undefined;
  });
}

async function readBack(
  call: StoreCall,
  requests: readonly Pick<AcceptRequest, 'tripId' | 'driverId'>[],
): Promise<Standing[]> {
  if (requests.length === 0) return [];
  const rows = await call.read(READ_STANDING, [
    idArray(requests.map(({ tripId }) => tripId)),
    idArray(requests.map(({ driverId }) => driverId)),
    requests.length,
  ]);
  return rows.map(standingOf);
}

/** A group can contain several drivers of one trip, and one driver with offers of several epochs. */
function isOf({ driverId, epoch }: AcceptRequest, moved: MovedRow): boolean {
  return BigInt(moved.driver_id) === driverId && moved.epoch === epoch;
}

function winOf({ tripId, driverId, epoch }: AcceptRequest, moved: MovedRow): Decision {
  const accepted: Accepted = { kind: 'ACCEPTED', tripId, driverId, epoch, acceptedAt: moved.accepted_at };
  return { kind: 'WON', accepted, offeredTo: (moved.offered_driver_ids ?? []).map(BigInt) };
}
