import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import {
  Authority,
  type Certificate,
  GatewayProcess,
  type PostgresTestServer,
  type RedisTestServer,
  runGateway,
  startPostgresServer,
  startRedisServer,
  until,
} from '@solegate/testkit';
import { composeService, interpolate, readText } from '../deployment-files.js';
import { expectPromisesKept } from '../expect-promises-kept.js';
import { FleetLoad, prepareFleet, SERIES } from '../fleet-load.js';
import { type NginxServer, startNginx } from '../nginx-server.js';
import { blockOf, codeOfRow, pageText } from '../operations-page.js';
import { RetryingClient } from '../retrying-client.js';
import { runSql } from '../run-sql.js';

/*
 * Follows docs/operations/secure.md under load of all three promises, with the roles of roles.md: TLS to both stores and for
 * users, each secret changed, and each certificate renewed. Its commands and settings are those of the page; only addresses,
 * passwords and the folder of the secrets are replaced.
 */

const PAGE = 'secure.md';
const gatewayFolder = fileURLToPath(new URL('../../../apps/gateway/', import.meta.url));

const LIST = `{ documentNumbers(first: 100, filter: { projectCode: "${SERIES.projectCode}" }) { edges { node { number } } } }`;

const password = () => randomBytes(16).toString('hex');
const secret = () => randomBytes(48).toString('base64');

let folder: string;
let authority: Authority;
let certificate: Certificate;
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let admin: ReturnType<RedisTestServer['client']>;
let redisPort: number;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let client: RetryingClient;
let load: FleetLoad;
/** Settings beyond those of install.md. */
let further: Readonly<Record<string, string>> = {};

const store = (name: string, content: string) => writeFile(join(folder, name), `${content}\n`);

/** A URL of the table of TLS, with a password and the addresses of this machine. */
function urlOf(row: string, secretOfIt: string): string {
  const [code = ''] = codeOfRow(PAGE, row);
  const place = { PostgreSQL: postgres.port, Redis: redisPort }[row];
  return code
    .replace(/^\w+=/, '')
    .replace('…', secretOfIt)
    .replace(/@[\w.]+(:\d+)?\//, `@localhost:${place}/`)
    .replace('/run/secrets', folder);
}

/** The settings of the command of install.md that contains the text. */
function settingsOf(part: string): Record<string, string> {
  const words = blockOf('install.md', 'sh', part)
    .split(' node ')[0]
    ?.replaceAll('\\\n', ' ')
    .trim()
    .split(/\s+/);
  const settings = (words ?? []).map((word) => word.replace('/run/secrets', folder).split(/=(.*)/s));
  return Object.fromEntries(settings.map(([name = '', value = '']) => [name, value]));
}

const serving = (): Record<string, string> => ({
  ...settingsOf(' serve'),
  ...further,
  // The issuer of the client; open to this machine alone; one client makes all calls.
  JWT_ISSUER: interpolate(composeService('gateway').environment?.JWT_ISSUER ?? '', {}),
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: 'loopback',
  RATE_LIMIT_PER_SECOND: '0',
  DATABASE_POOL_MAX: '5',
  NODE_LEASE_WINDOW_MS: '6000',
  DRAIN_DELAY_MS: '500',
});

/** One after the other, each by one with the settings of now. */
async function replaceGateways(): Promise<void> {
  for (const [index, old] of gateways.entries()) {
    const PORT = String(old.port);
    expect(await old.end('SIGTERM')).toBe(0);
    const replacement = new GatewayProcess({ environment: { ...serving(), PORT }, command: ['serve'] });
    await replacement.start();
    gateways[index] = replacement;
  }
  await load.untilAnswered(60);
}

/** Runs SQL of a page as an administrator. */
async function administer(sql: string, database = 'postgres'): Promise<void> {
  const url = new URL(postgres.url);
  url.pathname = `/${database}`;
  await runSql(url.href, sql);
}

/** Whom PostgreSQL lets in, by this method. The administrator of this drill connects without TLS. */
async function letIn(method: string): Promise<void> {
  const rules = readText('pg_hba.tls.conf').replace('scram-sha-256', method);
  const { username } = new URL(postgres.url);
  await writeFile(join(postgres.dataDir, 'pg_hba.conf'), `hostnossl all ${username} all trust\n${rules}`);
}

const migrate = (role = 'solegate_runtime') =>
  promisify(execFile)(
    '/bin/sh',
    [
      '-ec',
      blockOf('install.md', 'sh', 'migrate')
        .replace('/run/secrets', folder)
        .replace('solegate_runtime', role),
    ],
    { cwd: gatewayFolder, env: { PATH: process.env.PATH } },
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solegate-secure-'));
  authority = await Authority.make();
  certificate = await authority.certify('DNS:localhost');
  redisPort = await freePort();
  [postgres, redis] = await Promise.all([
    startPostgresServer(),
    startRedisServer({
      args: [...authority.redisArguments(redisPort, certificate), '--maxmemory-policy', 'noeviction'],
    }),
  ]);
  const passwords = { owner: password(), runtime: password(), redis: password() };
  await administer(
    blockOf('roles.md', 'sql', 'CREATE ROLE')
      .replace('change-me-too', passwords.runtime)
      .replace('change-me', passwords.owner),
  );
  await letIn('scram-sha-256');
  await postgres.serveTls(certificate);
  admin = redis.client();
  await admin.call('ACL', 'SETUSER', 'default', 'resetpass', `>${passwords.redis}`);
  await store('ca.crt', authority.cert);
  const ours = await authority.certify('DNS:gateway');
  await store('gateway.crt', ours.cert);
  await store('gateway.key', ours.key);
  await store('jwt_secret', secret());
  await store('database_url', urlOf('PostgreSQL', passwords.runtime));
  await store(
    'owner_database_url',
    urlOf('PostgreSQL', passwords.owner).replace('solegate_runtime', 'solegate_owner'),
  );
  await store('redis_url', urlOf('Redis', passwords.redis));
  await migrate();
  gateways = [];
  for (let count = 0; count < 2; count += 1) {
    const gateway = new GatewayProcess({ environment: serving(), command: ['serve'] });
    gateways.push(gateway);
    await gateway.start();
  }
  nginx = await startNginx(
    gateways.map(({ port }) => port),
    { tls: { ca: authority.cert, ...certificate } },
  );
  client = new RetryingClient(nginx.url, await readSecret('jwt_secret'), authority.cert);
  await prepareFleet(client);
  load = new FleetLoad(client);
  load.start();
  await load.untilAnswered(60);
});

afterAll(async () => {
  await load?.stop();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway.end();
  await postgres?.stop();
  await redis?.stop();
  await authority?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function readSecret(name: string): Promise<string> {
  return (await readFile(join(folder, name), 'utf8')).trim();
}

test('JWT_SECRET: both are valid for a while, and then only the new one', async () => {
  expect(codeOfRow(PAGE, '`JWT_SECRET`')).toContain('JWT_SECRET_PREVIOUS');
  const [old, fresh] = [await readSecret('jwt_secret'), secret()];
  await store('jwt_secret', fresh);
  await store('jwt_secret_previous', old);
  further = { JWT_SECRET_PREVIOUS_FILE: join(folder, 'jwt_secret_previous') };
  await replaceGateways();
  client.signWith(fresh);
  await load.untilAnswered(60);
  further = {};
  await replaceGateways();
  const late = new RetryingClient(nginx.url, old, authority.cert);
  const ids = 'mutation { generateTsids(count: 1) { __typename } }';
  await expect(late.ask(await late.tokenFor(2n, ['clerk']), ids)).rejects.toThrow('UNAUTHENTICATED');
});

test('the password of PostgreSQL: a second role takes over, and the first one is dropped', async () => {
  const [create = '', migrateTo = '', , grant = '', drop = ''] = codeOfRow(
    PAGE,
    'the password of PostgreSQL',
  );
  const fresh = password();
  await administer(create.replace('…', fresh));
  await migrate(migrateTo.split(' ').at(-1));
  await administer(grant, 'solegate');
  await store('database_url', urlOf('PostgreSQL', fresh).replace('solegate_runtime', 'solegate_runtime_2'));
  await replaceGateways();
  await administer(drop, 'solegate');
  await load.untilAnswered(60);
  const { rows } = await postgres.pool.query(
    `SELECT rolname FROM pg_roles WHERE rolname LIKE 'solegate\\_%' ORDER BY 1`,
  );
  expect(rows.map(({ rolname }) => rolname)).toEqual(['solegate_owner', 'solegate_runtime_2']);
});

test('a changed password alone ends no connection', async () => {
  const fresh = password();
  await administer(`ALTER ROLE solegate_runtime_2 PASSWORD '${fresh}'`);
  await load.untilAnswered(30);
  await store('database_url', urlOf('PostgreSQL', fresh).replace('solegate_runtime', 'solegate_runtime_2'));
  await replaceGateways();
});

test('the password of Redis', async () => {
  const [add = '', remove = ''] = codeOfRow(PAGE, 'the password of Redis');
  const [old, fresh] = [new URL(await readSecret('redis_url')).password, password()];
  const run = (command: string) => admin.call(...(command.split(' ') as [string, ...string[]]));
  expect(await run(add.replace('new', fresh))).toBe('OK');
  await store('redis_url', urlOf('Redis', fresh));
  await replaceGateways();
  expect(await run(remove.replace('old', old))).toBe('OK');
  await load.untilAnswered(60);
});

test('certificates are renewed while everything runs', async () => {
  const renewed = await authority.certify('DNS:localhost', 30);
  await show('PostgreSQL', renewed);
  await show('Redis', renewed);
  await nginx.renew(renewed);
  const end = await run(`openssl x509 -noout -enddate -in ${renewed.certFile}`);
  const [ofPostgres = '', ofRedis = ''] = blockOf(PAGE, 'sh', 'openssl').split('\n');
  const asked = [
    ofPostgres.replace('db.example.com:5432', `localhost:${postgres.port}`),
    ofRedis.replace('redis.example.com:6379', `localhost:${redisPort}`),
    ofRedis.replace('redis.example.com:6379', `localhost:${nginx.port}`),
  ];
  for (const command of asked) await until(async () => (await run(command)) === end, { what: command });
  await load.untilAnswered(60);
  await replaceGateways();
});

const run = async (command: string) => (await promisify(execFile)('/bin/sh', ['-c', command])).stdout;

/** How a start with these changes ends. An empty setting counts as none. */
const refusedWith = (changes: Readonly<Record<string, string>>) =>
  runGateway({ environment: { ...serving(), ...changes }, command: ['serve'] });

test('a key that cannot verify tokens ends the start, which says why', async () => {
  const changes = { JWT_ALGORITHMS: 'RS256', JWT_SECRET_FILE: '', JWT_PUBLIC_KEY: 'not a key' };
  const { exitCode, output } = await refusedWith(changes);
  expect([exitCode, output]).toEqual([1, expect.stringContaining('JWT_PUBLIC_KEY')]);
});

type Store = 'PostgreSQL' | 'Redis';

/** How a store gets into the state of a row of the page, and what the page says to do about it. */
interface StoreFault {
  /** Default: both. */
  readonly stores?: readonly Store[];
  readonly begin?: (store: Store) => Promise<unknown>;
  /** Changes the URL of the store into one that meets the fault. */
  readonly change?: (url: string) => string;
  readonly mend?: (store: Store) => Promise<unknown>;
  /** Changes the URL of the store into what the page says. */
  readonly remedy?: (url: string) => string;
}

async function show(store: Store, shown: Certificate): Promise<void> {
  if (store === 'PostgreSQL') await postgres.serveTls(shown);
  else await admin.call('CONFIG', 'SET', 'tls-cert-file', shown.certFile, 'tls-key-file', shown.keyFile);
}

/** Whether a store lets in only clients with a certificate. */
async function demandCertificates(store: Store, isDemanded: boolean): Promise<void> {
  if (store === 'Redis') await admin.config('SET', 'tls-auth-clients', isDemanded ? 'yes' : 'no');
  else {
    await letIn(isDemanded ? 'scram-sha-256 clientcert=verify-ca' : 'scram-sha-256');
    await postgres.pool.query(`ALTER SYSTEM SET ssl_ca_file = '${authority.certFile}'`);
    await postgres.pool.query('SELECT pg_reload_conf()');
  }
}

async function offerTls(isOffered: boolean): Promise<void> {
  await postgres.pool.query(`ALTER SYSTEM SET ssl = ${isOffered ? 'on' : 'off'}`);
  await postgres.pool.query('SELECT pg_reload_conf()');
}

const STORE_FAULTS: Readonly<Record<string, StoreFault>> = {
  'presents a certificate from an unknown authority': {
    change: (url) => url.replace(/[?&]sslrootcert=[^&]*/, ''),
  },
  'presents an expired certificate': {
    begin: async (store) => show(store, await authority.certify('DNS:localhost', -1)),
    mend: (store) => show(store, certificate),
  },
  'presents a certificate for other host names': {
    change: (url) => url.replace('@localhost', '@127.0.0.1'),
  },
  'requires a client certificate that it trusts': {
    begin: (store) => demandCertificates(store, true),
    remedy: (url) =>
      url +
      (codeOfRow(PAGE, 'both, if they require a client certificate')[0] ?? '').replaceAll(
        '/run/secrets',
        folder,
      ),
  },
  'does not offer TLS': {
    stores: ['PostgreSQL'],
    begin: () => offerTls(false),
    mend: () => offerTls(true),
  },
};

describe.each(Object.entries(STORE_FAULTS))('a store that %s', (reason, fault) => {
  afterEach(async () => {
    await demandCertificates('PostgreSQL', false);
    await demandCertificates('Redis', false);
  });

  const {
    stores = ['PostgreSQL', 'Redis'],
    begin,
    change = (url) => url,
    mend,
    remedy = (url) => url,
  } = fault;

  test.each(stores)('%s: the start is refused and says so; then one starts', async (store) => {
    expect(pageText(PAGE)).toContain(`| ${reason}`);
    const [name, file] = store === 'Redis' ? ['REDIS_URL', 'redis_url'] : ['DATABASE_URL', 'database_url'];
    const url = await readSecret(file);
    const using = (value: string) => ({ [`${name}_FILE`]: '', [name]: value });
    await begin?.(store);
    try {
      const { exitCode, output } = await refusedWith(using(change(url)));
      expect([exitCode, output]).toEqual([1, expect.stringContaining(reason)]);
    } finally {
      await mend?.(store);
    }
    const mended = { ...serving(), ...using(remedy(url)) };
    await using gateway = new GatewayProcess({ environment: mended, command: ['serve'] });
    await gateway.start();
    expect(await gateway.end('SIGTERM')).toBe(0);
    await load.untilAnswered(30);
  });
});

test('no promise was broken, and every connection of a gateway is encrypted', async () => {
  expectPromisesKept(await load.stop());
  const { rows } = await postgres.pool.query(
    `SELECT count(*)::int AS plain FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE usename LIKE 'solegate\\_%' AND NOT ssl`,
  );
  expect(rows).toEqual([{ plain: 0 }]);
});

test('an expired certificate of PostgreSQL is noticed when load rises, because idle connections were closed', async () => {
  expect(pageText(PAGE)).toContain('idle connections are closed after ten seconds');
  await show('PostgreSQL', await authority.certify('DNS:localhost', -1));
  await pause(12_000);
  const clerk = await client.tokenFor(2n, ['clerk']);
  const refusalCount = client.refusals.length;
  // Each needs a connection; numbers of one series would share one.
  const burst = Promise.all(Array.from({ length: 40 }, () => client.ask(clerk, LIST, {})));
  await until(() => client.refusals.length > refusalCount, { what: 'a refused call' });
  await show('PostgreSQL', certificate);
  await burst;
});
