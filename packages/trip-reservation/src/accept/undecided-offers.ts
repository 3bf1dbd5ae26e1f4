/**
 * Offers of which somebody here was answered UNDECIDED, until everybody can know more.
 *
 * Who is authoritative. The row. Whatever decides the trip is an event by itself; what needs an event of its own is that
 * nothing happened: the hold that kept them waiting ended without a winner, and the trip is still open to them.
 *
 * Who announces. The process that answered. It keeps the offer in memory, and 0.8 s later, when every hold that it may have
 * met has ended, one statement for all such offers asks the rows. Decided, dispatched anew or over: nothing to say. Still
 * open: the same statement writes TRIP_STILL_OPEN, and relays and watches bring it like any other event.
 *
 * Failures.
 *   - Another process announced it since our answer: its event is there, and ours would say nothing new.
 *   - Two announce at once: the second finds the row in use or at another revision, and looks again.
 *   - Somebody holds the row, or PostgreSQL is away: asked again every 100 ms, until the row answers.
 *   - This process is closed: it announces what it has before that, early rather than never.
 *   - It dies: nothing is announced, and the drivers ask again after `retryAfterMs`, as they may at any time.
 */
import { Deadline, lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { TripDatabase, TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
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
    SELECT t.id FROM still_open o JOIN trips t ON t.id = o.id AND t.revision = o.revision
    ORDER BY t.id FOR UPDATE OF t SKIP LOCKED
  ), moved AS (
    UPDATE trips t SET revision = t.revision + 1 FROM free WHERE t.id = free.id
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
  /** An event counts as an announcement when it came after the last answer. */
  readonly lastAt: number;
}

/** Between two looks, in milliseconds. */
const LOOK_MS = 100;
const REMIND_TIMEOUT_MS = 2_000;
/** Of a row that is being changed; it is asked for again. */
const LOCK_WAIT_MS = 20;
/** Trips at most; beyond, the oldest is forgotten, and its drivers ask again by themselves. */
const TRIPS_MAX = 10_000;

export interface UndecidedOffersOptions {
  readonly database: TripDatabase;
  readonly now: () => number;
  /** By then no hold stands that kept somebody waiting, in milliseconds. */
  readonly waitMs: number;
  /** Events were written. */
  readonly announced: () => void;
  readonly failed: (error: Error) => void;
}

export class UndecidedOffers {
  readonly #options: UndecidedOffersOptions;
  /** By trip, in the order of the answers. */
  readonly #offers = new Map<bigint, UndecidedOffer>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: UndecidedOffersOptions) {
    this.#options = options;
  }

  /** Somebody was answered UNDECIDED, and nothing is known here yet. */
  remember({ tripId, epoch }: Pick<UndecidedOffer, 'tripId' | 'epoch'>): void {
    const lastAt = this.#options.now();
    const known = this.#offers.get(tripId);
    const [oldestId] = this.#offers.keys();
    if (!known && oldestId !== undefined && this.#offers.size >= TRIPS_MAX) this.#offers.delete(oldestId);
    // Those who go on asking do not put off what the first are waiting for.
    const firstAt = known?.epoch === epoch ? known.firstAt : lastAt;
    this.#offers.set(tripId, { tripId, epoch, firstAt, lastAt });
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Announces what there is, once; never throws. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    if (this.#offers.size > 0) await this.#remind([...this.#offers.values()]);
  }

  #look(): void {
    const { now, waitMs } = this.#options;
    const due = [...this.#offers.values()].filter(({ firstAt }) => firstAt + waitMs <= now());
    if (due.length === 0 || this.#looking) return;
    this.#looking = this.#remind(due).finally(() => {
      this.#looking = undefined;
      if (this.#offers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  async #remind(offers: readonly UndecidedOffer[]): Promise<void> {
    const { database, now, announced, failed } = this.#options;
    try {
      const values = [
        idArray(offers.map(({ tripId }) => tripId)),
        idArray(offers.map(({ epoch }) => epoch)),
        idArray(offers.map(({ lastAt }) => Math.floor(now() - lastAt))),
      ];
      const call = database.call(Deadline.after(REMIND_TIMEOUT_MS));
      const rows = await call.tryChange(REMIND_TRIPS, values, LOCK_WAIT_MS);
      if (rows === undefined) return;
      const stillOpen = rows as StillOpenRow[];
      const leftIds = new Set(stillOpen.filter((row) => !row.is_announced).map(({ id }) => BigInt(id)));
      for (const offer of offers) {
        const isSame = this.#offers.get(offer.tripId) === offer;
        if (isSame && !leftIds.has(offer.tripId)) this.#offers.delete(offer.tripId);
      }
      if (stillOpen.some((row) => row.is_announced)) announced();
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
