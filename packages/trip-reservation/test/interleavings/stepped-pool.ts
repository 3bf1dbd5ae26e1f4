import type { PooledSession, SqlPool, SqlStatement } from '../../src/index.js';
import type { DecisionStop } from './flow.js';

/** Recognizes the statement that gives a trip to a driver, in either flow. */
const DECIDES = /SET status = 'ACCEPTED'/;

/** A real pool whose deciding statements can be stopped, failed and rewritten. */
export class SteppedPool implements SqlPool {
  readonly #pool: SqlPool;
  readonly #rewrite: (text: string) => string;
  #stop: { arrive: () => void; resumed: Promise<void> } | undefined;
  #failsNext = false;

  constructor(pool: SqlPool, rewrite: (text: string) => string = (text) => text) {
    this.#pool = pool;
    this.#rewrite = rewrite;
  }

  async connect(): Promise<PooledSession> {
    const session = await this.#pool.connect();
    return {
      query: (statement) => this.#query(session, statement),
      release: (error) => session.release(error),
      on: (event, listener) => session.on?.(event, listener),
      off: (event, listener) => session.off?.(event, listener),
    };
  }

  async #query(session: PooledSession, statement: SqlStatement) {
    if (DECIDES.test(statement.text)) {
      const stop = this.#stop;
      this.#stop = undefined;
      stop?.arrive();
      await stop?.resumed;
      if (this.#failsNext) {
        this.#failsNext = false;
        throw Object.assign(new Error('disk full'), { code: 'XX000' });
      }
    }
    return session.query({ ...statement, text: this.#rewrite(statement.text) });
  }

  stopBeforeDecision(): DecisionStop {
    let resume = () => {};
    let arrive = () => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    this.#stop = { arrive, resumed };
    return { reached, resume };
  }

  failNextDecision(): void {
    this.#failsNext = true;
  }
}
