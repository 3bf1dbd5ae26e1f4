import { type BoundedDatabase, Deadline, PostgresFailure, settleBy } from '@solegate/postgres-infra';
import { DatabaseCall } from './database-call.js';
import { numberingError } from './postgres-error.js';
import { NumberingClosedError } from './store-error.js';

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
