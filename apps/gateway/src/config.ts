import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * The configuration of one gateway. The environment is read here and nowhere else, once, at start; every fault is
 * collected, so that one failed start names all that has to be corrected. `.env.example` lists the names.
 */

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const urlOf = (...schemes: string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });
const list = z
  .string()
  .transform((text) => text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()])));

const JWT_ALGORITHMS = ['HS256', 'RS256', 'EdDSA'] as const;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const defaultDataDirectory = fileURLToPath(new URL('../../../.data', import.meta.url));

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: count(0, 65_535).default(4000),
  WORKERS: count(1, 64).default(1),
  DATABASE_URL: urlOf('postgres', 'postgresql').optional(),
  DATABASE_POOL_MAX: count(2, 500).default(10),
  REDIS_URL: urlOf(
    'redis',
    'rediss',
    'redis+sentinel',
    'redis+cluster',
    'rediss+sentinel',
    'rediss+cluster',
  ).optional(),
  DATA_DIRECTORY: z.string().default(defaultDataDirectory),
  NODE_LEASE_WINDOW_MS: count(1_000, 3_600_000).default(30_000),
  DEVELOPMENT_NODE: z.enum(['on', 'off']).default('off'),
  AUTH_MODE: z.enum(['demo', 'jwt']).optional(),
  JWT_ALGORITHMS: list.pipe(z.array(z.enum(JWT_ALGORITHMS)).min(1)).optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_SECRET: z.string().min(32, { error: 'must have 32 characters or more' }).optional(),
  JWT_PUBLIC_KEY: z
    .string()
    .includes('BEGIN PUBLIC KEY', { error: 'must be a PEM public key (SPKI)' })
    .optional(),
  JWT_JWKS_URL: urlOf('https', 'http').optional(),
  RATE_LIMIT_PER_SECOND: count(0, 1_000_000).optional(),
  REQUEST_TIMEOUT_MS: count(100, 600_000).default(10_000),
  STATEMENT_TIMEOUT_MS: count(100, 600_000).default(5_000),
  SHUTDOWN_TIMEOUT_MS: count(1_000, 600_000).default(15_000),
  DRAIN_DELAY_MS: count(0, 60_000).default(0),
  INTROSPECTION: z.enum(['on', 'off']).optional(),
  TRUSTED_PROXIES: list.pipe(z.array(z.string())).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).optional(),
});

type Environment = z.infer<typeof environmentSchema>;
type RawEnvironment = Partial<Record<keyof Environment, string>>;

/** Every name that the gateway reads from the environment; `.env.example` holds the same. */
export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(environmentSchema.shape);

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
  readonly workerCount: number;
  /** Absent: an embedded PostgreSQL is started under `dataDirectory`. */
  readonly databaseUrl: string | undefined;
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
  readonly requestTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  /** How long readiness is red before the listener closes, so that a balancer has noticed. */
  readonly drainDelayMs: number;
  readonly introspection: boolean;
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
 * Reads and checks the whole environment.
 *
 * @param environment the variables; empty strings count as absent, as `docker compose` passes them
 * @throws {ConfigurationError} naming every fault at once
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const present: RawEnvironment = Object.fromEntries(
    ENVIRONMENT_NAMES.flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = environmentSchema.safeParse(present);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`);
  if (present.DEVELOPMENT_NODE === 'on' && present.NODE_ENV === 'production') {
    faults.push(
      'DEVELOPMENT_NODE: random node IDs collide and are refused in production; lease them from Redis',
    );
  }
  faults.push(...(modeOf(present) === 'demo' ? faultsOfDemo(present) : faultsOfJwt(present)));
  if (!parsed.success || faults.length > 0) throw new ConfigurationError(faults);
  return toConfig(parsed.data);
}

/** Without a word about it, a gateway is in demo mode on a developer's machine and never in production. */
function modeOf(environment: RawEnvironment | Environment): string {
  const isMeantForTokens = environment.NODE_ENV === 'production' || environment.JWT_ISSUER !== undefined;
  return environment.AUTH_MODE ?? (isMeantForTokens ? 'jwt' : 'demo');
}

function faultsOfDemo(environment: RawEnvironment): string[] {
  const faults: string[] = [];
  if (environment.NODE_ENV === 'production') {
    faults.push('AUTH_MODE: demo lets anybody be anyone and is refused in production; set AUTH_MODE=jwt');
  }
  if (environment.HOST !== undefined && !LOOPBACK.has(environment.HOST)) {
    faults.push('HOST: demo mode listens on loopback only; use 127.0.0.1, or set AUTH_MODE=jwt');
  }
  return faults;
}

function faultsOfJwt(environment: RawEnvironment): string[] {
  const faults: string[] = [];
  for (const name of ['JWT_ALGORITHMS', 'JWT_ISSUER', 'JWT_AUDIENCE'] as const) {
    if (environment[name] === undefined) faults.push(`${name}: is needed when AUTH_MODE is jwt`);
  }
  const sources = (['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URL'] as const).filter(
    (name) => environment[name] !== undefined,
  );
  if (sources.length !== 1) {
    faults.push('JWT_SECRET: set exactly one of JWT_SECRET, JWT_PUBLIC_KEY, JWT_JWKS_URL');
  }
  const algorithms = environment.JWT_ALGORITHMS;
  const isSecretAlone = algorithms === 'HS256';
  if (algorithms !== undefined && sources.length === 1 && isSecretAlone !== (sources[0] === 'JWT_SECRET')) {
    faults.push('JWT_ALGORITHMS: HS256 alone goes with JWT_SECRET; RS256 and EdDSA go with public keys');
  }
  if (algorithms?.includes('HS256') && !isSecretAlone) {
    faults.push('JWT_ALGORITHMS: HS256 beside a public-key algorithm would let the public key sign tokens');
  }
  return faults;
}

function toConfig(environment: Environment): GatewayConfig {
  const production = environment.NODE_ENV === 'production';
  const demo = modeOf(environment) === 'demo';
  return {
    production,
    host: environment.HOST,
    port: environment.PORT,
    workerCount: environment.WORKERS,
    databaseUrl: environment.DATABASE_URL,
    databasePoolMax: environment.DATABASE_POOL_MAX,
    redisUrl: environment.REDIS_URL,
    dataDirectory: environment.DATA_DIRECTORY,
    nodeLeaseWindowMs: environment.NODE_LEASE_WINDOW_MS,
    developmentNode: environment.DEVELOPMENT_NODE === 'on',
    identity: demo ? { mode: 'demo' } : jwtConfig(environment),
    rateLimitPerSecond: environment.RATE_LIMIT_PER_SECOND ?? (demo ? 0 : 200),
    requestTimeoutMs: environment.REQUEST_TIMEOUT_MS,
    statementTimeoutMs: environment.STATEMENT_TIMEOUT_MS,
    shutdownTimeoutMs: environment.SHUTDOWN_TIMEOUT_MS,
    drainDelayMs: environment.DRAIN_DELAY_MS,
    introspection: environment.INTROSPECTION === undefined ? !production : environment.INTROSPECTION === 'on',
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
