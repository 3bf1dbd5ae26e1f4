import type { Guard } from './ledger-columns.js';

/** Hooks for metrics and logs. Handlers should return quickly; anything they throw is ignored. */
export interface NumberingObserver {
  /** A request is queued; called in its caller's async context. The result is among the `origins` of its commit. */
  readonly requestQueued?: () => unknown;
  /** Numbers were committed: how many, of how many counters, for which requests, and at what cost. */
  readonly batchCommitted?: (facts: {
    readonly numberCount: number;
    readonly counterCount: number;
    readonly guard: Guard;
    readonly retryCount: number;
    readonly durationMs: number;
    readonly waitedMaxMs: number;
    /** What `requestQueued` returned for the requests of the commit, without `undefined`. */
    readonly origins: readonly unknown[];
  }) => void;
  /** A lock was requested from Redis. */
  readonly lockWaited?: (facts: { waitedMs: number; outcome: 'HELD' | 'BUSY' | 'UNAVAILABLE' }) => void;
  /** Another process advanced the counter first; the batch is retried. */
  readonly versionConflicted?: (facts: { readonly counterCount: number; readonly attempt: number }) => void;
  /** A batch continues without Redis, on row locks alone. */
  readonly fellBack?: (facts: { reason: 'BUSY' | 'UNAVAILABLE' | 'CIRCUIT_OPEN' | 'CONFLICT' }) => void;
  /** A statement failed and is retried with the same batch. */
  readonly storeRetried?: (facts: { readonly attempt: number; readonly error: unknown }) => void;
  /** At least nine tenths of a format's width are used; sent once at 0.9 and once at 0.95 per process and counter. */
  readonly widthWarned?: (facts: {
    readonly counter: string;
    readonly lastNumber: number;
    readonly widthUsed: number;
    readonly threshold: 0.9 | 0.95;
  }) => void;
  /** A counter was below an issued number; requests for it fail with COUNTER_REGRESSION. */
  readonly regressionFound?: (facts: {
    readonly counter: string;
    readonly lastNumber: number;
    readonly highWaterMark: number;
  }) => void;
  /** Overdue reservations could not be swept; the next sweep tries again. */
  readonly sweepFailed?: (error: unknown) => void;
  /** A feed could not be read; it tries again, and its reader waits. */
  readonly feedFailed?: (error: unknown) => void;
  /** A lock was not released, which expires by itself, or marks were not raised, which is tried again. Nothing waits. */
  readonly releaseFailed?: (error: unknown) => void;
}
