import { GatewayProcess as TestGateway } from '@solegate/testkit';

/** A gateway in its own process, as `npm start` runs it, on the stores of the bench. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Ends it immediately, like a crash. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

export async function startGatewayProcess(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly port?: number;
  /** Path of a manifest of trusted documents. */
  readonly trustedDocuments?: string;
  /** Settings instead of those of demo mode without a rate limit. */
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<GatewayProcess> {
  const gateway = new BenchGateway({
    environment: {
      NODE_ENV: 'development',
      AUTH_MODE: 'demo',
      HOST: '127.0.0.1',
      ...(options.port !== undefined && { PORT: String(options.port) }),
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      DATABASE_POOL_MAX: '20',
      // A short window shortens the quarantine of an empty Redis.
      NODE_LEASE_WINDOW_MS: '2000',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_SECOND: '0',
      TRUSTED_DOCUMENTS: options.trustedDocuments ?? '',
      ...options.environment,
    },
    readyWithinMs: READY_WITHIN_MS,
  });
  await gateway.start();
  return gateway;
}

class BenchGateway extends TestGateway implements GatewayProcess {
  async kill(): Promise<void> {
    await this.end();
  }

  /** Ends it in good order, which frees its node for the next one. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
