import { setTimeout as pause } from 'node:timers/promises';
import {
  type BoundedDatabase,
  Deadline,
  inDoubt,
  PostgresFailure,
  type SqlSession,
  type TransactionOptions,
} from '@solegate/postgres-infra';
import type { Settings } from '../contract/checks.js';
import {
  BusyError,
  DuplicateError,
  NumberingClosedError,
  NumberingError,
  OutcomeUnknownError,
  StoreMisconfiguredError,
  StoreRefusedError,
  StoreUnavailableError,
} from '../contract/numbering-error.js';
import { SEVERAL_WAIT_MS } from './functions/open-counters.js';
import { callFunction } from './rows.js';

const ATTEMPT_MAX = 3;
/** A wait for a lock was longer than its limit. */
const LOCK_TIMEOUT = '55P03';

/**
 * Access to PostgreSQL during one public call: every reply arrives before the call's deadline, and a connection is held
 * only while one statement or one transaction runs. Code in a transaction must not request another session.
 */
export class DatabaseCall {
  readonly database: BoundedDatabase;
  readonly deadline: Deadline;

  constructor(database: BoundedDatabase, deadline: Deadline) {
    this.database = database;
    this.deadline = deadline;
  }

  /** For statements that only read. */
  get reading(): SqlSession {
    return this.database.reading(this.deadline);
  }

  /**
   * Calls a function of the database whose second run does nothing. Each attempt waits for a row no longer than its share of
   * the time, and as long is left for replies.
   *
   * @throws PostgresFailure
   */
  repeat<Reply>(call: string, values: unknown[]): Promise<Reply> {
    const waitMs = Math.max(1, Math.floor(this.deadline.leftMs / (ATTEMPT_MAX + 1)));
    const session = this.database.changing(this.deadline, { attemptMax: ATTEMPT_MAX });
    return callFunction(session, call, values, waitMs);
  }

  /** @throws what `work` throws, after a rollback; PostgresFailure */
  transaction<Result>(
    work: (session: SqlSession) => Promise<Result>,
    options?: TransactionOptions<Result>,
  ): Promise<Result> {
    return this.database.transaction(this.deadline, work, options);
  }

  /**
   * Does the same for a transaction that waits briefly for the locks of several counters (SEVERAL_WAIT_MS): if one of them is
   * held, the others are let go for as long, and `work` begins anew, until the deadline.
   */
  async lockingSeveral<Result>(
    work: (session: SqlSession) => Promise<Result>,
    options?: TransactionOptions<Result>,
  ): Promise<Result> {
    for (;;) {
      try {
        return await this.transaction(work, options);
      } catch (error) {
        const isHeld = error instanceof PostgresFailure && error.sqlState === LOCK_TIMEOUT;
        if (!isHeld || this.deadline.leftMs <= SEVERAL_WAIT_MS) throw error;
      }
      await pause(SEVERAL_WAIT_MS);
    }
  }
}

/** How much longer `close` waits than any request can take. */
const CLOSE_GRACE_MS = 500;
const CLOSE_LOOK_MS = 10;

/** Gives public calls a deadline, refuses them after `close`, and turns PostgreSQL failures into numbering errors. */
export class PublicCalls {
  readonly #database: BoundedDatabase;
  readonly #timeoutMs: number;
  #pendingCount = 0;
  #isClosed = false;

  constructor(database: BoundedDatabase, { requestTimeoutMs }: Settings) {
    this.#database = database;
    this.#timeoutMs = requestTimeoutMs;
  }

  /**
   * @param timeoutMs default: `requestTimeoutMs`
   * @throws NumberingError; what the caller's own code throws (a writer, a code directory), unchanged
   */
  async run<Result>(
    work: (call: DatabaseCall) => Promise<Result>,
    timeoutMs = this.#timeoutMs,
  ): Promise<Result> {
    if (this.#isClosed) throw new NumberingClosedError();
    this.#pendingCount += 1;
    try {
      return await work(new DatabaseCall(this.#database, Deadline.after(timeoutMs)));
    } catch (error) {
      throw error instanceof PostgresFailure ? numberingError(error) : error;
    } finally {
      this.#pendingCount -= 1;
    }
  }

  /** Refuses new calls; resolves when pending ones have ended, or should have. Can be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const deadline = Deadline.after(this.#timeoutMs + CLOSE_GRACE_MS);
    while (this.#pendingCount > 0 && !deadline.hasPassed) await pause(CLOSE_LOOK_MS);
  }
}

/**
 * For what follows a change that is committed: it can succeed later, but the caller must not read that nothing was done.
 *
 * @throws PostgresFailure of the kind UNKNOWN; OutcomeUnknownError; the error itself if it is final
 */
export function afterCommit(error: unknown): never {
  if (error instanceof PostgresFailure) throw inDoubt(error);
  const canSucceed = error instanceof NumberingError && error.retryable;
  throw canSucceed ? new OutcomeUnknownError({ cause: error }) : error;
}

/** Unique keys that are violated only if a transaction does not see what another has just committed. */
const SEEN_LATE = new Set<string | undefined>([
  undefined,
  'document_numbers_pkey',
  'document_numbers_key_key',
  'document_numbers_batch_key',
  'document_number_counters_scope_key',
]);

/** Converts a PostgreSQL failure for callers, given the number and the id that would be the duplicate, if known. */
export function numberingError(
  failure: PostgresFailure,
  { number, id }: { readonly number?: string; readonly id?: string | undefined } = {},
): NumberingError {
  const { kind, constraint, message, sqlState } = failure;
  const options = { cause: failure };
  if (kind === 'UNAVAILABLE') return new StoreUnavailableError(options);
  if (kind === 'UNKNOWN') return new OutcomeUnknownError(options);
  if (kind === 'MISCONFIGURED') return new StoreMisconfiguredError(message, options);
  if (constraint === 'document_numbers_number_key')
    return new DuplicateError(number ?? 'the number', options);
  if (constraint === 'document_numbers_id_key')
    return new DuplicateError(id === undefined ? 'the id' : `id ${id}`, options);
  const isInTheWay = kind === 'BUSY' || (kind === 'CONFLICT' && SEEN_LATE.has(constraint));
  return isInTheWay ? new BusyError(options) : new StoreRefusedError(sqlState, options);
}
