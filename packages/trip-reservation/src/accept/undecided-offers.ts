/**
 * Offers for which this process answered UNDECIDED, until their state is known.
 *
 * Authority. The row. A decision writes its own event; an extra event is needed only if nothing happened: the hold that
 * kept drivers waiting ended without a winner, and the trip is still open to them.
 *
 * Announcement. The process that answered keeps the offer in memory. After 0.8 s, when every hold that it might have
 * met has ended, one statement checks the rows of all such offers. Decided, re-dispatched or ended: nothing to report.
 * Still open: the same statement writes TRIP_STILL_OPEN, which relays and watches deliver like any other event.
 *
 * Failures.
 *   - Another process has announced it since our answer: its event exists, and ours would add nothing.
 *   - Two announce concurrently: the second finds the row locked or at another revision, and checks again.
 *   - The row is locked, or PostgreSQL is unreachable: the check is repeated every 100 ms until it succeeds.
 *   - This process is closed: it first announces what it has, early rather than never.
 *   - It dies: nothing is announced, and the drivers retry after `retryAfterMs`, as they can at any time.
 */
import { Deadline, lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { TripDatabase, TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { BackgroundLoop } from '../timing/background-loop.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';

const REMIND_TRIPS: TripStatement = {
  name: 'solegate_remind_trips',
  text: `
  WITH ${lockLimit('$1')}, still_open AS (
    SELECT t.id, t.revision
    FROM lock_limit, unnest($2::bigint[], $3::integer[], $4::integer[]) AS w (trip_id, epoch, age_ms)
    JOIN trips t ON t.id = w.trip_id AND t.epoch = w.epoch
    WHERE t.status = '${TRIP_MOVES.remind.from[0]}' AND t.offer_expires_at > clock_timestamp()
      AND NOT EXISTS (
        SELECT FROM trip_outbox o
        WHERE o.trip_id = t.id AND o.type = '${TRIP_MOVES.remind.event}'
          AND o.occurred_at > clock_timestamp() - w.age_ms * interval '1 millisecond'
      )
  ), free AS (
    SELECT t.id, t.offer_expires_at FROM still_open o JOIN trips t ON t.id = o.id AND t.revision = o.revision
    ORDER BY t.id FOR UPDATE OF t SKIP LOCKED
  ), moved AS (
    UPDATE trips t SET revision = t.revision + 1 FROM free
    WHERE t.id = free.id AND free.offer_expires_at > clock_timestamp()
    RETURNING t.*
  ), ${recordEvents('remind')}
  SELECT o.id, m.id IS NOT NULL AS is_announced FROM still_open o LEFT JOIN moved m ON m.id = o.id`,
};

interface StillOpenRow {
  readonly id: string;
  readonly is_announced: boolean;
}

interface UndecidedOffer {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly firstAt: number;
  /** Time of the last answer; only a later event counts as an announcement. */
  readonly lastAt: number;
}

/** Time between two checks, in milliseconds. */
const LOOK_MS = 100;
const REMIND_TIMEOUT_MS = 2_000;
/** Maximum lock wait, in milliseconds; a locked row is checked again. */
const LOCK_WAIT_MS = 20;
/** Maximum number of trips; beyond that, the oldest is forgotten, and its drivers retry without an event. */
const TRIPS_MAX = 10_000;

export interface UndecidedOffersOptions {
  readonly database: TripDatabase;
  readonly now: () => number;
  readonly random: () => number;
  /** Time after which every hold that kept a driver waiting has ended, in milliseconds. */
  readonly waitMs: number;
  /** Called before events might be written. */
  readonly expected: () => void;
  /** Called when events were written. */
  readonly written: () => void;
  readonly failed: (error: Error) => void;
}

export class UndecidedOffers {
  readonly #options: UndecidedOffersOptions;
  /** By trip, in the order of the answers. */
  readonly #offers = new Map<bigint, UndecidedOffer>();
  readonly #loop: BackgroundLoop;
  #isOver = false;

  constructor(options: UndecidedOffersOptions) {
    this.#options = options;
    const pass = () => this.#remindDue();
    this.#loop = new BackgroundLoop({ ...options, pass, intervalMs: LOOK_MS, isResting: true });
  }

  /** Records that a driver was answered UNDECIDED. */
  remember({ tripId, epoch }: Pick<UndecidedOffer, 'tripId' | 'epoch'>): void {
    const lastAt = this.#options.now();
    const known = this.#offers.get(tripId);
    const [oldestId] = this.#offers.keys();
    if (!known && oldestId !== undefined && this.#offers.size >= TRIPS_MAX) this.#offers.delete(oldestId);
    // Drivers who keep retrying do not delay the announcement for the first ones.
    const firstAt = known?.epoch === epoch ? known.firstAt : lastAt;
    this.#offers.set(tripId, { tripId, epoch, firstAt, lastAt });
    this.#loop.begin();
  }

  /** Tries once to announce all remaining offers; never throws. */
  finish(): Promise<void> {
    this.#isOver = true;
    return this.#loop.finish();
  }

  async #remindDue(): Promise<false | 'REST'> {
    const { now, waitMs } = this.#options;
    const isDue = ({ firstAt }: UndecidedOffer) => this.#isOver || firstAt + waitMs <= now();
    const due = [...this.#offers.values()].filter(isDue);
    if (due.length > 0) await this.#remind(due);
    return this.#offers.size > 0 ? false : 'REST';
  }

  async #remind(offers: readonly UndecidedOffer[]): Promise<void> {
    const { database, now, expected, written } = this.#options;
    const values = [
      idArray(offers.map(({ tripId }) => tripId)),
      idArray(offers.map(({ epoch }) => epoch)),
      idArray(offers.map(({ lastAt }) => Math.floor(now() - lastAt))),
    ];
    const call = database.call(Deadline.after(REMIND_TIMEOUT_MS));
    expected();
    const rows = await call.tryChange(REMIND_TRIPS, values, LOCK_WAIT_MS);
    if (rows === undefined) return;
    const stillOpen = rows as StillOpenRow[];
    const leftIds = new Set(stillOpen.filter((row) => !row.is_announced).map(({ id }) => BigInt(id)));
    for (const offer of offers) {
      const isSame = this.#offers.get(offer.tripId) === offer;
      if (isSame && !leftIds.has(offer.tripId)) this.#offers.delete(offer.tripId);
    }
    if (stillOpen.some((row) => row.is_announced)) written();
  }
}
