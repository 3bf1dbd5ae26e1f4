import { type Logger, pino } from 'pino';
import { type Gateway, startGateway } from '../src/assembly/gateway.js';
import { readConfig } from '../src/config.js';

export interface InProcessOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it creates the tables, as their owner. Default: false. */
  readonly migrates?: boolean;
  readonly demoHistory?: boolean;
  /** Default: silent, unless the environment sets LOG_LEVEL. */
  readonly logger?: Logger;
}

/**
 * Starts a gateway in this process, on a free port: for a worker's host, and for tests that need its internals, such as to
 * count the driver's statements.
 */
export function startInProcess({ environment, logger, ...options }: InProcessOptions): Promise<Gateway> {
  const { databaseUrl, redisUrl } = options;
  const stores = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...stores, ...environment });
  return startGateway({
    migrates: false,
    ...options,
    config,
    logger: logger ?? pino({ level: config.logLevel }),
  });
}
