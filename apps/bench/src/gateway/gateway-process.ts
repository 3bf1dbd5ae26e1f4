import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { freePort } from '@solegate/local-services';
import { serverEnvironment } from '../running/server-environment.js';

/** A gateway in its own process, as `npm start` runs it, on the stores of the bench. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Ends it immediately, like a crash. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The gateway did not start; the message ends with its output. */
class GatewayStartError extends Error {
  readonly code = 'GATEWAY_START';

  constructor(message: string) {
    super(message);
    this.name = 'GatewayStartError';
  }
}

const READY_WITHIN_MS = 30_000;
const require = createRequire(import.meta.url);
const GATEWAY_MAIN = require.resolve('@solegate/gateway/dist/main.js');

export async function startGatewayProcess(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly port?: number;
  /** Path of a manifest of trusted documents. */
  readonly trustedDocuments?: string;
}): Promise<GatewayProcess> {
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, [GATEWAY_MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnvironment({
      NODE_ENV: 'development',
      AUTH_MODE: 'demo',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      DATABASE_POOL_MAX: '20',
      // A short window shortens the quarantine of an empty Redis.
      NODE_LEASE_WINDOW_MS: '2000',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_SECOND: '0',
      TRUSTED_DOCUMENTS: options.trustedDocuments ?? '',
    }),
  });
  const gateway = new SpawnedGateway(child, `http://127.0.0.1:${port}/graphql`);
  await gateway.ready(`http://127.0.0.1:${port}/health/ready`);
  return gateway;
}

class SpawnedGateway implements GatewayProcess {
  #printed = '';

  constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        this.#printed = (this.#printed + part.toString()).slice(-4000);
      });
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async ready(healthUrl: string): Promise<void> {
    const untilMs = performance.now() + READY_WITHIN_MS;
    while (performance.now() < untilMs) {
      if (this.child.exitCode !== null) break;
      const isReady = await fetch(healthUrl).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await this.kill();
    throw new GatewayStartError(`the gateway is not ready after ${READY_WITHIN_MS} ms:\n${this.#printed}`);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(impatience);
  }
}
