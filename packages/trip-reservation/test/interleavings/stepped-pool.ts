import type { SqlPool, SqlStatement } from '../../src/index.js';
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

  async query(statement: SqlStatement) {
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
    return this.#pool.query({ ...statement, text: this.#rewrite(statement.text) });
  }

  connect() {
    return this.#pool.connect();
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
