import { type Deadline, settleBy } from './deadline.js';
import { noAnswer, PostgresFailure, postgresFailure } from './postgres-failure.js';
import type { PooledSession, SqlPool, SqlResult, SqlSession, SqlStatement } from './sql-session.js';

/** A connection, held for one statement or one transaction. */
export interface Connection {
  readonly session: PooledSession;
  /** Closes a broken connection; returns any other to the pool. */
  release(isBroken: boolean): void;
}

/**
 * Takes at most `max` connections from a pool at a time, so that a shared pool is never flooded, and a caller that
 * stops waiting leaves no request behind.
 *
 * A late checkout keeps its place until the pool responds, and its connection is returned immediately. So callers do
 * not pile up requests on a pool that cannot connect.
 */
export class Connections {
  readonly #pool: SqlPool;
  readonly #max: number;
  readonly #places: Places;

  constructor(pool: SqlPool, max: number) {
    listenToNewConnections(pool);
    this.#pool = pool;
    this.#max = max;
    this.#places = new Places(max);
  }

  /** @throws PostgresFailure `UNAVAILABLE` or `MISCONFIGURED`, by the deadline; nothing was sent */
  async take(deadline: Deadline): Promise<Connection> {
    await this.#places.take(deadline, () => {
      const message = `all ${this.#max} connections to PostgreSQL were in use until the deadline`;
      return new PostgresFailure('UNAVAILABLE', message);
    });
    let isLate = false;
    const asked = this.#ask();
    asked.then(
      (session) => {
        if (!isLate) return;
        session.release();
        this.#places.giveBack();
      },
      () => this.#places.giveBack(),
    );
    try {
      const session = await settleBy(asked, deadline, () => {
        isLate = true;
        return new PostgresFailure('UNAVAILABLE', 'PostgreSQL provided no connection before the deadline');
      });
      session.on?.('error', ignore);
      return { session, release: (isBroken) => this.#release(session, isBroken) };
    } catch (error) {
      throw postgresFailure(error, false);
    }
  }

  async #ask(): Promise<PooledSession> {
    return this.#pool.connect();
  }

  #release(session: PooledSession, isBroken: boolean): void {
    session.off?.('error', ignore);
    session.release(isBroken);
    this.#places.giveBack();
  }
}

/**
 * Runs one statement on a connection, without its name if the connection might not keep prepared statements.
 *
 * @throws PostgresFailure, by the deadline
 */
export async function runStatement(
  session: SqlSession,
  statement: SqlStatement,
  { deadline, isNamed }: { readonly deadline: Deadline; readonly isNamed: boolean },
): Promise<SqlResult> {
  try {
    return await settleBy(
      session.query(isNamed ? statement : { ...statement, name: undefined }),
      deadline,
      noAnswer,
    );
  } catch (error) {
    throw postgresFailure(error, true);
  }
}

const heardPools = new WeakSet<SqlPool>();

/**
 * A connection can end in the same packet that completes it. pg reports that before a caller awaiting `connect()` has
 * the connection, and without a listener the process exits.
 */
function listenToNewConnections(pool: SqlPool): void {
  if (heardPools.has(pool)) return;
  heardPools.add(pool);
  pool.on?.('connect', (session) => session.on?.('error', ignore));
}

/** The current statement, or the next one, fails with the same error. */
const ignore = (): void => undefined;

/** A semaphore: a fixed number of places, first come, first served. A caller that gives up leaves nothing behind. */
export class Places {
  readonly #waiting = new Set<() => void>();
  #freeCount: number;

  /** @param count from 1 */
  constructor(count: number) {
    this.#freeCount = count;
  }

  /** Acquires a place, which must be given back; rejects with `late()` at the deadline. */
  async take(deadline: Deadline, late: () => Error): Promise<void> {
    if (this.#freeCount > 0) {
      this.#freeCount -= 1;
      return;
    }
    let admit = (): void => undefined;
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    this.#waiting.add(admit);
    await settleBy(admitted, deadline, () => {
      this.#waiting.delete(admit);
      return late();
    });
  }

  /** Returns a place. It goes directly to the caller that has waited longest, without becoming free in between. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#freeCount += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
