import { type Deadline, settleBy } from './deadline.js';
import { Places } from './places.js';
import { PostgresFailure, postgresFailure } from './postgres-failure.js';
import type { PooledSession, SqlPool } from './sql-session.js';

/** A connection of ours for the time of one statement or one transaction. */
export interface Connection {
  readonly session: PooledSession;
  /** A broken one is closed, any other may be used again. */
  release(isBroken: boolean): void;
}

/**
 * Connections of a pool, counted: no more than `max` are asked for at a time, so a pool that others use too is never
 * flooded by us, and whoever gives up waiting leaves no request behind.
 *
 * A checkout that is late keeps its place until the pool answers, and its connection goes straight back: a pool that
 * cannot connect is not asked again and again by each caller.
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

  /** @throws PostgresFailure `UNAVAILABLE` or `MISCONFIGURED` at the deadline at the latest; nothing was sent then */
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
        return new PostgresFailure('UNAVAILABLE', 'PostgreSQL gave no connection before the deadline');
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
 * A connection can end in the very packet that completes it. pg reports that before a caller who awaits `connect()` has
 * seen the connection, and ends the process when nobody listens yet.
 */
function listenToNewConnections(pool: SqlPool): void {
  if (heardPools.has(pool)) return;
  heardPools.add(pool);
  pool.on?.('connect', (session) => session.on?.('error', ignore));
}

/** The statement under way, or the next one, fails and reports the same. */
const ignore = (): void => undefined;
