import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import {
  Authority,
  type Certificate,
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  startSentinelServer,
  until,
} from '@solegate/testkit';
import { type GatewaySettings, startComposedGateway } from '../composed-gateway.js';
import { expectPromisesKept } from '../expect-promises-kept.js';
import { FleetLoad, ISSUE, prepareFleet, SERIES } from '../fleet-load.js';
import { migrateForRuntime } from '../migrated-database.js';
import { blockOf, codeOfRow, pageText } from '../operations-page.js';
import { RetryingClient } from '../retrying-client.js';
import { startSentinelGroup } from '../sentinel-group.js';

/*
 * Follows docs/operations/managed-redis.md: each form of address with TLS, a certificate of the provider's own authority and a user
 * who may not use CONFIG, under load of all three promises; memory that is evicted, full, or as large as the page says; then the
 * command of the page while the service fails over.
 */

const PAGE = 'managed-redis.md';
const USER = ['USER', 'on', '>PASSWORD', '~*', '&*', '+@all', '-config'] as const;
/** A sixteenth of a million: tables of Redis grow by doubling, so this one is as full as with a million. */
const COPY_COUNT = 62_500;
const REPORT =
  'mutation { updateDriverPosition(input: { longitude: 100.5, latitude: 13.7 }) { __typename } }';
const root = fileURLToPath(new URL('../../../', import.meta.url));

const ended: AsyncDisposable[] = [];
let authority: Authority;
let certificate: Certificate;

/** It ends after the test, in the reverse order. */
function keep<Part extends AsyncDisposable>(part: Part): Part {
  ended.unshift(part);
  return part;
}

beforeAll(async () => {
  authority = await Authority.make();
  certificate = await authority.certify('DNS:localhost');
});

afterEach(async () => {
  for (const part of ended.splice(0)) await part[Symbol.asyncDispose]();
});

afterAll(() => authority?.[Symbol.asyncDispose]());

/** A server as a provider runs it. Returns its port for TLS. */
async function startService(args: readonly string[] = []): Promise<{ redis: RedisTestServer; port: number }> {
  const port = await freePort();
  const redis = await startRedisServer({
    args: [
      ...authority.redisArguments(port, certificate),
      ...'--maxmemory 64mb --maxmemory-policy noeviction'.split(' '),
      ...args,
    ],
  });
  keep({ [Symbol.asyncDispose]: () => redis.stop() });
  await redis.client().call('ACL', 'SETUSER', ...USER);
  return { redis, port };
}

/** The services of the table of addresses; each returns the place that replaces the provider's in its URL. */
const SERVICES: Readonly<Record<string, () => Promise<string>>> = {
  'one endpoint that follows the primary': async () => `localhost:${(await startService()).port}`,
  'a cluster': async () => {
    const { redis, port } = await startService([
      ...'--cluster-enabled yes --tls-cluster yes --cluster-announce-hostname localhost'.split(' '),
      ...'--cluster-preferred-endpoint-type hostname'.split(' '),
    ]);
    const admin = redis.client();
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(async () => String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    return `localhost:${port}`;
  },
  Sentinel: async () => {
    const { port } = await startService();
    const sentinelPort = await freePort();
    const sentinel = await startSentinelServer([
      `tls-port ${sentinelPort}`,
      `tls-cert-file ${certificate.certFile}`,
      `tls-key-file ${certificate.keyFile}`,
      `tls-ca-cert-file ${authority.certFile}`,
      'tls-auth-clients no',
      'tls-replication yes',
      'sentinel resolve-hostnames yes',
      'sentinel announce-hostnames yes',
      `sentinel monitor NAME localhost ${port} 1`,
      'sentinel auth-user NAME USER',
      'sentinel auth-pass NAME PASSWORD',
    ]);
    keep({ [Symbol.asyncDispose]: () => sentinel.stop() });
    return `localhost:${sentinelPort}`;
  },
};

/** A gateway with the roles of roles.md, and a client of it. */
async function startGateway(redisUrl: string, settings: Partial<GatewaySettings> = {}) {
  const database = await createTestDatabase({ migrations: [] });
  keep({ [Symbol.asyncDispose]: () => database.drop() });
  const jwtSecret = randomBytes(48).toString('base64');
  const databaseUrl = await migrateForRuntime(database);
  const gateway = keep(await startComposedGateway({ databaseUrl, redisUrl, jwtSecret, ...settings }));
  const client = new RetryingClient(gateway.origin, jwtSecret);
  return { gateway, client };
}

test.each(Object.entries(SERVICES))('%s, with TLS and a user without CONFIG', async (name, start) => {
  const [address = ''] = codeOfRow(PAGE, name);
  const place = await start();
  const [parameter = ''] = /\?sslrootcert=[^`]+/.exec(pageText(PAGE)) ?? [];
  const redisUrl = address
    .replace(/@[^/]+/, `@${place}`)
    .concat(parameter.replace('/run/secrets/redis-ca.crt', authority.certFile));
  const { gateway, client } = await startGateway(redisUrl);
  await prepareFleet(client);
  const load = new FleetLoad(client);
  load.start();
  await until(() => client.answeredCount > 150 || load.record.failures.length > 0);
  expectPromisesKept(await load.stop());
  expect(gateway.output).not.toMatch(/CONFIG|"level":50/);
});

test.each(['redis', 'postgres'] as const)(
  'the log of a start warns of keys that may be evicted, with nodes from %s',
  async (nodeStore) => {
    const [row = ''] = /^\| `maxmemory-policy noeviction` \|.*$/m.exec(pageText(PAGE)) ?? [];
    expect(row).toContain('the log of a start warns');
    const evicting = await startService(['--maxmemory-policy', 'volatile-lru']);
    const settings = { nodeStore, others: { LOG_LEVEL: 'warn' } };
    const { gateway } = await startGateway(
      `redis://USER:PASSWORD@127.0.0.1:${evicting.redis.port}`,
      settings,
    );
    await until(() => /set maxmemory-policy to noeviction/.test(gateway.output), { what: 'the warning' });
  },
);

test('a full Redis: numbers and trips go on as without it, IDs as with it, and a gateway starts', async () => {
  const { redis } = await startService();
  const { gateway, client } = await startGateway(redis.url);
  await prepareFleet(client);
  const load = new FleetLoad(client);
  load.start();
  const admin = redis.client();
  await load.untilAnswered(60);
  await admin.config('SET', 'maxmemory', 1);
  await expect(admin.set('another', 'write')).rejects.toThrow('OOM');
  // Three windows of a node: whoever has one now was granted it by the full Redis.
  await pause(18_000);
  await gateway.end('SIGTERM');
  await gateway.start();
  await load.untilAnswered(60);
  expectPromisesKept(await load.stop());
});

/** Many like those of the product: `ARGV[1]` drivers whose positions it stored, or marks of counters. */
const COPIES: Readonly<Record<string, readonly [pattern: string, script: string]>> = {
  'position of a driver': [
    '{driver_pool:*',
    `for _, key in ipairs(KEYS) do
      if redis.call('TYPE', key).ok == 'zset' then
        local score = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
        for index = 1, ARGV[1] do redis.call('ZADD', key, score + index, '80012345678' .. string.format('%07d', index)) end
      end
    end`,
  ],
  'mark of a counter': [
    'doc_num:*TEAM*',
    `local value, life = redis.call('DUMP', KEYS[1]), redis.call('PTTL', KEYS[1])
    for index = 1, ARGV[1] do redis.call('RESTORE', KEYS[1]:sub(1, -8) .. string.format('%07d', index), life, value) end`,
  ],
};

test('what is kept takes as much memory as the page says', async () => {
  const { redis } = await startService();
  const { client } = await startGateway(redis.url);
  await prepareFleet(client);
  await client.ask(await client.tokenFor(2n, ['clerk']), ISSUE, { input: SERIES });
  await client.ask(await client.tokenFor(10_000_001n, ['driver']), REPORT);
  const admin = redis.client();
  const usedBytes = async () => Number(/^used_memory:(\d+)/m.exec(await admin.info('memory'))?.[1]);
  for (const [kept, [pattern, script]] of Object.entries(COPIES)) {
    const [, bytes] = new RegExp(`^\\| ${kept} \\| (\\d+) \\|`, 'm').exec(pageText(PAGE)) ?? [];
    await until(async () => (await admin.keys(pattern)).length > 0, { what: kept });
    const keys = await admin.keys(pattern);
    const before = await usedBytes();
    await admin.eval(script, keys.length, ...keys, COPY_COUNT);
    const each = ((await usedBytes()) - before) / COPY_COUNT;
    process.stdout.write(`${kept}: ${Math.round(each)} bytes\n`);
    expect(Math.abs(each / Number(bytes) - 1)).toBeLessThan(0.1);
  }
});

test('a failover while the command of the page runs: no number is missing or doubled', async () => {
  const service = keep(await startSentinelGroup());
  const { gateway, client } = await startGateway(service.url);
  const token = await client.tokenFor(1n, ['admin']);
  const command = blockOf(PAGE, 'sh', 'bench')
    .replace('https://your.gateway', gateway.origin)
    .replace('…', token)
    .replace('60s', '20s');
  const bench = spawn('/bin/sh', ['-ec', `exec ${command.trim()} --output ${root}.cache/drill-bench`], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = Promise.all([text(bench.stdout), text(bench.stderr)]);
  const exited = once(bench, 'exit');
  const metrics = async () => (await fetch(`${gateway.origin}/metrics`)).text();
  const isLoaded = async () =>
    bench.exitCode !== null || /^solegate_numbers_commit_seconds_count\S* \d{2,}$/m.test(await metrics());
  await until(isLoaded, { timeoutMs: 120_000, what: 'the load of the bench' });
  await pause(3_000);
  service.killMaster();
  // It goes on for longer than the sentinels take.
  await pause(5_000);
  expect(bench.exitCode).toBe(null);
  const [exitCode] = await exited;
  const [output, errors] = await printed;
  process.stdout.write(output.slice(-1_500));
  expect({ exitCode, errors: exitCode === 0 ? '' : errors }).toEqual({ exitCode: 0, errors: '' });
});
