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
import { FILE_NAMES, readSecrets } from './secret-files.js';
import { faultsOfUnknown } from './unknown-variables.js';

/**
 * The configuration of one gateway. The environment is read only here, once, at startup. An invalid configuration is
 * reported in full, not one error at a time.
 */

export interface JwtConfig {
  readonly mode: 'jwt';
  readonly algorithms: readonly (typeof JWT_ALGORITHMS)[number][];
  readonly issuer: string;
  readonly audience: string;
  /** Exactly one source of keys: a shared secret (HS256), a PEM public key, or a JWKS whose keys can rotate. */
  readonly key:
    | { readonly kind: 'secret'; readonly secret: Uint8Array; readonly previous?: Uint8Array }
    | { readonly kind: 'publicKey'; readonly pem: string }
    | { readonly kind: 'jwks'; readonly url: string };
}

export type GatewayConfig = Readonly<ReturnType<typeof toConfig>>;

/** The environment is invalid; each of `faults` names a variable and how to correct it. */
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
 * Reads and validates the whole environment, including the secret files that it names.
 *
 * @param environment the variables; empty strings count as absent, because `docker compose` passes them
 * @throws {ConfigurationError} listing every fault
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
 * Returns the URL of every PostgreSQL database, which is all that a migration needs.
 *
 * @throws {ConfigurationError}
 */
export function readDatabaseUrls(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const { present, faults } = presentIn(environment);
  const { data, error } = environmentSchema.shape.DATABASE_URL.safeParse(present.DATABASE_URL);
  faults.push(...(error?.issues ?? []).map(({ message }) => `DATABASE_URL: ${message}`));
  if (faults.length === 0 && data === undefined) faults.push('DATABASE_URL: set it or DATABASE_URL_FILE');
  if (data === undefined || faults.length > 0) throw new ConfigurationError(faults);
  return cellsOf(data)?.cells.map(({ url }) => url) ?? [data];
}

/** Parses a validated DATABASE_URL; undefined for a single URL. */
function cellsOf(text: string | undefined): CellList | undefined {
  const list = text?.startsWith('{') ? readCellList(text) : undefined;
  return list === undefined || 'faults' in list ? undefined : list;
}

function presentIn(environment: NodeJS.ProcessEnv): { present: RawEnvironment; faults: string[] } {
  const { variables, faults } = readSecrets(environment);
  const present = Object.fromEntries(
    Object.entries(variables).filter(([name]) => ENVIRONMENT_NAMES.includes(name)),
  );
  if (present.NODE_ENV === 'staging') present.NODE_ENV = 'production';
  return { present, faults: [...faults, ...faultsOfUnknown(variables, ENVIRONMENT_NAMES, FILE_NAMES)] };
}

const DAY_MS = 86_400_000;

function toConfig(environment: Environment) {
  const production = environment.NODE_ENV === 'production';
  const demo = modeOf(environment) === 'demo';
  const cells = cellsOf(environment.DATABASE_URL);
  return {
    production,
    host: environment.HOST,
    /** 0 lets the operating system choose a free port. */
    port: environment.PORT,
    /** Separate port for `/metrics`; if absent, `/metrics` is served on `port`. */
    metricsPort: environment.METRICS_PORT,
    workerCount: environment.WORKERS,
    /** If absent, an embedded PostgreSQL is started in `dataDirectory`. */
    databaseUrl: cells?.cells[0].url ?? environment.DATABASE_URL,
    /** Set when there are several databases; `databaseUrl` is then that of the first cell. */
    cells,
    /** Per PostgreSQL database. */
    databasePoolMax: environment.DATABASE_POOL_MAX,
    /** If absent, an embedded Redis is started in `dataDirectory`. */
    redisUrl: environment.REDIS_URL,
    dataDirectory: environment.DATA_DIRECTORY,
    /** What grants node IDs: the same for every gateway of a database. */
    nodeStore: environment.NODE_STORE,
    nodeLeaseWindowMs: environment.NODE_LEASE_WINDOW_MS,
    /** Uses a random node ID instead of a leased one, to start without Redis. Never in production. */
    developmentNode: environment.DEVELOPMENT_NODE === 'on',
    identity: demo ? ({ mode: 'demo' } as const) : jwtConfig(environment),
    /** Points a subject may spend per second; 0 disables the limit. */
    rateLimitPerSecond: environment.RATE_LIMIT_PER_SECOND ?? (demo ? 0 : 200),
    /** When to acquire a counter's Redis lock before locking its row. */
    numberLock: environment.NUMBER_LOCK,
    /** Names of further tokens that formats can print. */
    numberTokens: environment.NUMBER_TOKENS ?? [],
    requestTimeoutMs: environment.REQUEST_TIMEOUT_MS,
    /** Half of the request timeout, which leaves time for one retry of a statement. */
    statementTimeoutMs: Math.ceil(environment.REQUEST_TIMEOUT_MS / 2),
    shutdownTimeoutMs: environment.SHUTDOWN_TIMEOUT_MS,
    /** How long readiness fails before the listener closes, so that load balancers notice. */
    drainDelayMs: environment.DRAIN_DELAY_MS,
    driverPositionTtlMs: environment.DRIVER_POSITION_TTL_MS,
    /** How long trips are kept after their end; undefined: for ever. */
    tripsKeptMs: environment.TRIPS_KEPT_DAYS && environment.TRIPS_KEPT_DAYS * DAY_MS,
    /** How an offer to the nearest drivers widens. */
    nearest: environment.NEAREST_OFFER,
    introspection: environment.INTROSPECTION === undefined ? !production : environment.INTROSPECTION === 'on',
    /** Origins allowed to call this gateway, in addition to its own host. */
    allowedOrigins: environment.ALLOWED_ORIGINS ?? [],
    /** File of trusted documents, which clients send by ID; if absent, there are none. */
    trustedDocuments: environment.TRUSTED_DOCUMENTS,
    /** Whether to reject every document that is not trusted. */
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
  const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous } = environment;
  const encoder = new TextEncoder();
  if (secret !== undefined) {
    return {
      kind: 'secret',
      secret: encoder.encode(secret),
      ...(previous !== undefined && { previous: encoder.encode(previous) }),
    };
  }
  if (environment.JWT_PUBLIC_KEY !== undefined) {
    return { kind: 'publicKey', pem: environment.JWT_PUBLIC_KEY };
  }
  return { kind: 'jwks', url: environment.JWT_JWKS_URL ?? '' };
}
