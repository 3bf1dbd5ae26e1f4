import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import {
  Authority,
  createTestDatabase,
  type GatewayProcess,
  type PostgresTestServer,
  type RedisTestServer,
  startPostgresServer,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { startComposedGateway } from './composed-gateway.js';
import { readText } from './deployment-files.js';
import { expectPromisesKept } from './expect-promises-kept.js';
import { FleetLoad, ISSUE, prepareFleet, SERIES } from './fleet-load.js';
import { follow, readerOf } from './fleet-reader.js';
import { migrateForRuntime, runMigrate } from './migrated-database.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { RetryingClient } from './retrying-client.js';

/*
 * What tls.compose.yaml starts, as plain processes: a private authority, nginx with listen.tls.conf, PostgreSQL with
 * pg_hba.tls.conf, and Redis. Unlike in the compose file, both stores also require client certificates.
 */

const OWNER = 'solegate';
const PASSWORD = randomBytes(16).toString('hex');

let authority: Authority;
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let database: TestDatabase;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let client: RetryingClient;
let runtimeUrl: string;

beforeAll(async () => {
  authority = await Authority.make();
  const [server, ours] = await Promise.all([
    authority.certify('DNS:localhost'),
    authority.certify('DNS:gateway'),
  ]);
  const redisPort = await freePort();
  [postgres, redis] = await Promise.all([
    startPostgresServer(),
    startRedisServer({ args: authority.redisArguments(redisPort, server, true) }),
  ]);
  database = await createTestDatabase({ migrations: [], serverUrl: postgres.url });
  const plainUrl = await migrateForRuntime(database);
  for (const role of [OWNER, 'solegate_runtime']) {
    await postgres.pool.query(`ALTER ROLE ${role} PASSWORD '${PASSWORD}'`);
  }
  await postgres.pool.query(`ALTER SYSTEM SET ssl_ca_file = '${authority.certFile}'`);
  const rules = readText('pg_hba.tls.conf').replace('scram-sha-256', 'scram-sha-256 clientcert=verify-ca');
  // The test itself connects without TLS.
  await writeFile(join(postgres.dataDir, 'pg_hba.conf'), `hostnossl all ${OWNER} all trust\n${rules}`);
  await postgres.serveTls(server);

  const files = `sslrootcert=${authority.certFile}&sslcert=${ours.certFile}&sslkey=${ours.keyFile}`;
  const url = new URL(plainUrl);
  url.hostname = 'localhost';
  url.password = PASSWORD;
  runtimeUrl = `${url.href}?sslmode=verify-full&${files}`;
  const settings = {
    databaseUrl: runtimeUrl,
    redisUrl: `rediss://localhost:${redisPort}?${files}`,
    jwtSecret: randomBytes(48).toString('base64'),
  };
  gateways = await Promise.all([startComposedGateway(settings), startComposedGateway(settings)]);
  const tls = { ca: authority.cert, ...server };
  nginx = await startNginx(
    gateways.map(({ port }) => port),
    { tls },
  );
  client = new RetryingClient(nginx.url, settings.jwtSecret, authority.cert);
  await prepareFleet(client);
});

afterAll(async () => {
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await database?.drop();
  await Promise.all([postgres?.stop(), redis?.stop()]);
  await authority?.[Symbol.asyncDispose]();
});

test('the migration job uses TLS as well', async () => {
  const url = new URL(runtimeUrl);
  url.username = OWNER;
  await runMigrate(url.href);
});

test('no client reaches a store without TLS and a certificate', async () => {
  const url = new URL(runtimeUrl);
  url.search = '';
  await expect(runMigrate(url.href)).rejects.toThrow(/no encryption/);
  url.search = `sslmode=verify-full&sslrootcert=${authority.certFile}`;
  await expect(runMigrate(url.href)).rejects.toThrow(/requires a client certificate that it trusts/);
});

test('a subscription over TLS receives events of another gateway', async () => {
  const clerk = await client.tokenFor(2n, ['clerk']);
  await using reader = readerOf(nginx.url, { token: clerk, ca: authority.cert });
  const issued = follow((options) => reader.documentNumberIssued({}, options));
  const issue = () => client.ask(clerk, ISSUE, { input: { ...SERIES, typeCode: 'MEMO' } });
  await until(async () => (await issue()) && issued.events.length > 0, { intervalMs: 200 });
});

test('races for all three promises over TLS, with a gateway killed, break none of them', async () => {
  const load = new FleetLoad(client);
  load.start();
  await load.untilAnswered(100);
  await gateways[0]?.end();
  await load.untilAnswered(50);
  await gateways[0]?.start();
  await load.untilAnswered(100);
  expectPromisesKept(await load.stop());
  const { rows } = await postgres.pool.query(
    `SELECT count(*)::int AS plain FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'solegate' AND NOT ssl`,
  );
  expect(rows).toEqual([{ plain: 0 }]);
});
