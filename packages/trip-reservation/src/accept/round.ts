import type { Deadline } from '@solegate/postgres-infra';
import type { AcceptOutcome, Taken, Undecided } from '../trip/outcomes.js';
import { HOLD_MS } from './gate.js';

interface Caller {
  readonly driverId: bigint;
  /** The value from the observer for this caller. */
  readonly origin: unknown;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Callers who wait for the decision however long it takes: the current one and those who would be next. */
const AHEAD_MAX = 4;

type OutcomeCounts = Partial<Record<AcceptOutcome['kind'], number>>;

/**
 * The callers of one offer that this process answers together: one of them is sent to the gate and to the
 * database, and the result answers the others too. Answers are never copied between drivers: each is computed
 * from the state of the trip and the driver who called.
 */
export class AcceptRound {
  #waiting: Caller[] = [];
  #crowdAnswer: Promise<Undecided> | undefined;
  readonly outcomeCounts: OutcomeCounts = {};
  /** The driver who has the trip by the row, once known. */
  ownerId: bigint | undefined;
  /** Number of attempts that ended without the trip for their driver. */
  ineligibleCount = 0;

  constructor(
    readonly tripId: bigint,
    readonly epoch: number,
    readonly beganAt: number,
    /** The deadline of the first caller applies to all: later callers wait no longer. */
    readonly deadline: Deadline,
  ) {}

  join(driverId: bigint, origin: unknown): Promise<AcceptOutcome> {
    if (this.#crowdAnswer && this.#waiting.length >= AHEAD_MAX && !this.isWaiting(driverId)) {
      this.#count('UNDECIDED');
      return this.#crowdAnswer;
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ driverId, origin, resolve, reject });
    });
  }

  /** The answer to everyone but the driver who has the trip. */
  get taken(): Taken {
    const { tripId, epoch } = this;
    return { kind: 'TAKEN', tripId, epoch };
  }

  /** By the time of the retry, an abandoned hold has expired. */
  undecided(afterRevision: number): Undecided {
    const { tripId, epoch } = this;
    return { kind: 'UNDECIDED', tripId, epoch, retryAfterMs: HOLD_MS, afterRevision };
  }

  /** The driver who has waited longest, or undefined if everyone is answered. */
  get nextDriverId(): bigint | undefined {
    return this.#waiting[0]?.driverId;
  }

  isWaiting(driverId: bigint): boolean {
    return this.#waiting.some((caller) => caller.driverId === driverId);
  }

  /** Drivers who are waiting, each once. */
  get waitingIds(): bigint[] {
    return [...new Set(this.#waiting.map(({ driverId }) => driverId))];
  }

  get origins(): unknown[] {
    return this.#waiting.flatMap(({ origin }) => (origin === undefined ? [] : [origin]));
  }

  /** Keeps the first drivers; answers everyone behind them, and all later callers, immediately. */
  dismissCrowd(undecided: Undecided): void {
    this.#crowdAnswer = Promise.resolve(undecided);
    if (this.#waiting.length <= AHEAD_MAX) return;
    const ahead = new Set(this.#waiting.slice(0, AHEAD_MAX).map(({ driverId }) => driverId));
    this.settle((driverId) => (ahead.has(driverId) ? undefined : undecided));
  }

  /** Answers every caller for whom `answer` returns an outcome; the others keep waiting. */
  settle(answer: (driverId: bigint) => AcceptOutcome | undefined): void {
    const stillWaiting: Caller[] = [];
    for (const caller of this.#waiting) {
      const outcome = answer(caller.driverId);
      if (outcome === undefined) {
        stillWaiting.push(caller);
        continue;
      }
      this.#count(outcome.kind);
      caller.resolve(outcome);
    }
    this.#waiting = stillWaiting;
  }

  fail(errorFor: (driverId: bigint) => unknown): void {
    for (const { driverId, reject } of this.#waiting) reject(errorFor(driverId));
    this.#waiting = [];
  }

  #count(kind: AcceptOutcome['kind']): void {
    this.outcomeCounts[kind] = (this.outcomeCounts[kind] ?? 0) + 1;
  }
}

/** Open rounds by trip, then by epoch. A combined string key would cost a caller more than everything else here. */
export class OpenRounds {
  readonly #trips = new Map<bigint, Map<number, AcceptRound>>();

  get(tripId: bigint, epoch: number): AcceptRound | undefined {
    return this.#trips.get(tripId)?.get(epoch);
  }

  add(round: AcceptRound): void {
    const { tripId, epoch } = round;
    const ofTrip = this.#trips.get(tripId);
    if (ofTrip) ofTrip.set(epoch, round);
    else this.#trips.set(tripId, new Map([[epoch, round]]));
  }

  delete({ tripId, epoch }: AcceptRound): void {
    const ofTrip = this.#trips.get(tripId);
    ofTrip?.delete(epoch);
    if (ofTrip?.size === 0) this.#trips.delete(tripId);
  }
}
