import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { ConfigurationError, readConfig } from '../src/config.js';
import { ENVIRONMENT_NAMES, environmentSchema } from '../src/environment.js';
import { JWT_ENVIRONMENT } from './tokens.js';

const STORES = { DATABASE_URL: 'postgres://db.test/solegate', REDIS_URL: 'redis://redis.test' };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).faults;
  }
}

test('by default a gateway is in demo mode on loopback, with embedded stores', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    host: '127.0.0.1',
    port: 4000,
    workerCount: 1,
    databaseUrl: undefined,
    redisUrl: undefined,
    identity: { mode: 'demo' },
    rateLimitPerSecond: 0,
    introspection: true,
  });
});

test('an empty value counts as absent', () => {
  expect(readConfig({ DATABASE_URL: '', PORT: '' })).toMatchObject({ databaseUrl: undefined, port: 4000 });
});

test('every fault is reported at once, whatever kind it is', () => {
  const faults = faultsOf({
    PORT: '70000',
    WORKERS: '0',
    HOST: '0.0.0.0',
    DATABASE_URL: 'mysql://x',
    LOG_LEVEL: 'loud',
  });
  for (const name of ['PORT', 'WORKERS', 'HOST', 'DATABASE_URL', 'LOG_LEVEL']) {
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${name}: `)));
  }
});

test('a development node needs an explicit setting, and is refused in production', () => {
  expect(readConfig({})).toMatchObject({ developmentNode: false });
  expect(readConfig({ DEVELOPMENT_NODE: 'on' })).toMatchObject({ developmentNode: true });
  expect(faultsOf({ DEVELOPMENT_NODE: 'on', NODE_ENV: 'production' })).toContainEqual(
    expect.stringMatching(/^DEVELOPMENT_NODE: .* refused in production/),
  );
});

test('staging has the rules of production', () => {
  expect(readConfig({ ...JWT_ENVIRONMENT, ...STORES, NODE_ENV: 'staging' })).toMatchObject({
    production: true,
    introspection: false,
  });
  expect(faultsOf({ NODE_ENV: 'staging' })).toEqual(faultsOf({ NODE_ENV: 'production' }));
});

test('NUMBER_TOKENS lists names', () => {
  expect(readConfig({ NUMBER_TOKENS: 'LOT, PHASE' }).numberTokens).toEqual(['LOT', 'PHASE']);
  expect(faultsOf({ NUMBER_TOKENS: 'lot' })).toEqual([expect.stringMatching(/^NUMBER_TOKENS: /)]);
});

test('production requires external stores: embedded ones would restart at number 1', () => {
  expect(faultsOf(JWT_ENVIRONMENT)).toEqual([
    expect.stringMatching(/^DATABASE_URL: .*production/),
    expect.stringMatching(/^REDIS_URL: .*production/),
  ]);
  expect(faultsOf({ ...JWT_ENVIRONMENT, ...STORES, REDIS_URL: '' })).toHaveLength(1);
});

test('a separate port for metrics must differ from the main port', () => {
  expect(readConfig({}).metricsPort).toBeUndefined();
  expect(readConfig({ PORT: '4001', METRICS_PORT: '4000' })).toMatchObject({ port: 4001, metricsPort: 4000 });
  for (const environment of [{ METRICS_PORT: '4000' }, { PORT: '9464', METRICS_PORT: '9464' }]) {
    expect(faultsOf(environment)).toEqual([expect.stringMatching(/^METRICS_PORT: .*PORT/)]);
  }
  expect(faultsOf({ METRICS_PORT: '0' })).toEqual(['METRICS_PORT: must be a whole number from 1 to 65535']);
});

test('a shutdown may take as long as its delay and a request together', () => {
  const times = { DRAIN_DELAY_MS: '8000', REQUEST_TIMEOUT_MS: '20000' };
  expect(readConfig({ ...times, SHUTDOWN_TIMEOUT_MS: '28000' }).shutdownTimeoutMs).toBe(28_000);
  for (const environment of [{ ...times, SHUTDOWN_TIMEOUT_MS: '27999' }, times, { DRAIN_DELAY_MS: '5001' }]) {
    expect(faultsOf(environment)).toEqual([expect.stringMatching(/^SHUTDOWN_TIMEOUT_MS: .*DRAIN_DELAY_MS/)]);
  }
  expect(faultsOf({ ...times, SHUTDOWN_TIMEOUT_MS: 'long' })).toHaveLength(1);
});

test('the fault of an invalid number names its range', () => {
  expect(faultsOf({ PORT: 'many' })).toEqual(['PORT: must be a whole number from 0 to 65535']);
});

describe('a variable that is no setting', () => {
  test.each([
    ['JWT_ALGORITHM', 'JWT_ALGORITHMS'],
    ['JWT_KEY', 'JWT_ISSUER'],
    ['JWT_JWKS_URL_FILE', 'JWT_JWKS_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['Redis_Url', 'REDIS_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['WORKER', 'WORKERS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['RATE_LIMIT', 'RATE_LIMIT_PER_SECOND'],
    ['RATE_LIMIT_PER_MINUTE', 'RATE_LIMIT_PER_SECOND'],
    ['DATABASE_POOL_SIZE', 'DATABASE_POOL_MAX'],
    ['REQUEST_TIMEOUT', 'REQUEST_TIMEOUT_MS'],
    ['DRAIN_DELAY', 'DRAIN_DELAY_MS'],
  ])('%s is refused, with the nearest name', (name, nearest) => {
    expect(faultsOf({ [name]: 'x' })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .* ${nearest}$`)),
    ]);
    expect(faultsOf({ [name]: '' })).toEqual([]);
  });

  test('is ignored if it belongs to a shell, an image, a hosting platform or Kubernetes', () => {
    const service = (name: string) => ({
      [`${name}_SERVICE_HOST`]: '10.0.0.7',
      [`${name}_SERVICE_PORT`]: '80',
      [`${name}_SERVICE_PORT_HTTP`]: '80',
      [`${name}_PORT`]: 'tcp://10.0.0.7:80',
      [`${name}_PORT_80_TCP`]: 'tcp://10.0.0.7:80',
      [`${name}_PORT_80_TCP_PROTO`]: 'tcp',
      [`${name}_PORT_80_TCP_PORT`]: '80',
      [`${name}_PORT_80_TCP_ADDR`]: '10.0.0.7',
    });
    const others =
      'HOME PATH PWD HOSTNAME HOSTTYPE LOGNAME TERM POST INIT_CWD MODE NODE_OPTIONS NODE_VERSION NODE_PATH NODE_NAME ' +
      'NODE_EXTRA_CA_CERTS YARN_VERSION npm_config_loglevel npm_lifecycle_event OTEL_SERVICE_NAME PGHOST REDIS_HOST ' +
      'REDIS_TLS_URL DATABASE_URL_UNPOOLED DATABASE_HOST DATABASE_USER TRUSTED_HOSTS';
    const services = ['REDIS', 'DATABASE', 'RATE_LIMIT', 'JWT_ISSUER', 'SOLEGATE', 'WORKERS'].map(service);
    expect(
      faultsOf(Object.assign(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])), ...services)),
    ).toEqual([]);
  });
});

test('TRUSTED_PROXIES must be addresses, networks or names of networks', () => {
  const given = '10.0.0.1, 10.0.0.0/8,::1,fd00::/8,loopback,uniquelocal,linklocal';
  expect(readConfig({ TRUSTED_PROXIES: given }).trustedProxies).toEqual(given.split(/, ?/));
  for (const wrong of ['not-an-ip', '10.0.0', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.1:80', 'loopback,*']) {
    expect(faultsOf({ TRUSTED_PROXIES: wrong })).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES: must be/),
    ]);
  }
});

test('ALLOWED_ORIGINS must be origins', () => {
  expect(readConfig({ ALLOWED_ORIGINS: 'https://a.test, http://b.test:8080' }).allowedOrigins).toEqual([
    'https://a.test',
    'http://b.test:8080',
  ]);
  for (const origin of ['https://a.test/', 'a.test', '*', 'null', 'https://a.test/page']) {
    expect(faultsOf({ ALLOWED_ORIGINS: origin })).toEqual([expect.stringMatching(/^ALLOWED_ORIGINS: /)]);
  }
});

describe('demo mode', () => {
  test('is refused in production', () => {
    expect(faultsOf({ ...STORES, NODE_ENV: 'production', AUTH_MODE: 'demo' })).toEqual([
      expect.stringContaining('AUTH_MODE=jwt'),
    ]);
  });

  test('is never the default in production', () => {
    const names = faultsOf({ NODE_ENV: 'production' }).map((fault) => fault.split(':', 1)[0]);
    expect(names).toEqual(
      expect.arrayContaining(['JWT_ALGORITHMS', 'JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_SECRET']),
    );
  });

  test('is refused on an address other than loopback', () => {
    expect(faultsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('loopback')]);
  });
});

describe('tokens', () => {
  test('are configured with a secret', () => {
    expect(readConfig({ ...JWT_ENVIRONMENT, ...STORES })).toMatchObject({
      production: true,
      introspection: false,
      rateLimitPerSecond: 200,
      identity: { mode: 'jwt', algorithms: ['HS256'], key: { kind: 'secret' } },
    });
  });

  test.each([
    ['two sources of keys', { JWT_JWKS_URL: 'https://issuer.test/keys' }, /exactly one/],
    ['a public-key algorithm with a secret', { JWT_ALGORITHMS: 'RS256' }, /JWT_SECRET requires HS256 alone/],
    ['both kinds of algorithm', { JWT_ALGORITHMS: 'HS256,RS256' }, /would let the public key sign/],
    ['an unsupported algorithm', { JWT_ALGORITHMS: 'none' }, /JWT_ALGORITHMS/],
    ['a short secret', { JWT_SECRET: 'short' }, /32 characters/],
    ['a secret of only spaces', { JWT_SECRET: ' '.repeat(32) }, /different/],
    ['a secret of one repeated letter', { JWT_SECRET: 'x'.repeat(64) }, /different/],
  ])('%s is a fault', (_what, changes, says) => {
    expect(faultsOf({ ...JWT_ENVIRONMENT, ...changes }).join('\n')).toMatch(says);
  });

  const rsa = (modulusLength: number): string =>
    generateKeyPairSync('rsa', { modulusLength })
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString();
  const ed25519 = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const withKey = (pem: string, algorithms: string) =>
    faultsOf({
      ...JWT_ENVIRONMENT,
      ...STORES,
      JWT_SECRET: '',
      JWT_PUBLIC_KEY: pem,
      JWT_ALGORITHMS: algorithms,
    });

  test('a public key of the right kind and length is accepted, also with escaped line breaks', () => {
    expect(withKey(rsa(2_048), 'RS256')).toEqual([]);
    expect(withKey(ed25519, 'EdDSA')).toEqual([]);
    expect(withKey(ed25519.replaceAll('\n', '\\n'), 'EdDSA')).toEqual([]);
  });

  test.each([
    ['of the wrong kind', rsa(2_048), 'EdDSA', /EdDSA needs a key of type ed25519, but this one is rsa/],
    ['of the right kind for one algorithm of two', ed25519, 'EdDSA,RS256', /RS256 needs a key of type rsa/],
    ['of 1,024 bits', rsa(1_024), 'RS256', /at least 2048 bits, but this one has 1024/],
    ['that is cut off', rsa(2_048).slice(0, 200), 'RS256', /set the whole PEM text/],
  ])('a public key %s is a fault', (_what, pem, algorithms, says) => {
    expect(withKey(pem, algorithms)).toEqual([expect.stringMatching(/^JWT_PUBLIC_KEY: /)]);
    expect(withKey(pem, algorithms).join()).toMatch(says);
  });
});

describe('.env.example', () => {
  const read = () => readFile(new URL('../.env.example', import.meta.url), 'utf8');

  test('lists exactly the variables that are read, 35 at most', async () => {
    const listed = [...(await read()).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(listed).toHaveLength(new Set(listed).size);
    expect(new Set(listed)).toEqual(new Set(ENVIRONMENT_NAMES));
    expect(listed.length).toBeLessThanOrEqual(35);
  });

  test('states the unit and the actual default of each', async () => {
    const defaults: Readonly<Record<string, unknown>> = environmentSchema.parse({});
    const entries = [...(await read()).matchAll(/((?:^#.*\n)+)^([A-Z_]+)=(.*)$/gm)];
    expect(entries.map(([, , name]) => name)).toHaveLength(ENVIRONMENT_NAMES.length);
    for (const [, comment = '', name = '', value] of entries) {
      const [, said] = /Default: (.+?)[.;,]?(?:\n|;|, | in | else )/.exec(comment) ?? [];
      expect([name, said]).toEqual([name, expect.any(String)]);
      if (value !== '') {
        const held: Readonly<Record<string, unknown>> = environmentSchema.parse({ [name]: value });
        expect([name, said, held[name]]).toEqual([name, value, defaults[name]]);
      }
      if (name.endsWith('_MS')) expect(comment).toMatch(/^# Milliseconds/);
    }
  });
});
