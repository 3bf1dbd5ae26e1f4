import {
  type BoundedDatabase,
  Deadline,
  PostgresFailure,
  type SqlSession,
  settleBy,
  type TransactionOptions,
} from '@solegate/postgres-infra';
import { NumberingClosedError } from '../contract/store-error.js';
import { numberingError } from './postgres-error.js';

/**
 * PostgreSQL for the time of one public call: every answer comes before the call's deadline, and a connection is had
 * only while one statement or one transaction runs. Whoever is in a transaction must not ask for another session.
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

  /** For statements of which a second run does nothing. */
  get repeating(): SqlSession {
    return this.database.changing(this.deadline, { attemptMax: ATTEMPT_MAX });
  }

  /** @throws what `work` throws, rolled back; PostgresFailure */
  transaction<Result>(
    work: (session: SqlSession) => Promise<Result>,
    options?: TransactionOptions<Result>,
  ): Promise<Result> {
    return this.database.transaction(this.deadline, work, options);
  }
}

const ATTEMPT_MAX = 3;

export interface PublicCallsOptions {
  readonly database: BoundedDatabase;
  readonly requestTimeoutMs: number;
}

/** What `close` waits longer than any request may take. */
const CLOSE_GRACE_MS = 500;

/**
 * The boundary of a numbering: each public call gets its deadline here, is refused after `close`, and fails in the words
 * of numbering whatever PostgreSQL said.
 */
export class PublicCalls {
  readonly #options: PublicCallsOptions;
  #pendingCount = 0;
  #isClosed = false;
  #idle: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  constructor(options: PublicCallsOptions) {
    this.#options = options;
  }

  /**
   * @param timeoutMs default: `requestTimeoutMs`
   * @throws NumberingError; what the caller's own code throws (a writer, a code directory) as it is
   */
  async run<Result>(
    work: (call: DatabaseCall) => Promise<Result>,
    timeoutMs = this.#options.requestTimeoutMs,
  ): Promise<Result> {
    if (this.#isClosed) throw new NumberingClosedError();
    this.#pendingCount += 1;
    try {
      return await work(new DatabaseCall(this.#options.database, Deadline.after(timeoutMs)));
    } catch (error) {
      throw error instanceof PostgresFailure ? numberingError(error) : error;
    } finally {
      this.#pendingCount -= 1;
      if (this.#pendingCount === 0) this.#whenIdle?.();
    }
  }

  /** Refuses new calls; resolves when those under way have ended, or should have. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle ??= new Promise((resolve) => {
      this.#whenIdle = resolve;
      if (this.#pendingCount === 0) resolve();
    });
    const deadline = Deadline.after(this.#options.requestTimeoutMs + CLOSE_GRACE_MS);
    await settleBy(this.#idle, deadline, () => new NumberingClosedError()).catch(() => undefined);
  }
}
