import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readCellList } from './cell-list.js';
import { keyProblem, readPublicKey } from './public-key.js';

/** The schema of the environment and the combinations that it rejects. `.env.example` lists the names. */

const count = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
const urlOf = (...schemes: string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });
const list = z
  .string()
  .transform((text) => text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()])));

/** The URL of one PostgreSQL database, or a list of several. */
const databaseUrl = z.string().superRefine((text, context) => {
  const list = text.startsWith('{') ? readCellList(text) : undefined;
  const url = list === undefined ? urlOf('postgres', 'postgresql').safeParse(text).error?.issues : [];
  const faults =
    list !== undefined && 'faults' in list ? list.faults : (url ?? []).map((issue) => issue.message);
  for (const message of faults) context.addIssue({ code: 'custom', message });
});

/** Drivers per step, milliseconds between steps, and the radius of each step in meters. */
const nearestOffer = z
  .string()
  .regex(/^\d+:\d+:\d+(,\d+)*$/, { error: 'must look like 5:5000:1000,3000,8000' })
  .transform((text) => {
    const [batchSize, everyMs, radii = ''] = text.split(':');
    return {
      batchSize: Number(batchSize),
      everyMs: Number(everyMs),
      radiiMeters: radii.split(',').map(Number),
    };
  })
  .pipe(
    z.object({
      batchSize: z.int().min(1).max(100),
      everyMs: z.int().min(1).max(3_600_000),
      radiiMeters: z.array(z.int().min(1).max(1_000_000)).max(20),
    }),
  );

const originSchema = z
  .string()
  .refine((text) => URL.canParse(text) && new URL(text).origin === text && text !== 'null', {
    error: 'must be an origin such as https://app.example.com, without a path',
  });

const proxySchema = z.union(
  [
    z.enum(['loopback', 'linklocal', 'uniquelocal']),
    z.ipv4(),
    z.ipv6(),
    z.cidrv4().refine((network) => !network.endsWith('/0')),
    z.cidrv6().refine((network) => !network.endsWith('/0')),
  ],
  {
    error:
      'must be addresses such as 10.0.0.1, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal',
  },
);

const tokenName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, { error: 'must be names such as LOT,PHASE' });

export const JWT_ALGORITHMS = ['HS256', 'RS256', 'EdDSA'] as const;
/** Distinct characters; a secret of 32 random hexadecimal digits has about 14. */
const SECRET_CHARACTERS_MIN = 8;
const jwtSecret = z
  .string()
  .refine((text) => text.trim().length >= 32 && new Set(text).size >= SECRET_CHARACTERS_MIN, {
    error: `must have 32 characters or more, at least ${SECRET_CHARACTERS_MIN} of them different`,
  });
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const defaultDataDirectory = fileURLToPath(new URL('../../../.data', import.meta.url));

export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'staging', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: count(0, 65_535).default(4000),
  METRICS_PORT: count(1, 65_535).optional(),
  WORKERS: count(1, 64).default(1),
  DATABASE_URL: databaseUrl.optional(),
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
  NODE_STORE: z.enum(['redis', 'postgres']).default('redis'),
  NODE_LEASE_WINDOW_MS: count(1_000, 3_600_000).default(30_000),
  DEVELOPMENT_NODE: z.enum(['on', 'off']).default('off'),
  AUTH_MODE: z.enum(['demo', 'jwt']).optional(),
  JWT_ALGORITHMS: list.pipe(z.array(z.enum(JWT_ALGORITHMS)).min(1)).optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_SECRET: jwtSecret.optional(),
  JWT_SECRET_PREVIOUS: jwtSecret.optional(),
  JWT_PUBLIC_KEY: z
    .string()
    .includes('BEGIN PUBLIC KEY', { error: 'must be a PEM public key (SPKI)' })
    .optional(),
  JWT_JWKS_URL: urlOf('https', 'http').optional(),
  DRIVER_POSITION_TTL_MS: count(1_000, 3_600_000).default(30_000),
  TRIPS_KEPT_DAYS: count(1, 36_500).optional(),
  NEAREST_OFFER: nearestOffer.prefault('5:5000:1000,3000,8000'),
  RATE_LIMIT_PER_SECOND: count(0, 1_000_000).optional(),
  NUMBER_LOCK: z.enum(['crowd', 'always', 'never']).default('crowd'),
  NUMBER_TOKENS: list.pipe(z.array(tokenName)).optional(),
  REQUEST_TIMEOUT_MS: count(100, 600_000).default(10_000),
  SHUTDOWN_TIMEOUT_MS: count(1_000, 600_000).default(15_000),
  DRAIN_DELAY_MS: count(0, 60_000).default(0),
  ALLOWED_ORIGINS: list.pipe(z.array(originSchema)).optional(),
  TRUSTED_DOCUMENTS: z.string().optional(),
  TRUSTED_DOCUMENTS_ONLY: z.enum(['on', 'off']).optional(),
  INTROSPECTION: z.enum(['on', 'off']).optional(),
  TRUSTED_PROXIES: list.pipe(z.array(proxySchema)).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).optional(),
});

const timesSchema = environmentSchema.pick({
  DRAIN_DELAY_MS: true,
  REQUEST_TIMEOUT_MS: true,
  SHUTDOWN_TIMEOUT_MS: true,
});

export type Environment = z.infer<typeof environmentSchema>;
export type RawEnvironment = Partial<Record<keyof Environment, string>>;

/** Every variable that the gateway reads; `.env.example` lists the same ones. */
export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(environmentSchema.shape);

/** If AUTH_MODE is not set, a gateway is in demo mode on a developer's machine and never in production. */
export function modeOf(environment: RawEnvironment | Environment): string {
  const isMeantForTokens = environment.NODE_ENV === 'production' || environment.JWT_ISSUER !== undefined;
  return environment.AUTH_MODE ?? (isMeantForTokens ? 'jwt' : 'demo');
}

function faultsOfDemo(environment: RawEnvironment): string[] {
  const faults: string[] = [];
  if (environment.NODE_ENV === 'production') {
    faults.push('AUTH_MODE: demo lets anyone act as anyone and is refused in production; set AUTH_MODE=jwt');
  }
  if (environment.HOST !== undefined && !LOOPBACK.has(environment.HOST)) {
    faults.push('HOST: demo mode listens on loopback only; use 127.0.0.1, or set AUTH_MODE=jwt');
  }
  return faults;
}

/** In production, an empty embedded store would issue numbers from 1 again. */
function faultsOfStores(environment: RawEnvironment): string[] {
  if (environment.NODE_ENV !== 'production') return [];
  return (['DATABASE_URL', 'REDIS_URL'] as const)
    .filter((name) => environment[name] === undefined)
    .map((name) => `${name}: is required in production; embedded stores are for development only`);
}

function faultsOfNode(environment: RawEnvironment): string[] {
  if (environment.DEVELOPMENT_NODE !== 'on') return [];
  if (environment.DATABASE_URL?.startsWith('{')) {
    return ['DEVELOPMENT_NODE: the node of an ID identifies its cell; lease nodes (NODE_STORE)'];
  }
  if (environment.NODE_STORE === 'postgres') {
    return [
      'DEVELOPMENT_NODE: is for starting without a store of node IDs; omit it with NODE_STORE=postgres',
    ];
  }
  if (environment.NODE_ENV !== 'production') return [];
  return ['DEVELOPMENT_NODE: random node IDs collide and are refused in production; lease them (NODE_STORE)'];
}

function faultsOfJwt(environment: RawEnvironment): string[] {
  const faults: string[] = [];
  for (const name of ['JWT_ALGORITHMS', 'JWT_ISSUER', 'JWT_AUDIENCE'] as const) {
    if (environment[name] === undefined) faults.push(`${name}: is required when AUTH_MODE is jwt`);
  }
  const sources = (['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URL'] as const).filter(
    (name) => environment[name] !== undefined,
  );
  if (sources.length !== 1) {
    faults.push('JWT_SECRET: set exactly one of JWT_SECRET, JWT_PUBLIC_KEY, JWT_JWKS_URL');
  }
  if (environment.JWT_SECRET_PREVIOUS !== undefined && environment.JWT_SECRET === undefined) {
    faults.push('JWT_SECRET_PREVIOUS: is read only beside JWT_SECRET');
  }
  const algorithms = environment.JWT_ALGORITHMS;
  const isSecretAlone = algorithms === 'HS256';
  if (algorithms !== undefined && sources.length === 1 && isSecretAlone !== (sources[0] === 'JWT_SECRET')) {
    faults.push('JWT_ALGORITHMS: JWT_SECRET requires HS256 alone; RS256 and EdDSA require a public key');
  }
  if (algorithms?.includes('HS256') && !isSecretAlone) {
    faults.push('JWT_ALGORITHMS: HS256 with a public-key algorithm would let the public key sign tokens');
  }
  return [...faults, ...faultsOfKey(environment)];
}

function faultsOfKey({ JWT_PUBLIC_KEY: pem, JWT_ALGORITHMS: algorithms }: RawEnvironment): string[] {
  if (pem === undefined) return [];
  try {
    const key = readPublicKey(pem);
    return list.parse(algorithms ?? '').flatMap((algorithm) => {
      const problem = keyProblem(key, algorithm);
      return problem === undefined ? [] : [`JWT_PUBLIC_KEY: ${problem}; change it or JWT_ALGORITHMS`];
    });
  } catch {
    return ['JWT_PUBLIC_KEY: cannot be read; set the whole PEM text, from its BEGIN line to its END line'];
  }
}

/** A shutdown that is cut short keeps its node ID from others for a while. */
function faultsOfTimes(environment: RawEnvironment): string[] {
  const { data } = timesSchema.safeParse(environment);
  if (data === undefined) return [];
  const neededMs = data.DRAIN_DELAY_MS + data.REQUEST_TIMEOUT_MS;
  if (data.SHUTDOWN_TIMEOUT_MS >= neededMs) return [];
  return [
    `SHUTDOWN_TIMEOUT_MS: must be at least DRAIN_DELAY_MS + REQUEST_TIMEOUT_MS, ${neededMs}, to answer every accepted request`,
  ];
}

function faultsOfPorts({ PORT = '4000', METRICS_PORT }: RawEnvironment): string[] {
  return METRICS_PORT === PORT ? ['METRICS_PORT: must differ from PORT; omit it to share that port'] : [];
}

/** Returns the faults that involve more than one variable. */
export function faultsBetween(environment: RawEnvironment): string[] {
  return [
    ...faultsOfPorts(environment),
    ...faultsOfTimes(environment),
    ...faultsOfStores(environment),
    ...faultsOfNode(environment),
    ...(modeOf(environment) === 'demo' ? faultsOfDemo(environment) : faultsOfJwt(environment)),
  ];
}
