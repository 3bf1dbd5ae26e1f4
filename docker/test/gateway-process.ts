import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

import { composeService, interpolate } from './deployment-files.js';

const program = fileURLToPath(new URL('../../apps/gateway/dist/main.js', import.meta.url));
const startTimeoutMs = 60_000;

/** Addresses of the stores, and settings in which a test can differ from the compose file. */
export interface GatewaySettings {
  /** URL with the role of gateways; see `migrateForRuntime`. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly jwtSecret: string;
  readonly leaseWindowMs?: number;
}

/**
 * The environment of a gateway in compose.yaml, with addresses of this machine instead of Docker's: it listens on
 * loopback, its stores are elsewhere, its secrets are not files, and nginx connects from loopback. A lease of 6 s
 * instead of 30 s lets an empty Redis grant node IDs sooner. One client makes all requests, so its rate is not limited.
 */
function environmentOf(port: number, settings: GatewaySettings): NodeJS.ProcessEnv {
  const { environment = {} } = composeService('gateway');
  const given = Object.entries(environment)
    .filter(([name]) => !name.endsWith('_FILE'))
    .map(([name, value]) => [name, interpolate(value, {})]);
  return {
    PATH: process.env.PATH,
    ...Object.fromEntries(given),
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: settings.databaseUrl,
    JWT_SECRET: settings.jwtSecret,
    DATABASE_POOL_MAX: '5',
    REDIS_URL: settings.redisUrl,
    TRUSTED_PROXIES: 'loopback',
    NODE_LEASE_WINDOW_MS: String(settings.leaseWindowMs ?? 6_000),
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'error',
  };
}

/** A gateway as its image runs it, on one port across restarts. It ends with this process. */
export class GatewayProcess implements AsyncDisposable {
  readonly port: number;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(port: number, settings: GatewaySettings) {
    this.port = port;
    this.#environment = environmentOf(port, settings);
  }

  static async start(settings: GatewaySettings): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(await freePort(), settings);
    await gateway.start();
    return gateway;
  }

  /**
   * Resolves when the gateway is ready. If it exits, because a store is unreachable when it starts, it is started
   * again, like the restart policy of the compose file does.
   */
  async start(): Promise<void> {
    const isReady = async () => {
      if (!this.#isRunning) this.#spawn();
      return (await fetch(`http://127.0.0.1:${this.port}/health/ready`)).ok;
    };
    try {
      await until(isReady, { timeoutMs: startTimeoutMs, intervalMs: 100 });
    } catch (cause) {
      throw new Error(`The gateway did not start: ${this.#output}`, { cause });
    }
  }

  /** SIGTERM; resolves with the exit code when it has drained and ended. */
  async drain(): Promise<number | null> {
    return await this.#end('SIGTERM');
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
  }

  get #isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #spawn(): void {
    const child = spawn(process.execPath, [program, 'serve'], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        this.#output = `${this.#output}${text}`.slice(-20_000);
      });
    }
    this.#child = child;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.#isRunning) return null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }
}
