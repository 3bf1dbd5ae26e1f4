import type { SqlPool } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import type { Guard } from './issue-request.js';

/** One code looked up in the app's master data. */
export interface CodeQuery {
  readonly space: string;
  /** Token that prints it: `PROJECT`, `TYPE`, `ORG`, `RECIPIENT`, `DISCIPLINE`, … */
  readonly token: string;
  /** What the request gave. */
  readonly reference: string;
}

/**
 * The app's master data. `find` gives the code to print (and to count by), or `undefined` when there is none: the
 * request is then refused with UNKNOWN_CODE before anything is taken. It is called for every request, so cache in it.
 */
export interface CodeDirectory {
  find(query: CodeQuery): string | undefined | Promise<string | undefined>;
}

/** A token of your own, usable as a dimension or a field. */
export interface TokenDefinition {
  /** Upper case letters, digits and `_`, beginning with a letter. */
  readonly name: string;
  /** Characters beside letters, marks, digits, `.` and `_` that its codes may have. Default: none. */
  readonly extraCharacters?: string;
  /** Longest code, 1 to 50. Default 20. */
  readonly lengthMax?: number;
}

/** What happened, for metrics and logs. Handlers should return at once; what they throw is ignored. */
export interface NumberingEvents {
  /** A commit with numbers: how many, of how many counters, and what it took. */
  readonly batchCommitted?: (facts: {
    readonly numberCount: number;
    readonly counterCount: number;
    readonly guard: Guard;
    readonly retryCount: number;
    readonly durationMs: number;
    /** Longest wait of a request of the batch, before its statement was sent. */
    readonly waitedMaxMs: number;
  }) => void;
  /** Redis was asked for locks. */
  readonly lockWaited?: (facts: {
    readonly waitedMs: number;
    readonly outcome: 'held' | 'timeout' | 'unavailable';
  }) => void;
  /** Another holder moved the counter first; the batch is repeated. */
  readonly versionConflicted?: (facts: { readonly counterCount: number; readonly attempt: number }) => void;
  /** A batch goes on without Redis, on row locks alone. */
  readonly fellBack?: (facts: {
    readonly reason: 'busy' | 'unavailable' | 'circuit_open' | 'conflicts';
  }) => void;
  /** A statement failed and is repeated under the same batch. */
  readonly storeRetried?: (facts: { readonly attempt: number; readonly error: unknown }) => void;
  /** A format's width is at least nine tenths used; sent once for 0.9 and once for 0.95 a process and counter. */
  readonly widthWarned?: (facts: {
    readonly counter: string;
    readonly lastNumber: number;
    readonly widthUsed: number;
    readonly threshold: 0.9 | 0.95;
  }) => void;
  readonly regressionFound?: (facts: {
    readonly counter: string;
    readonly lastNumber: number;
    readonly highWaterMark: number;
  }) => void;
  /** Ended reservations could not be swept; the next sweep tries again. */
  readonly sweepFailed?: (error: unknown) => void;
  /** Giving a lock back failed; it ends by itself. No number waits for it. */
  readonly releaseFailed?: (error: unknown) => void;
}

export interface NumberingOptions {
  /** `pg.Pool`, or `dataSource.driver.master` of TypeORM. */
  readonly database: SqlPool;
  /** Connections of the pool in use at a time, from 1. Give it what the pool may spare. Default 10, as in `pg`. */
  readonly connectionMax?: number;
  /**
   * A connection of `connectRedis`, purpose `decision`. It stays yours to close. Redis remembers how far each counter was
   * drawn from, and keeps other processes away from a crowded one. Absent: PostgreSQL alone keeps callers apart; numbers
   * are as safe, only commits that a fail-over has lost are not found out.
   */
  readonly redis?: { readonly decision: RedisConnection };
  /**
   * When the Redis lock of a counter comes before its row: `crowd`, for two seconds after a wait for the row was in vain;
   * `always`, with the version check behind it, for every commit; `never`. Default `crowd`.
   */
  readonly lock?: 'crowd' | 'always' | 'never';
  /** Default: the codes of a request are printed as they are. */
  readonly codes?: CodeDirectory;
  readonly tokens?: readonly TokenDefinition[];
  readonly events?: NumberingEvents;
  /** Milliseconds since 1970, for business dates and waits. Default `Date.now`. */
  readonly now?: () => number;
  /** Between 0 and 1, for the jitter of repeats. Default `Math.random`. */
  readonly random?: () => number;
  /** Life of a Redis lock. 100 to 60,000. Default 3,000. */
  readonly lockTtlMs?: number;
  /** How long a counter waits for its busy Redis lock before it goes on without. 0 to 1,000. Default 100. */
  readonly lockWaitMs?: number;
  /** Numbers in one commit. 1 to 10,000. Default 2,000. */
  readonly batchMax?: number;
  /** Longest run of one call of a writer before its transaction is given up. Default 5,000. */
  readonly writerTimeoutMs?: number;
  /**
   * How long a call may take, with all waits and repeats, whatever the stores do. It then ends as BUSY,
   * STORE_UNAVAILABLE or OUTCOME_UNKNOWN. `importNumbers`, `skipTo` and `reconcile` have a `timeoutMs` of their own. 1 to
   * 3,600,000. Default 10,000.
   */
  readonly requestTimeoutMs?: number;
  /**
   * Prepared statements by name. They end by themselves when a pooler turns out to lose them; turned off, the first
   * call is spared the repeat. Default `true`.
   */
  readonly namedStatements?: boolean;
}
