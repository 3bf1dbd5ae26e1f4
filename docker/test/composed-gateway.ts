import { type GatewayProcess, startGateway } from '@solegate/testkit';
import { composeService, interpolate } from './deployment-files.js';

/** Addresses of the stores, and settings in which a test can differ from the compose file. */
export interface GatewaySettings {
  /** URL with the role of gateways; see `migrateForRuntime`. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly jwtSecret: string;
  readonly leaseWindowMs?: number;
  /** What grants node IDs. Default: redis. */
  readonly nodeStore?: 'redis' | 'postgres';
  /** What replaces any of these. */
  readonly others?: Readonly<Record<string, string>>;
}

/**
 * The environment of a gateway in compose.yaml, with addresses of this machine instead of Docker's: it listens on
 * loopback, its stores are elsewhere, its secrets are not files, and nginx connects from loopback. A lease of 6 s
 * instead of 30 s lets an empty Redis grant node IDs sooner. One client makes all requests, so its rate is not limited.
 */
export function environmentOf(settings: GatewaySettings): Record<string, string> {
  const { environment = {} } = composeService('gateway');
  const given = Object.entries(environment)
    .filter(([name]) => name !== 'PORT' && !name.endsWith('_FILE'))
    .map(([name, value]) => [name, interpolate(value, {})]);
  return {
    ...Object.fromEntries(given),
    HOST: '127.0.0.1',
    DATABASE_URL: settings.databaseUrl,
    JWT_SECRET: settings.jwtSecret,
    DATABASE_POOL_MAX: '5',
    REDIS_URL: settings.redisUrl,
    TRUSTED_PROXIES: 'loopback',
    NODE_LEASE_WINDOW_MS: String(settings.leaseWindowMs ?? 6_000),
    NODE_STORE: settings.nodeStore ?? 'redis',
    RATE_LIMIT_PER_SECOND: '0',
    LOG_LEVEL: 'error',
    ...settings.others,
  };
}

/** Starts a gateway as its image runs it. */
export function startComposedGateway(settings: GatewaySettings): Promise<GatewayProcess> {
  return startGateway({ environment: environmentOf(settings), command: ['serve'] });
}
