import type { NearestOffer } from '@solegate/trip-reservation';
import { type CellList, readCellList } from './cell-list.js';
import {
  ENVIRONMENT_NAMES,
  type Environment,
  environmentSchema,
  faultsBetween,
  type JWT_ALGORITHMS,
  modeOf,
  type RawEnvironment,
} from './environment.js';
import { readSecrets } from './secret-files.js';

/**
 * The configuration of one gateway. The environment is read here and nowhere else, once, at start; every fault is
 * collected, so that one failed start names all that has to be corrected.
 */

export interface JwtConfig {
  readonly mode: 'jwt';
  readonly algorithms: readonly (typeof JWT_ALGORITHMS)[number][];
  readonly issuer: string;
  readonly audience: string;
  /** Exactly one source of keys: a shared secret (HS256), a PEM public key, or a JWKS that may rotate. */
  readonly key:
    | { readonly kind: 'secret'; readonly secret: Uint8Array }
    | { readonly kind: 'publicKey'; readonly pem: string }
    | { readonly kind: 'jwks'; readonly url: string };
}

export interface GatewayConfig {
  readonly production: boolean;
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Where `/metrics` is; absent: on `port`, with everything else. */
  readonly metricsPort: number | undefined;
  readonly workerCount: number;
  /** Absent: an embedded PostgreSQL is started under `dataDirectory`. */
  readonly databaseUrl: string | undefined;
  /** Present: there are several, and `databaseUrl` is that of the first. */
  readonly cells: CellList | undefined;
  /** Of each PostgreSQL. */
  readonly databasePoolMax: number;
  /** Absent: an embedded Redis is started under `dataDirectory`. */
  readonly redisUrl: string | undefined;
  readonly dataDirectory: string;
  readonly nodeLeaseWindowMs: number;
  /** A random node ID instead of a leased one, to start without Redis. Never in production. */
  readonly developmentNode: boolean;
  readonly identity: { readonly mode: 'demo' } | JwtConfig;
  /** Points a subject may spend in a second; 0 switches the limit off. */
  readonly rateLimitPerSecond: number;
  /** When the Redis lock of a document number's counter comes before its row. */
  readonly numberLock: 'crowd' | 'always' | 'never';
  readonly requestTimeoutMs: number;
  /** Half of a request's time, so that a statement can be tried again. */
  readonly statementTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  /** How long readiness is red before the listener closes, so that a balancer has noticed. */
  readonly drainDelayMs: number;
  readonly driverPositionTtlMs: number;
  /** How an offer to the nearest drivers widens. */
  readonly nearest: NearestOffer;
  readonly introspection: boolean;
  /** Origins whose pages may use this gateway, beside those of its own host. */
  readonly allowedOrigins: readonly string[];
  /** File of documents that clients name by ID; absent: none. */
  readonly trustedDocuments: string | undefined;
  /** Whether nothing else is run. */
  readonly trustedDocumentsOnly: boolean;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
}

/** The environment cannot be used; `faults` names each variable with what to do. */
export class ConfigurationError extends Error {
  readonly code = 'CONFIGURATION';
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: readonly string[]) {
    super(
      `The environment has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
}

/**
 * Reads and checks the whole environment, and the files that it names for secrets.
 *
 * @param environment the variables; empty strings count as absent, as `docker compose` passes them
 * @throws {ConfigurationError} naming every fault at once
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const { present, faults } = presentIn(environment);
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`));
  }
  faults.push(...faultsBetween(present));
  if (!parsed.success || faults.length > 0) throw new ConfigurationError(faults);
  return toConfig(parsed.data);
}

/**
 * All that a migration needs: every PostgreSQL.
 *
 * @throws {ConfigurationError}
 */
export function readDatabaseUrls(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const { present, faults } = presentIn(environment);
  const { data, error } = environmentSchema.shape.DATABASE_URL.safeParse(present.DATABASE_URL);
  faults.push(...(error?.issues ?? []).map(({ message }) => `DATABASE_URL: ${message}`));
  if (faults.length === 0 && data === undefined) faults.push('DATABASE_URL: is needed, or DATABASE_URL_FILE');
  if (data === undefined || faults.length > 0) throw new ConfigurationError(faults);
  return cellsOf(data)?.cells.map(({ url }) => url) ?? [data];
}

/** Of a text that was checked; undefined for a single URL. */
function cellsOf(text: string | undefined): CellList | undefined {
  const list = text?.startsWith('{') ? readCellList(text) : undefined;
  return list === undefined || 'faults' in list ? undefined : list;
}

function presentIn(environment: NodeJS.ProcessEnv): { present: RawEnvironment; faults: string[] } {
  const { variables, faults } = readSecrets(environment);
  const present = Object.fromEntries(
    Object.entries(variables).filter(([name]) => ENVIRONMENT_NAMES.includes(name)),
  );
  return { present, faults: [...faults] };
}

function toConfig(environment: Environment): GatewayConfig {
  const production = environment.NODE_ENV === 'production';
  const demo = modeOf(environment) === 'demo';
  const cells = cellsOf(environment.DATABASE_URL);
  return {
    production,
    host: environment.HOST,
    port: environment.PORT,
    metricsPort: environment.METRICS_PORT,
    workerCount: environment.WORKERS,
    databaseUrl: cells?.cells[0].url ?? environment.DATABASE_URL,
    cells,
    databasePoolMax: environment.DATABASE_POOL_MAX,
    redisUrl: environment.REDIS_URL,
    dataDirectory: environment.DATA_DIRECTORY,
    nodeLeaseWindowMs: environment.NODE_LEASE_WINDOW_MS,
    developmentNode: environment.DEVELOPMENT_NODE === 'on',
    identity: demo ? { mode: 'demo' } : jwtConfig(environment),
    rateLimitPerSecond: environment.RATE_LIMIT_PER_SECOND ?? (demo ? 0 : 200),
    numberLock: environment.NUMBER_LOCK,
    requestTimeoutMs: environment.REQUEST_TIMEOUT_MS,
    statementTimeoutMs: Math.ceil(environment.REQUEST_TIMEOUT_MS / 2),
    shutdownTimeoutMs: environment.SHUTDOWN_TIMEOUT_MS,
    drainDelayMs: environment.DRAIN_DELAY_MS,
    driverPositionTtlMs: environment.DRIVER_POSITION_TTL_MS,
    nearest: environment.NEAREST_OFFER,
    introspection: environment.INTROSPECTION === undefined ? !production : environment.INTROSPECTION === 'on',
    allowedOrigins: environment.ALLOWED_ORIGINS ?? [],
    trustedDocuments: environment.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: environment.TRUSTED_DOCUMENTS_ONLY === 'on',
    trustedProxies: environment.TRUSTED_PROXIES ?? [],
    logLevel: environment.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
  };
}

function jwtConfig(environment: Environment): JwtConfig {
  return {
    mode: 'jwt',
    algorithms: environment.JWT_ALGORITHMS ?? [],
    issuer: environment.JWT_ISSUER ?? '',
    audience: environment.JWT_AUDIENCE ?? '',
    key: jwtKey(environment),
  };
}

function jwtKey(environment: Environment): JwtConfig['key'] {
  if (environment.JWT_SECRET !== undefined) {
    return { kind: 'secret', secret: new TextEncoder().encode(environment.JWT_SECRET) };
  }
  if (environment.JWT_PUBLIC_KEY !== undefined) {
    return { kind: 'publicKey', pem: environment.JWT_PUBLIC_KEY.replaceAll('\\n', '\n') };
  }
  return { kind: 'jwks', url: environment.JWT_JWKS_URL ?? '' };
}
