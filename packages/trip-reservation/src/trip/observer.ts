import type { AcceptOutcome } from './outcomes.js';

/** One round: all accepts of one offer that this process answered together. */
export interface AcceptRoundFacts {
  readonly tripId: bigint;
  readonly epoch: number;
  readonly callerCount: number;
  /** Number of answers by kind. */
  readonly outcomeCounts: Readonly<Partial<Record<AcceptOutcome['kind'], number>>>;
  /**
   * `HELD`: Redis let this process through; `REFUSED`: another process was first; `SKIPPED`: decided without
   * Redis.
   */
  readonly gate: 'HELD' | 'REFUSED' | 'SKIPPED';
  readonly elapsedMs: number;
}

/** What one sweep did. */
export interface SweepReport {
  /** Trips re-dispatched because the offer expired or the driver did not start. */
  readonly redispatchedCount: number;
  /** Scheduled trips that became due and were offered. */
  readonly openedCount: number;
  /** Trips that ended without a driver. */
  readonly expiredCount: number;
  /** Drivers freed from trips that are no longer theirs. */
  readonly orphanCount: number;
  /** Nearest offers that reached more drivers. */
  readonly widenedCount: number;
}

/** What one sweep deleted. */
export interface PruneReport {
  /** Ended trips whose history was deleted. */
  readonly historyCount: number;
  /** Deleted trips. */
  readonly tripCount: number;
  /** Deleted rows of `trip_attempts`. */
  readonly attemptRowCount: number;
}

/**
 * Hooks for metrics and logs. They are called synchronously and must be fast; an error thrown by a hook becomes
 * a process warning and never affects an answer. Every hook is optional.
 */
export interface TripObserver {
  /**
   * A driver joins a round of accepts; called in the asynchronous context of the caller. The return value, such as a
   * trace context, is included in the `origins` of each deciding statement of the round.
   */
  acceptJoined?(): unknown;
  /** Every accept of a round has been answered. */
  acceptRoundEnded?(facts: AcceptRoundFacts): void;
  /** A deciding statement ended. */
  decisionEnded?(facts: {
    readonly tripCount: number;
    readonly elapsedMs: number;
    /** Values that `acceptJoined` returned for the drivers who waited for it, except undefined. */
    readonly origins: readonly unknown[];
  }): void;
  /** Redis failed; the calls continued without it. */
  gateFailed?(error: Error): void;
  /** Positions were unavailable: the search is repeated, or `whenUnavailable` of the offer applies. */
  driversNotRanked?(facts: { readonly tripId: bigint; readonly error: Error }): void;
  /** A sweep ended. */
  sweepEnded?(report: SweepReport): void;
  /** A sweeper deleted data older than its retention. */
  historyPruned?(report: PruneReport): void;
  /** A relay published events from the outbox. */
  eventsPublished?(facts: { readonly eventCount: number }): void;
  /** Background work failed and will be retried. */
  backgroundFailed?(error: Error, work: 'SWEEP' | 'RELAY' | 'ATTEMPTS' | 'WATCH' | 'FEED' | 'REMINDER'): void;
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

/** Wraps each hook, so that one that throws cannot affect a decision. */
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
