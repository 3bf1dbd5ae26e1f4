import { setTimeout as pause } from 'node:timers/promises';
import type { NginxServer } from './nginx-server.js';

/** As in the readiness probe of kubernetes.yaml, four times as often. */
const INTERVAL_MS = 500;
const TIMEOUT_MS = 2_000;
const FAILURES_MAX = 2;

/**
 * Active health checks, which the open-source nginx lacks: asks each gateway for its readiness, takes those out that fail
 * twice in a row, and puts them back in after their next success.
 */
export class ActiveChecks {
  /** Ports of gateways that were taken out, in order, each time. */
  readonly takenOut: number[] = [];
  /** Ports of gateways that answered that they are not ready, each time. On a busy machine, others answer too late. */
  readonly unready: number[] = [];
  readonly #failures = new Map<number, number>();
  readonly #over = new AbortController();
  readonly #work: Promise<void>;

  constructor(
    private readonly nginx: NginxServer,
    ports: readonly number[],
  ) {
    this.#work = this.#watch(ports);
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }

  async #watch(ports: readonly number[]): Promise<void> {
    let live = [...ports];
    while (!this.#over.signal.aborted) {
      await Promise.all(ports.map((port) => this.#check(port)));
      const now = ports.filter((port) => (this.#failures.get(port) ?? 0) < FAILURES_MAX);
      this.takenOut.push(...live.filter((port) => !now.includes(port)));
      if (now.join() !== live.join()) await this.nginx.forwardTo(now);
      live = now;
      await pause(INTERVAL_MS);
    }
  }

  async #check(port: number): Promise<void> {
    const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      ({ ok }) => {
        if (!ok) this.unready.push(port);
        return ok;
      },
      () => false,
    );
    this.#failures.set(port, isReady ? 0 : (this.#failures.get(port) ?? 0) + 1);
  }
}
