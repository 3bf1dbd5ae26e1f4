import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, test } from '@jest/globals';
import {
  createTestDatabase,
  type FaultProxy,
  type GatewayProcess,
  type RedisTestServer,
  startFaultProxy,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { startComposedGateway } from '../composed-gateway.js';
import { expectPromisesKept } from '../expect-promises-kept.js';
import { FleetLoad, prepareFleet } from '../fleet-load.js';
import { migrateForRuntime } from '../migrated-database.js';
import { type NginxServer, startNginx } from '../nginx-server.js';
import { type PrometheusServer, startPrometheus } from '../prometheus-server.js';
import { RetryingClient } from '../retrying-client.js';
import { type Fault, playFaults } from './played-faults.js';

/*
 * `pnpm --filter @solegate/docker test:drills`: each fault of the bench, under load of all three promises through nginx. To run
 * one fault: `-t 'Redis paused'`.
 */

/** Prometheus scrapes every second instead of every 5 s, and every time in the rules is shortened by the same factor. */
const TIMES_FASTER = 5;
/** Pause between two tasks of each of the six callers, so that the gateways have enough processor time. */
const THINK_MS = 100;

let database: TestDatabase;
let redis: RedisTestServer;
let link: FaultProxy;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let prometheus: PrometheusServer;
let load: FleetLoad;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  link = await startFaultProxy(redis.url);
  const jwtSecret = randomBytes(48).toString('base64');
  const databaseUrl = await migrateForRuntime(database);
  const settings = { databaseUrl, redisUrl: link.url, jwtSecret, leaseWindowMs: 30_000 };
  gateways = await Promise.all([startComposedGateway(settings), startComposedGateway(settings)]);
  const ports = gateways.map(({ port }) => port);
  nginx = await startNginx(ports);
  prometheus = await startPrometheus(ports, { timesFaster: TIMES_FASTER });
  const client = new RetryingClient(nginx.url, jwtSecret);
  await prepareFleet(client);
  load = new FleetLoad(client, { thinkMs: THINK_MS });
  load.start();
});

afterAll(async () => {
  await load?.stop();
  await prometheus?.[Symbol.asyncDispose]();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await link?.[Symbol.asyncDispose]();
  await redis?.stop();
  await database?.drop();
});

const struck = (): GatewayProcess => {
  const [, gateway] = gateways;
  if (gateway === undefined) throw new Error('there are two gateways');
  return gateway;
};

const FAULTS: Readonly<Record<string, Fault>> = {
  'Redis paused': { begin: () => redis.pause(), mend: () => redis.resume(), alert: 'SolegateRedisAway' },
  'Redis cut off': {
    begin: () => link.set('blackHole'),
    mend: () => link.set('pass'),
    alert: 'SolegateRedisAway',
  },
  'Redis killed': { begin: () => redis.kill(), mend: () => redis.restart(), alert: 'SolegateRedisAway' },
  'one gateway killed': {
    begin: () => struck().end(),
    mend: () => struck().start(),
    alert: 'SolegateGatewayDown',
  },
  'one gateway paused': {
    begin: () => struck().signal('SIGSTOP'),
    mend: () => struck().signal('SIGCONT'),
    alert: 'SolegateGatewayDown',
  },
};

playFaults(FAULTS, { prometheus: () => prometheus, timesFaster: TIMES_FASTER });

test('no promise was broken meanwhile', async () => {
  expectPromisesKept(await load.stop());
});
