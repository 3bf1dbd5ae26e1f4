import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type FaultProxy,
  type GatewayProcess,
  type RedisTestServer,
  startFaultProxy,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { startComposedGateway } from '../composed-gateway.js';
import { expectPromisesKept } from '../expect-promises-kept.js';
import { FleetLoad, prepareFleet } from '../fleet-load.js';
import { migrateForRuntime } from '../migrated-database.js';
import { type NginxServer, startNginx } from '../nginx-server.js';
import { type PrometheusServer, startPrometheus } from '../prometheus-server.js';
import { RetryingClient } from '../retrying-client.js';

/*
 * `pnpm --filter @solegate/docker test:drills`: each fault of the bench, under load of all three promises through nginx. It
 * lasts for a while after its alert fires and is then repaired. From the fault until no alert is even pending, only that
 * alert fires. To run one fault: `-t 'Redis paused'`.
 */

/** Prometheus scrapes every second instead of every 5 s, and every time in the rules is shortened by the same factor. */
const TIMES_FASTER = 5;
/** One minute of the rules, shortened. */
const HELD_MS = 60_000 / TIMES_FASTER;
const FIRES_WITHIN_MS = 60_000;
/** Rates cover at most ten minutes, and an alert is pending for at most ten. */
const SILENT_WITHIN_MS = (20 * 60_000) / TIMES_FASTER;
/** By then, anything repaired late, such as a lease, would have raised its alert. */
const SILENT_FOR_MS = 5_000;
const LOOK_MS = 250;
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
}, 300_000);

afterAll(async () => {
  await load?.stop();
  await prometheus?.[Symbol.asyncDispose]();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await link?.[Symbol.asyncDispose]();
  await redis?.stop();
  await database?.drop();
}, 60_000);

interface Fault {
  begin(): unknown;
  mend(): unknown;
  /** The alert that must fire, and no other. */
  readonly alert: string;
}

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

test.each(Object.entries(FAULTS))(
  '%s fires its alert and no other',
  async (_name, { begin, mend, alert }) => {
    const fired = new Set<string>();
    const look = async (): Promise<string[]> => {
      const firing = await prometheus.alerts('firing');
      for (const name of firing) fired.add(name);
      return firing;
    };
    await untilSilent();
    await begin();
    const endsAtMs = performance.now() + HELD_MS;
    try {
      await until(async () => (await look()).includes(alert), {
        timeoutMs: FIRES_WITHIN_MS,
        intervalMs: LOOK_MS,
        what: alert,
      });
      await until(async () => (await look()) && performance.now() >= endsAtMs, {
        timeoutMs: FIRES_WITHIN_MS,
        intervalMs: LOOK_MS,
      });
    } finally {
      await mend();
    }
    await untilSilent(look);
    expect([...fired]).toEqual([alert]);
  },
  600_000,
);

test('no promise was broken meanwhile', async () => {
  expectPromisesKept(await load.stop());
}, 60_000);

/** Waits until no alert has fired or been pending for some seconds. */
async function untilSilent(look: () => Promise<unknown> = async () => undefined): Promise<void> {
  let loudAtMs = performance.now();
  const isSilent = async (): Promise<boolean> => {
    await look();
    const states = await Promise.all([prometheus.alerts('firing'), prometheus.alerts('pending')]);
    if (states.flat().length > 0) loudAtMs = performance.now();
    return performance.now() - loudAtMs > SILENT_FOR_MS;
  };
  await until(isSilent, { timeoutMs: SILENT_WITHIN_MS, intervalMs: LOOK_MS, what: 'no alert' });
}
