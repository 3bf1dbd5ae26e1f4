import { Deadline, lockLimit, PostgresFailure, settleBy } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { StoreCall, TripDatabase, TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { answerFor, READ_STANDING, type Standing, standingOf } from '../sql/standing.js';
import { TripBusyError } from '../trip/errors.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';
import type { TripObserver } from '../trip/observer.js';
import type { Accepted } from '../trip/outcomes.js';
import { GroupCommit } from './group-commit.js';

/** A driver who wants the trip under the epoch of their offer. */
export interface AcceptRequest {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly driverId: bigint;
  readonly deadline: Deadline;
}

export type Decision =
  /** This statement moved the trip to the driver; the offer would have lasted `offerLeftMs` more. */
  | { readonly kind: 'WON'; readonly accepted: Accepted; readonly offerLeftMs: number }
  /** Nothing moved. This is how the trip stood right after; it may have been theirs before. */
  | { readonly kind: 'STANDS'; readonly standing: Standing };

/**
 * Decides accepts; everything a reservation is happens in this statement or not at all.
 *
 * - `open_trips` locks the rows in the order of their IDs. A row that was changed meanwhile is judged again as it is now:
 *   status, epoch, expiry and lists are all in the row.
 * - `taken` makes the driver's one active trip. Who has one already, or wants two trips in this group, gets
 *   at most one; the others find no row here. Drivers are inserted in order too, after all trips were locked.
 * - `moved` and `told` move the trip and write its event.
 *
 * Many together skip rows that somebody holds, so they only ever wait for a driver who is being taken elsewhere at this
 * moment. One alone waits for its row.
 *
 * The limit, always the number of requests, is for the planner: it makes it expect one row, so that it keeps
 * one plan of index lookups. It would otherwise plan each small group anew, which takes longer than to run
 * it.
 */
const decideTrips = (name: string, rowLock: string): TripStatement => ({
  name,
  text: `
  WITH ${lockLimit('$1')}, wanted AS (
    SELECT * FROM unnest($2::bigint[], $3::integer[], $4::bigint[]) AS w (trip_id, epoch, driver_id)
    LIMIT $6
  ), open_trips AS (
    SELECT t.id, w.driver_id
    FROM lock_limit, wanted w
    JOIN trips t ON t.id = w.trip_id
    WHERE t.status = '${TRIP_MOVES.accept.from[0]}'
      AND t.epoch = w.epoch
      AND t.offer_expires_at > clock_timestamp()
      AND (t.offered_driver_ids IS NULL OR w.driver_id = ANY (t.offered_driver_ids))
      AND w.driver_id <> ALL (t.excluded_driver_ids)
      AND w.driver_id <> ALL (t.rejected_driver_ids)
    ORDER BY t.id
    ${rowLock}
  ), taken AS (
    INSERT INTO driver_active (driver_id, trip_id, start_by)
    SELECT driver_id, id, clock_timestamp() + $5 * interval '1 millisecond'
    FROM open_trips
    ORDER BY driver_id, id
    ON CONFLICT DO NOTHING
    RETURNING driver_id, trip_id
  ), moved AS (
    UPDATE trips t
    SET status = '${TRIP_MOVES.accept.to}', driver_id = taken.driver_id, accepted_at = clock_timestamp(),
        revision = t.revision + 1
    FROM taken
    WHERE t.id = taken.trip_id
    RETURNING t.id, t.revision, t.status, t.epoch, t.rider_id, t.driver_id, t.offered_driver_ids,
              t.offer_expires_at, t.accepted_at
  ), ${recordEvents('accept')}
  SELECT id, driver_id, epoch, accepted_at,
         extract(epoch FROM offer_expires_at - clock_timestamp())::float8 * 1000 AS offer_left_ms
  FROM moved`,
});

const DECIDE_TRIPS = decideTrips('solegate_decide_trips', 'FOR UPDATE OF t SKIP LOCKED');
const DECIDE_HELD_TRIP = decideTrips('solegate_decide_held_trip', 'FOR UPDATE OF t');

interface MovedRow {
  readonly id: string;
  readonly driver_id: string;
  readonly epoch: number;
  readonly accepted_at: Date;
  readonly offer_left_ms: number;
}

/** Trips of one statement at most: 100 rows are locked for about as long as one commit takes. */
const GROUP_MAX = 100;
/**
 * The second goes only past one that is full or late, for example because somebody else holds a trip of it: in general
 * two would only be smaller, and a statement costs PostgreSQL more than another trip in it.
 */
const GROUPS_AT_ONCE = 2;
const GROUP_LATE_MS = 20;

/** How long a group waits for a driver who is being taken elsewhere; then each of it is decided alone. */
const DRIVER_WAIT_MS = 100;
/** How often one driver may find the trip open and yet not get it, because others come and go at that moment. */
const ATTEMPT_MAX = 3;

export interface TripDecisionsOptions {
  readonly database: TripDatabase;
  readonly requestTimeoutMs: number;
  readonly startTimeoutMs: number;
  readonly now: () => number;
  readonly observer: TripObserver;
  /** Trips were moved, events were written. */
  readonly committed: () => void;
}

/** A request on its way: nobody waits for an abandoned one, so it is not sent any more. */
interface Submitted {
  readonly request: AcceptRequest;
  isSent: boolean;
  isAbandoned: boolean;
}

/**
 * Accepts of one process, decided in groups. A group has a time limit of its own, and each caller leaves it at their own
 * deadline: one who is late does not end it for the others.
 */
export class TripDecisions {
  readonly #options: TripDecisionsOptions;
  readonly #groups: GroupCommit<Submitted, Decision | undefined>;

  constructor(options: TripDecisionsOptions) {
    this.#options = options;
    this.#groups = new GroupCommit({
      commit: (group) => this.#decideGroup(group),
      batchMax: GROUP_MAX,
      concurrencyMax: GROUPS_AT_ONCE,
      lateMs: GROUP_LATE_MS,
    });
  }

  /** @throws TripBusyError, PostgresFailure; by the deadline of the request */
  async decide(request: AcceptRequest): Promise<Decision> {
    const submitted: Submitted = { request, isSent: false, isAbandoned: false };
    const decision = await settleBy(this.#groups.submit(submitted), request.deadline, () => {
      submitted.isAbandoned = true;
      return submitted.isSent
        ? new PostgresFailure('UNKNOWN', 'PostgreSQL gave no answer before the deadline')
        : new PostgresFailure('UNAVAILABLE', 'the time was over before PostgreSQL was asked');
    });
    return decision ?? this.#decideAlone(request);
  }

  /** Undefined for a trip whose row somebody holds, and for all when a driver of them is held. */
  async #decideGroup(group: readonly Submitted[]): Promise<(Decision | undefined)[]> {
    const live = group.filter(({ isAbandoned }) => !isAbandoned);
    for (const submitted of live) submitted.isSent = true;
    const requests = live.map(({ request }) => request);
    const call = this.#options.database.call(Deadline.after(this.#options.requestTimeoutMs));
    const values = this.#valuesOf(requests);
    const rows = await this.#measured(requests, () => call.tryChange(DECIDE_TRIPS, values, DRIVER_WAIT_MS));
    const decisions = rows ? await this.#decisionsOf(call, requests, rows) : requests.map(() => undefined);
    return group.map(({ isAbandoned }, index) => (isAbandoned ? undefined : decisions[index]));
  }

  async #decideAlone(request: AcceptRequest): Promise<Decision> {
    const call = this.#options.database.call(request.deadline);
    for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
      const values = this.#valuesOf([request]);
      const rows = await this.#measured([request], () => call.changeHeld(DECIDE_HELD_TRIP, values));
      const [decision] = await this.#decisionsOf(call, [request], rows);
      if (decision) return decision;
    }
    throw new TripBusyError(request.tripId);
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
    const { now, observer } = this.#options;
    const beganAt = now();
    const rows = await decide();
    observer.decisionEnded?.({ tripCount: requests.length, elapsedMs: now() - beganAt });
    return rows;
  }

  /** In the order of the requests; undefined where nothing moved and nothing speaks against the driver either. */
  async #decisionsOf(call: StoreCall, requests: readonly AcceptRequest[], rows: readonly unknown[]) {
    if (rows.length > 0) this.#options.committed();
    const movedById = new Map((rows as MovedRow[]).map((row) => [row.id, row]));
    const won = requests.map((request) => {
      const moved = movedById.get(String(request.tripId));
      return moved && isOf(request, moved) ? winOf(request, moved) : undefined;
    });
    const refused = requests.filter((_, index) => won[index] === undefined);
    const standings = refused.length === 0 ? [] : await readBack(call, refused);
    return won.map((decision, index) => {
      if (decision) return decision;
      const standing = standings.shift() as Standing;
      const { driverId, epoch } = requests[index] as AcceptRequest;
      const isDecided = standing.status === undefined || answerFor(standing, driverId, epoch) !== undefined;
      return isDecided ? ({ kind: 'STANDS', standing } as const) : undefined;
    });
  }
}

async function readBack(call: StoreCall, requests: readonly AcceptRequest[]): Promise<Standing[]> {
  const rows = await call.read(READ_STANDING, [
    idArray(requests.map(({ tripId }) => tripId)),
    idArray(requests.map(({ driverId }) => driverId)),
    requests.length,
  ]);
  return rows.map(standingOf);
}

/** A group may hold several drivers of one trip, and one driver with offers of several epochs. */
function isOf({ driverId, epoch }: AcceptRequest, moved: MovedRow): boolean {
  return BigInt(moved.driver_id) === driverId && moved.epoch === epoch;
}

function winOf({ tripId, driverId, epoch }: AcceptRequest, moved: MovedRow): Decision {
  const accepted: Accepted = { kind: 'ACCEPTED', tripId, driverId, epoch, acceptedAt: moved.accepted_at };
  return { kind: 'WON', accepted, offerLeftMs: moved.offer_left_ms };
}
