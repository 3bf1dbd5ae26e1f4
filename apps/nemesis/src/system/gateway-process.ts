import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

const MOVED_CLOCK = fileURLToPath(new URL('../../preload/moved-clock.mjs', import.meta.url));
/**
 * A Redis that is emptied while no gateway holds a node grants none for 35 s, whatever the window. Each further loss of
 * its data restarts that time.
 */
const READY_WITHIN_MS = 180_000;
/** A short window shortens the quarantine of an empty Redis. */
const NODE_LEASE_WINDOW_MS = 3000;

export interface GatewayPlace {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** `dist/main.js` of the gateway. Default: that of this checkout. */
  readonly program?: string | undefined;
}

/** A gateway in its own process, on one port across restarts. */
export class GatewayProcess implements AsyncDisposable {
  readonly url: string;
  readonly #port: number;
  readonly #place: GatewayPlace;
  #child: ChildProcess | undefined;
  #printed = '';

  private constructor(port: number, place: GatewayPlace) {
    this.#port = port;
    this.#place = place;
    this.url = `http://127.0.0.1:${port}/graphql`;
  }

  static async start(place: GatewayPlace): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(await freePort(), place);
    await gateway.start();
    return gateway;
  }

  /**
   * Starts it and resolves when it is ready. If it exits, because a store was unreachable at its start, it is started
   * again, as a supervisor would.
   */
  async start(): Promise<void> {
    const isReady = async (): Promise<boolean> => {
      if (!this.#isRunning) this.#spawn();
      return (await fetch(`http://127.0.0.1:${this.#port}/health/ready`)).ok;
    };
    await until(isReady, { timeoutMs: READY_WITHIN_MS, intervalMs: 100, what: 'the gateway is ready' }).catch(
      (cause) => {
        throw new Error(`A gateway did not start:\n${this.#printed}`, { cause });
      },
    );
  }

  signal(name: NodeJS.Signals): void {
    if (this.#isRunning) this.#child?.kill(name);
  }

  /** SIGKILL, or SIGTERM for a graceful stop. Resolves when it has ended. */
  async end(name: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.#isRunning) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(name);
    await ended;
  }

  moveClock(clockOffsetMs: number): void {
    if (this.#isRunning) this.#child?.send({ clockOffsetMs }, () => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }

  get #isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #spawn(): void {
    const program =
      this.#place.program ?? createRequire(import.meta.url).resolve('@solegate/gateway/dist/main.js');
    const child = spawn(process.execPath, ['--import', MOVED_CLOCK, program], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'development',
        AUTH_MODE: 'demo',
        PORT: String(this.#port),
        DATABASE_URL: this.#place.databaseUrl,
        REDIS_URL: this.#place.redisUrl,
        NODE_LEASE_WINDOW_MS: String(NODE_LEASE_WINDOW_MS),
        RATE_LIMIT_PER_SECOND: '0',
        LOG_LEVEL: 'error',
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        this.#printed = (this.#printed + part.toString()).slice(-4000);
      });
    }
    this.#child = child;
  }
}
