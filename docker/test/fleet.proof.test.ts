import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type GatewayProcess, type TestDatabase, until } from '@solegate/testkit';
import { startComposedGateway } from './composed-gateway.js';
import { expectPromisesKept } from './expect-promises-kept.js';
import { FleetLoad, ISSUE, prepareFleet, SERIES } from './fleet-load.js';
import { follow, readerOf } from './fleet-reader.js';
import { migrateForRuntime } from './migrated-database.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { RetryingClient } from './retrying-client.js';
import { type SentinelGroup, startSentinelGroup } from './sentinel-group.js';

/*
 * The services of `docker compose --env-file sentinel.env up --scale gateway=5`, as plain processes with the same
 * settings: nginx, five gateways, a Redis with a replica and three sentinels, and PostgreSQL. Under constant load on
 * all three guarantees, every gateway is drained and restarted, two are killed, and so is the Redis master.
 */

const gatewayCount = 5;

let database: TestDatabase;
let redis: SentinelGroup;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let client: RetryingClient;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startSentinelGroup()]);
  const jwtSecret = randomBytes(48).toString('base64');
  const databaseUrl = await migrateForRuntime(database);
  const settings = { databaseUrl, redisUrl: redis.url, jwtSecret };
  gateways = await Promise.all(Array.from({ length: gatewayCount }, () => startComposedGateway(settings)));
  nginx = await startNginx(gateways.map(({ port }) => port));
  client = new RetryingClient(nginx.url, jwtSecret);
  await prepareFleet(client);
});

afterAll(async () => {
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
  await database?.drop();
});

test('a subscription through nginx receives events of another gateway', async () => {
  const clerk = await client.tokenFor(2n, ['clerk']);
  await using reader = readerOf(nginx.url, { token: clerk });
  const issued = follow((options) => reader.documentNumberIssued({}, options));
  const issue = () => client.ask(clerk, ISSUE, { input: { ...SERIES, typeCode: 'MEMO' } });
  await until(async () => (await issue()) && issued.events.length > 0, { intervalMs: 200 });
  expect(issued.events[0]?.number).toMatch(/^TEAM-MEMO-STR-\d{4}-\d{6}$/);
});

test('a fleet that is drained, killed and failed over under load loses no request and breaks no guarantee', async () => {
  const load = new FleetLoad(client);
  load.start();
  await load.untilAnswered(100);

  const exitCodes: (number | null)[] = [];
  for (const gateway of gateways) {
    exitCodes.push(await gateway.end('SIGTERM'));
    await load.untilAnswered(20);
    await gateway.start();
  }
  for (const gateway of gateways.slice(0, 2)) {
    await gateway.end();
    await load.untilAnswered(20);
    await gateway.start();
  }
  redis.killMaster();
  // Redis answers this one, so it succeeds only after the failover.
  await client.ask(await client.tokenFor(1n, ['admin']), '{ nodeFleet { nodeCount } }');
  await load.untilAnswered(100);
  const record = await load.stop();

  expect(exitCodes).toEqual(gateways.map(() => 0));
  expectPromisesKept(record);
});
