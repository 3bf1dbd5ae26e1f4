import { type GatewayProcess, startGateway } from '@solegate/testkit';

/** Starts a gateway in its own process, as `npm start` runs it, on the stores of the bench. */
export function startGatewayProcess(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Path of a manifest of trusted documents. */
  readonly trustedDocuments?: string;
  /** Settings instead of those of demo mode without a rate limit. */
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<GatewayProcess> {
  return startGateway({
    environment: {
      NODE_ENV: 'development',
      AUTH_MODE: 'demo',
      HOST: '127.0.0.1',
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
  });
}
