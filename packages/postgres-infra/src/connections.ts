import { type Deadline, settleBy } from './deadline.js';
import { PostgresFailure, postgresFailure } from './postgres-failure.js';
import type { PooledSession, SqlPool } from './sql-session.js';

/** A connection of ours for the time of one statement or one transaction. */
export interface Connection {
  readonly session: PooledSession;
  /** A broken one is closed, any other may be used again. */
  release(isBroken: boolean): void;
}

interface Waiting {
  readonly admit: () => void;
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
  readonly #waiting = new Set<Waiting>();
  #takenCount = 0;

  constructor(pool: SqlPool, max: number) {
    this.#pool = pool;
    this.#max = max;
  }

  /** @throws PostgresFailure `UNAVAILABLE` or `MISCONFIGURED` at the deadline at the latest; nothing was sent then */
  async take(deadline: Deadline): Promise<Connection> {
    if (this.#takenCount < this.#max) this.#takenCount += 1;
    else await this.#admission(deadline);
    return this.#checkOut(deadline);
  }

  #admission(deadline: Deadline): Promise<void> {
    const late = () =>
      new PostgresFailure(
        'UNAVAILABLE',
        `all ${this.#max} connections to PostgreSQL were in use until the deadline`,
      );
    let waiting: Waiting | undefined;
    const admitted = new Promise<void>((admit) => {
      waiting = { admit };
      this.#waiting.add(waiting);
    });
    return settleBy(admitted, deadline, () => {
      if (waiting) this.#waiting.delete(waiting);
      return late();
    });
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
        this.#giveBack();
      },
      () => this.#giveBack(),
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
    this.#giveBack();
  }

  /** The place goes to whoever waits longest, without ever being free in between. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#takenCount -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.admit();
  }
}

/** The statement under way, or the next one, fails and reports the same. */
const ignore = (): void => undefined;
