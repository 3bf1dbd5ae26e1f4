import type { AcceptOutcome } from './outcomes.js';

/** One round: every accept of one offer that this process answered with one question. */
export interface AcceptRoundFacts {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly callerCount: number;
  /** Answers of the round by kind. */
  readonly outcomeCounts: Readonly<Partial<Record<AcceptOutcome['kind'], number>>>;
  /**
   * `HELD`: Redis let this process through; `REFUSED`: somebody else was first; `SKIPPED`: decided without
   * Redis.
   */
  readonly gate: 'HELD' | 'REFUSED' | 'SKIPPED';
  readonly elapsedMs: number;
}

/** What one sweep did. */
export interface SweepReport {
  /** Offers that ran out, and drivers who never started, dispatched anew. */
  readonly redispatchedCount: number;
  /** Trips whose time had come, offered first. */
  readonly openedCount: number;
  /** Trips that ended without a driver. */
  readonly expiredCount: number;
  /** Drivers freed from trips that had ended without freeing them. */
  readonly orphanCount: number;
  /** Offers that reached further drivers by their distance. */
  readonly widenedCount: number;
}

/** What one sweep removed. */
export interface PruneReport {
  /** Ended trips whose history was removed. */
  readonly tripCount: number;
  /** Rows of `trip_attempts` that were removed. */
  readonly attemptRowCount: number;
}

/**
 * Where metrics and logs come from. Called synchronously, so be quick; what is thrown becomes a process
 * warning and never a driver's answer. Every part is optional.
 */
export interface TripObserver {
  /**
   * A driver joins a round of accepts, in the asynchronous context of the caller. What this returns, such as the context of
   * a trace, is among the `origins` of each deciding statement of the round.
   */
  acceptJoined?(): unknown;
  /** Every accept of one round has its answer. */
  acceptRoundEnded?(facts: AcceptRoundFacts): void;
  /** One deciding statement ended, for this many trips, and for the drivers who waited for it. */
  decisionEnded?(facts: {
    readonly tripCount: number;
    readonly elapsedMs: number;
    /** What `acceptJoined` returned for them; without what was undefined. */
    readonly origins: readonly unknown[];
  }): void;
  /** Redis failed; the calls went on without it. */
  gateFailed?(error: Error): void;
  /** Positions could not be had: the offer of this trip went to whom its request named, or to everyone. */
  driversNotRanked?(facts: { readonly tripId: bigint; readonly error: Error }): void;
  /** One sweep ended. */
  sweepEnded?(report: SweepReport): void;
  /** A sweeper removed what was older than it keeps. */
  historyPruned?(report: PruneReport): void;
  /** So many events of the outbox were published. */
  eventsPublished?(facts: { readonly eventCount: number }): void;
  /** Work in the background failed and will be tried again. */
  backgroundFailed?(error: Error, work: 'SWEEP' | 'RELAY' | 'ATTEMPTS' | 'WATCH' | 'REMINDER'): void;
}

const PARTS: readonly (keyof TripObserver)[] = [
  'acceptJoined',
  'acceptRoundEnded',
  'decisionEnded',
  'gateFailed',
  'driversNotRanked',
  'sweepEnded',
  'historyPruned',
  'eventsPublished',
  'backgroundFailed',
];

/** The observer with each part guarded: what has been decided is not undone by a metric that fails. */
export function guardedObserver(observer: TripObserver): TripObserver {
  const guarded = PARTS.filter((part) => observer[part]).map((part) => {
    const hear = (...facts: unknown[]) => {
      try {
        return Reflect.apply(observer[part] ?? (() => {}), observer, facts);
      } catch (error) {
        process.emitWarning(`TripObserver.${part} failed: ${error}`);
      }
    };
    return [part, hear] as const;
  });
  return Object.fromEntries(guarded);
}
