import { Deadline } from '@solegate/postgres-infra';
import type { TripDatabase, TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { BackgroundLoop } from '../timing/background-loop.js';
import type { AcceptOutcome } from '../trip/outcomes.js';

const ADD_ATTEMPTS: TripStatement = {
  name: 'solegate_add_attempts',
  text: `
  INSERT INTO trip_attempts (trip_id, epoch, outcome, attempt_count, counted_at)
  SELECT trip_id, epoch, outcome, attempt_count, clock_timestamp()
  FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::bigint[])
    AS a (trip_id, epoch, outcome, attempt_count)`,
};

interface AttemptCount {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly outcome: AcceptOutcome['kind'];
  count: number;
}

/** Time from the first counted attempt to its row, in milliseconds. */
const FLUSH_AFTER_MS = 1000;
/** Counts not written within this time, in milliseconds, are lost. */
const WRITE_TIMEOUT_MS = 2000;
/** Maximum number of rows per statement; this many distinct counts are written immediately. */
const ROWS_MAX = 5000;

/**
 * Counts accepts by offer and outcome, and adds the counts to `trip_attempts` about once a second: one
 * statement for a whole crowd, never one per loser. This audits demand, not reservations: a process that dies
 * loses its last second of counts.
 */
export class AttemptLedger {
  readonly #database: TripDatabase;
  /** By trip, each of which has few. */
  #counts = new Map<bigint, AttemptCount[]>();
  #rowCount = 0;
  readonly #loop: BackgroundLoop;

  constructor(database: TripDatabase, random: () => number, failed: (error: Error) => void) {
    this.#database = database;
    const pass = () => this.#write();
    this.#loop = new BackgroundLoop({ pass, intervalMs: FLUSH_AFTER_MS, random, failed, isResting: true });
  }

  add(
    offer: { readonly tripId: bigint; readonly epoch: number },
    outcome: AcceptOutcome['kind'],
    count: number,
  ) {
    const { tripId, epoch } = offer;
    const ofTrip = this.#counts.get(tripId);
    const counted = ofTrip?.find((other) => other.outcome === outcome && other.epoch === epoch);
    if (counted) {
      counted.count += count;
      return;
    }
    const first = { tripId, epoch, outcome, count };
    if (ofTrip) ofTrip.push(first);
    else this.#counts.set(tripId, [first]);
    this.#rowCount += 1;
    if (this.#rowCount >= ROWS_MAX) this.#loop.wake();
    else this.#loop.begin();
  }

  /** Writes the counts so far, the last ones; never throws. */
  finish(): Promise<void> {
    return this.#loop.finish();
  }

  async #write(): Promise<'REST'> {
    const counts = [...this.#counts.values()].flat();
    this.#counts = new Map();
    this.#rowCount = 0;
    if (counts.length === 0) return 'REST';
    await this.#database.once(Deadline.after(WRITE_TIMEOUT_MS), ADD_ATTEMPTS, [
      idArray(counts.map(({ tripId }) => tripId)),
      idArray(counts.map(({ epoch }) => epoch)),
      counts.map(({ outcome }) => outcome),
      idArray(counts.map(({ count }) => count)),
    ]);
    return 'REST';
  }
}
