import type { AcceptOutcome } from './trip-outcomes.js';

interface Caller {
  readonly driverId: bigint;
  readonly resolve: (outcome: AcceptOutcome) => void;
  readonly reject: (error: unknown) => void;
}

type OutcomeCounts = Partial<Record<AcceptOutcome['kind'], number>>;

/**
 * The callers of one offer that this process answers together: one of them is asked for at the gate and at the
 * database, and what comes back answers the others too. Nobody is ever answered for a driver other than himself: each
 * answer is worked out from what stands and who asks.
 */
export class AcceptRound {
  #waiting: Caller[] = [];
  readonly outcomeCounts: OutcomeCounts = {};
  /** The driver whom this round gave the trip, once it has. */
  winnerId: bigint | undefined;

  constructor(
    readonly tripId: bigint,
    readonly epoch: number,
    readonly beganAt: number,
  ) {}

  join(driverId: bigint): Promise<AcceptOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ driverId, resolve, reject });
    });
  }

  /** The driver who has waited longest, or undefined when everybody is answered. */
  get nextDriverId(): bigint | undefined {
    return this.#waiting[0]?.driverId;
  }

  isWaiting(driverId: bigint): boolean {
    return this.#waiting.some((caller) => caller.driverId === driverId);
  }

  /** Answers every caller that `answer` has an outcome for; the others go on waiting. */
  settle(answer: (driverId: bigint) => AcceptOutcome | undefined): void {
    const stillWaiting: Caller[] = [];
    for (const caller of this.#waiting) {
      const outcome = answer(caller.driverId);
      if (outcome === undefined) {
        stillWaiting.push(caller);
        continue;
      }
      this.outcomeCounts[outcome.kind] = (this.outcomeCounts[outcome.kind] ?? 0) + 1;
      caller.resolve(outcome);
    }
    this.#waiting = stillWaiting;
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting = [];
  }
}
