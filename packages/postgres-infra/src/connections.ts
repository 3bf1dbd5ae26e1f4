import { type Deadline, settleBy } from './deadline.js';
import { Places } from './places.js';
import { PostgresFailure, postgresFailure } from './postgres-failure.js';
import type { PooledSession, SqlPool } from './sql-session.js';

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
    return this.#checkOut(deadline);
  }

  async #ask(): Promise<PooledSession> {
    return this.#pool.connect();
  }

  async #checkOut(deadline: Deadline): Promise<Connection> {
    const asked = this.#ask();
    let isLate = false;
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

  #release(session: PooledSession, isBroken: boolean): void {
    session.off?.('error', ignore);
    session.release(isBroken);
    this.#places.giveBack();
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
