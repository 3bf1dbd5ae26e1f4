import { Connections, runStatement } from './connections.js';
import type { Deadline } from './deadline.js';
import { endsConnection, notApplied, PostgresFailure } from './postgres-failure.js';
import { type RetryFacts, repeat } from './repeat.js';
import type { SqlPool, SqlResult, SqlSession, SqlStatement, TransactionSession } from './sql-session.js';
import { runTransaction, type TransactionOptions } from './transaction.js';

/*
 * PostgreSQL with a deadline for every call.
 *
 * The server is authoritative. The client only stops waiting; the kind of its failure states what it knows by then.
 *
 * | what happens | connection | a read | a change by one statement | a transaction before its COMMIT |
 * |---|---|---|---|---|
 * | no connection before the deadline | none | UNAVAILABLE | UNAVAILABLE | UNAVAILABLE |
 * | no response before the deadline | closed | UNAVAILABLE | UNKNOWN | UNAVAILABLE: the server rolls it back |
 * | it breaks while a statement runs | closed | UNAVAILABLE | UNKNOWN | UNAVAILABLE |
 * | the server refuses the statement | reused | by the table in postgres-failure.ts | same | same, rolled back |
 * | the reply to COMMIT is lost | closed | | | UNKNOWN |
 * | any of these on a session that the caller lent | the caller's | UNAVAILABLE | UNKNOWN | |
 *
 * The server does not keep working for callers that stopped waiting: transactions set the remaining time as their
 * statement_timeout, and statements that wait for rows set a lock limit (lock-limit.ts).
 */

/** Options of a {@link BoundedDatabase}. */
export interface BoundedDatabaseOptions {
  readonly pool: SqlPool;
  /** Connections in use at a time, from 1: this package's share of the pool. Default: 10, as in `pg`. */
  readonly connectionMax?: number | undefined;
  /**
   * Whether statements are named, so that a connection plans them once. Turned off automatically at the first sign of a
   * pooler that does not support them. Default: true.
   */
  readonly namedStatements?: boolean | undefined;
  /** Returns 0 up to 1, to spread retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Called after each failure that is followed by a retry. */
  readonly onRetry?: ((facts: RetryFacts) => void) | undefined;
}

/** How a statement that changes data can be retried. */
export interface ChangeOptions {
  /** Maximum runs of one statement, from 1; more than one only if a second run has no further effect. Default: 1. */
  readonly attemptMax?: number;
}

const CONNECTION_MAX = 10;
const READ_ATTEMPT_MAX = 3;
/** Runs statements and transactions on a pool, each bounded by a deadline. */
export class BoundedDatabase {
  readonly #connections: Connections;
  readonly #random: () => number;
  readonly #onRetry: ((facts: RetryFacts) => void) | undefined;
  #isNamed: boolean;

  constructor({ pool, connectionMax, namedStatements, random, onRetry }: BoundedDatabaseOptions) {
    this.#connections = new Connections(pool, connectionMax ?? CONNECTION_MAX);
    this.#isNamed = namedStatements ?? true;
    this.#random = random ?? Math.random;
    this.#onRetry = onRetry;
  }

  /**
   * Returns a session for statements that only read: up to three attempts each.
   *
   * @throws PostgresFailure, never `UNKNOWN`
   */
  reading(deadline: Deadline): SqlSession {
    return this.#repeating(deadline, READ_ATTEMPT_MAX, async (statement) => {
      try {
        return await this.#run(statement, deadline);
      } catch (error) {
        throw error instanceof PostgresFailure ? notApplied(error) : error;
      }
    });
  }

  /**
   * Returns a session for statements that change data, each in its own commit.
   *
   * @throws PostgresFailure
   */
  changing(deadline: Deadline, { attemptMax = 1 }: ChangeOptions = {}): SqlSession {
    const once = (statement: SqlStatement) => this.#run(statement, deadline);
    return attemptMax === 1 ? { query: once } : this.#repeating(deadline, attemptMax, once);
  }

  #repeating(deadline: Deadline, attemptMax: number, once: SqlSession['query']): SqlSession {
    const options = { deadline, attemptMax, random: this.#random, onRetry: this.#onRetry };
    return { query: (statement) => repeat(() => once(statement), options) };
  }

  /**
   * Runs work on one connection between BEGIN and COMMIT. It is retried in one case only: if the connection has lost
   * its prepared statements, `work` is rolled back and runs once more.
   *
   * @throws PostgresFailure, `UNKNOWN` only if the reply to COMMIT was lost; any error of `work`, after a rollback
   */
  async transaction<Result>(
    deadline: Deadline,
    work: (session: TransactionSession) => Promise<Result>,
    options: TransactionOptions<Result> = {},
  ): Promise<Result> {
    return this.#withoutNamesIfNeeded((isNamed) =>
      runTransaction({ connections: this.#connections, deadline, work, isNamed }, options),
    );
  }

  /**
   * Wraps a session of the caller's transaction: its statements settle by the deadline too, and nothing is retried,
   * since a failed statement ends the transaction. The caller keeps the connection.
   *
   * @throws PostgresFailure
   */
  lent(session: SqlSession, deadline: Deadline): SqlSession {
    return {
      query: async (statement) => {
        try {
          return await runStatement(session, statement, { deadline, isNamed: this.#isNamed });
        } catch (error) {
          if (error instanceof PostgresFailure) this.#noticePooler(error);
          throw error;
        }
      },
    };
  }

  /** Runs one statement and releases or closes its connection. */
  #run(statement: SqlStatement, deadline: Deadline): Promise<SqlResult> {
    return this.#withoutNamesIfNeeded(async (isNamed) => {
      const connection = await this.#connections.take(deadline);
      let isBroken = false;
      try {
        return await runStatement(connection.session, statement, { deadline, isNamed });
      } catch (error) {
        isBroken = !(error instanceof PostgresFailure) || endsConnection(error);
        throw error;
      } finally {
        connection.release(isBroken);
      }
    });
  }

  /** Retries without names if the connection does not have the prepared statement; nothing was applied in that case. */
  async #withoutNamesIfNeeded<Result>(run: (isNamed: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await run(this.#isNamed);
    } catch (error) {
      if (!(error instanceof PostgresFailure) || !error.isUnprepared) throw error;
      this.#noticePooler(error);
      return await run(false);
    }
  }

  /** A pooler keeps losing names, so they are turned off. A stale plan is lost only once. */
  #noticePooler({ isUnprepared, kind }: PostgresFailure): void {
    if (isUnprepared && kind === 'MISCONFIGURED') this.#isNamed = false;
  }
}
