import { recordEvents } from '../events/outbox.js';
import type { TripDatabase, TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { READ_STANDING, type Standing, standingOf } from '../sql/standing.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';
import type { TripObserver } from '../trip/observer.js';
import type { Accepted } from '../trip/outcomes.js';
import { GroupCommit } from './group-commit.js';

/** A driver who wants the trip under the epoch of his offer. */
export interface AcceptRequest {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly driverId: bigint;
}

export type Decision =
  /** This statement moved the trip to the driver; the offer would have lasted `offerLeftMs` more. */
  | { readonly kind: 'WON'; readonly accepted: Accepted; readonly offerLeftMs: number }
  /** Nothing moved. This is how the trip stood right after; it may have been his before. */
  | { readonly kind: 'STANDS'; readonly standing: Standing };

/**
 * Decides many accepts at once; everything a reservation is happens in this statement or not at all.
 *
 * - `open_trips` locks the rows in the order of their IDs, so two groups never wait for each other in a
 *   circle. A row that was changed meanwhile is judged again as it is now: status, epoch, expiry and lists
 *   are all in the row.
 * - `taken` makes the driver's one active trip. Who has one already, or wants two trips in this group, gets
 *   at most one; the others find no row here. Drivers are inserted in order too, after all trips were locked.
 * - `moved` and `told` move the trip and write its event.
 *
 * The limit, always the number of requests, is for the planner: it makes it expect one row, so that it keeps
 * one plan of index lookups. It would otherwise plan each small group anew, which takes longer than to run
 * it.
 */
const DECIDE_TRIPS: TripStatement = {
  name: 'solegate_decide_trips',
  text: `
  WITH wanted AS (
    SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[]) AS w (trip_id, epoch, driver_id)
    LIMIT $5
  ), open_trips AS (
    SELECT t.id, w.driver_id
    FROM wanted w
    JOIN trips t ON t.id = w.trip_id
    WHERE t.status = '${TRIP_MOVES.accept.from[0]}'
      AND t.epoch = w.epoch
      AND t.offer_expires_at > clock_timestamp()
      AND (t.offered_driver_ids IS NULL OR w.driver_id = ANY (t.offered_driver_ids))
      AND w.driver_id <> ALL (t.excluded_driver_ids)
      AND w.driver_id <> ALL (t.rejected_driver_ids)
    ORDER BY t.id
    FOR UPDATE OF t
  ), taken AS (
    INSERT INTO driver_active (driver_id, trip_id, start_by)
    SELECT driver_id, id, clock_timestamp() + $4 * interval '1 millisecond'
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
};

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

export interface TripDecisionsOptions {
  readonly database: TripDatabase;
  readonly startTimeoutMs: number;
  readonly now: () => number;
  readonly observer: TripObserver;
  /** Trips were moved, events were written. */
  readonly committed: () => void;
}

/** Accepts of one process, decided in groups. */
export class TripDecisions {
  readonly #options: TripDecisionsOptions;
  readonly #groups: GroupCommit<AcceptRequest, Decision>;

  constructor(options: TripDecisionsOptions) {
    this.#options = options;
    this.#groups = new GroupCommit({
      commit: (requests) => this.#decideAll(requests),
      batchMax: GROUP_MAX,
      concurrencyMax: GROUPS_AT_ONCE,
      lateMs: GROUP_LATE_MS,
    });
  }

  /** @throws TripNotFoundError, TripStoreUnavailableError, TripOutcomeUnknownError */
  decide(request: AcceptRequest): Promise<Decision> {
    return this.#groups.submit(request);
  }

  async #decideAll(requests: readonly AcceptRequest[]): Promise<Decision[]> {
    const { database, startTimeoutMs, now, observer, committed } = this.#options;
    const beganAt = now();
    const rows = await database.run(DECIDE_TRIPS, [
      idArray(requests.map(({ tripId }) => tripId)),
      idArray(requests.map(({ epoch }) => epoch)),
      idArray(requests.map(({ driverId }) => driverId)),
      startTimeoutMs,
      requests.length,
    ]);
    observer.decisionEnded?.({ tripCount: requests.length, elapsedMs: now() - beganAt });
    if (rows.length > 0) committed();
    const movedById = new Map((rows as MovedRow[]).map((row) => [row.id, row]));
    const won = requests.map((request) => {
      const moved = movedById.get(String(request.tripId));
      return moved && isOf(request, moved) ? winOf(request, moved) : undefined;
    });
    const refused = requests.filter((_, index) => won[index] === undefined);
    const standings = refused.length === 0 ? [] : await this.#readBack(refused);
    return won.map((decision) => decision ?? { kind: 'STANDS', standing: standings.shift() as Standing });
  }

  async #readBack(requests: readonly AcceptRequest[]): Promise<Standing[]> {
    const rows = await this.#options.database.run(READ_STANDING, [
      idArray(requests.map(({ tripId }) => tripId)),
      idArray(requests.map(({ driverId }) => driverId)),
      requests.length,
    ]);
    return rows.map(standingOf);
  }
}

/** A group may hold several drivers of one trip, and one driver with offers of several epochs. */
function isOf({ driverId, epoch }: AcceptRequest, moved: MovedRow): boolean {
  return BigInt(moved.driver_id) === driverId && moved.epoch === epoch;
}

function winOf({ tripId, driverId, epoch }: AcceptRequest, moved: MovedRow): Decision {
  const accepted: Accepted = { kind: 'ACCEPTED', tripId, driverId, epoch, acceptedAt: moved.accepted_at };
  return { kind: 'WON', accepted, offerLeftMs: moved.offer_left_ms };
}
