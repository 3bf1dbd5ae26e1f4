import { Connections } from './connections.js';
import { type Deadline, settleBy } from './deadline.js';
import {
  endsConnection,
  noAnswer,
  notApplied,
  PostgresFailure,
  postgresFailure,
} from './postgres-failure.js';
import { type RetryFacts, repeat } from './repeat.js';
import { type SqlPool, type SqlResult, type SqlSession, type SqlStatement, withName } from './sql-session.js';
import { runTransaction, type TransactionOptions } from './transaction.js';

/*
 * PostgreSQL, of which every answer comes before a deadline.
 *
 * Who is authoritative: the server. The client only stops waiting; what it then knows is in the kind of its failure.
 *
 * | what happens | connection | a read | a change by one statement | a transaction before its COMMIT |
 * |---|---|---|---|---|
 * | no connection before the deadline | was not had | UNAVAILABLE | UNAVAILABLE | UNAVAILABLE |
 * | no answer before the deadline | closed | UNAVAILABLE | UNKNOWN | UNAVAILABLE: the server rolls it back |
 * | it breaks while a statement runs | closed | UNAVAILABLE | UNKNOWN | UNAVAILABLE |
 * | the server refuses the statement | goes on | by the table in postgres-failure.ts | alike | alike, rolled back |
 * | the reply to COMMIT is lost | closed | | | UNKNOWN |
 * | any of these on a session that the caller lent | is the caller's | UNAVAILABLE | UNKNOWN | |
 *
 * The server is never left with work that nobody waits for: transactions carry the time that is left as their
 * statement_timeout, and statements that wait for rows carry a lock limit (lock-limit.ts).
 */

/** Which pool is bounded, and how. */
export interface BoundedDatabaseOptions {
  readonly pool: SqlPool;
  /** Connections in use at a time, from 1. Give it what the pool may have for this package. Default: 10, as in `pg`. */
  readonly connectionMax?: number | undefined;
  /**
   * Whether statements go by name, so that a connection plans them once. It ends by itself at the first sign of a pooler
   * that cannot have them. Default: true.
   */
  readonly namedStatements?: boolean | undefined;
  /** From 0 up to 1, to spread repeats. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Hears of each failure after which a statement is sent again. */
  readonly onRetry?: ((facts: RetryFacts) => void) | undefined;
}

/** How a statement that changes something may be repeated. */
export interface ChangeOptions {
  /**
   * How often one statement may run, from 1; more than once only for a statement of which a second run does nothing.
   * Default: 1.
   */
  readonly attemptMax?: number;
}

const CONNECTION_MAX = 10;
const READ_ATTEMPT_MAX = 3;
/** See above. */
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
   * For statements that only read: up to three attempts each.
   *
   * @throws PostgresFailure, never `UNKNOWN`
   */
  reading(deadline: Deadline): SqlSession {
    return this.#session(deadline, READ_ATTEMPT_MAX, notApplied);
  }

  /**
   * For statements that change something, each committed by itself.
   *
   * @throws PostgresFailure
   */
  changing(deadline: Deadline, { attemptMax = 1 }: ChangeOptions = {}): SqlSession {
    return this.#session(deadline, attemptMax, (failure) => failure);
  }

  /**
   * Runs work on one connection between BEGIN and COMMIT. Nothing is repeated but a transaction that met a connection
   * without its prepared statements: then `work` runs once more, after its first run was rolled back.
   *
   * @throws PostgresFailure, `UNKNOWN` only when the reply to COMMIT was lost; what `work` throws, rolled back
   */
  async transaction<Result>(
    deadline: Deadline,
    work: (session: SqlSession) => Promise<Result>,
    options: TransactionOptions<Result> = {},
  ): Promise<Result> {
    return this.#withoutNamesIfNeeded((isNamed) =>
      runTransaction({ connections: this.#connections, deadline, work, isNamed }, options),
    );
  }

  /**
   * A session that the caller lent, in the caller's transaction: its statements end in time too, and nothing is
   * repeated, since a failed statement has ended the transaction. The connection is left to the caller.
   *
   * @throws PostgresFailure
   */
  lent(session: SqlSession, deadline: Deadline): SqlSession {
    return {
      query: async (statement) => {
        try {
          return await settleBy(session.query(withName(statement, this.#isNamed)), deadline, noAnswer);
        } catch (error) {
          throw this.#noticePooler(postgresFailure(error, true));
        }
      },
    };
  }

  #session(
    deadline: Deadline,
    attemptMax: number,
    meaning: (failure: PostgresFailure) => PostgresFailure,
  ): SqlSession {
    const options = { deadline, attemptMax, random: this.#random, onRetry: this.#onRetry };
    return {
      query: async (statement) => {
        const once = (isNamed: boolean) => this.#run(withName(statement, isNamed), deadline);
        try {
          return await repeat(() => this.#withoutNamesIfNeeded(once), options);
        } catch (error) {
          throw error instanceof PostgresFailure ? meaning(error) : error;
        }
      },
    };
  }

  /** One statement; its connection is given back, or closed. */
  async #run(statement: SqlStatement, deadline: Deadline): Promise<SqlResult> {
    const connection = await this.#connections.take(deadline);
    let isBroken = true;
    try {
      const result = await settleBy(connection.session.query(statement), deadline, noAnswer);
      isBroken = false;
      return result;
    } catch (error) {
      const failure = postgresFailure(error, true);
      isBroken = endsConnection(failure);
      throw failure;
    } finally {
      connection.release(isBroken);
    }
  }

  /** Names are left out when the connection of a statement turns out not to have them; nothing was applied then. */
  async #withoutNamesIfNeeded<Result>(run: (isNamed: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await run(this.#isNamed);
    } catch (error) {
      if (!(error instanceof PostgresFailure) || !error.isUnprepared) throw error;
      this.#noticePooler(error);
      return await run(false);
    }
  }

  /** A pooler loses names again and again, so none are sent from now on. A plan that went stale is lost once. */
  #noticePooler(failure: PostgresFailure): PostgresFailure {
    if (failure.isUnprepared && failure.kind === 'MISCONFIGURED') this.#isNamed = false;
    return failure;
  }
}
