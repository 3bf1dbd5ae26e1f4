import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type FaultProxy,
  type RedisTestServer,
  startFaultProxy,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';

import { expectPromisesKept } from './expect-promises-kept.js';
import { FleetLoad, prepareFleet } from './fleet-load.js';
import { GatewayProcess } from './gateway-process.js';
import { migrateForRuntime } from './migrated-database.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { type PrometheusServer, startPrometheus } from './prometheus-server.js';
import { RetryingClient } from './retrying-client.js';

/*
 * `pnpm drill:alerts`: the faults of the bench, each held until its alert fires and then mended, under load of all three
 * promises through nginx. From the fault until well after it that alert fires and no other. Some minutes; one fault:
 * `pnpm drill:alerts -t 'Redis paused'`.
 */

/** Rates look back two minutes at most, and what they silence must stay silent for as long. */
const AFTERMATH_MS = 60_000;

let database: TestDatabase;
let redis: RedisTestServer;
let link: FaultProxy;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let prometheus: PrometheusServer;
let client: RetryingClient;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  link = await startFaultProxy(redis.url);
  const jwtSecret = randomBytes(48).toString('base64');
  const databaseUrl = await migrateForRuntime(database);
  const settings = { databaseUrl, redisUrl: link.url, jwtSecret, leaseWindowMs: 30_000 };
  gateways = await Promise.all([GatewayProcess.start(settings), GatewayProcess.start(settings)]);
  const ports = gateways.map(({ port }) => port);
  nginx = await startNginx(ports);
  prometheus = await startPrometheus(ports);
  client = new RetryingClient(nginx.url, jwtSecret);
  await prepareFleet(client);
  // The first start on an empty Redis was a quarantine.
  await until(async () => (await prometheus.firing()).length === 0, { timeoutMs: 180_000, intervalMs: 500 });
}, 300_000);

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await link?.[Symbol.asyncDispose]();
  await redis?.stop();
  await database?.drop();
}, 60_000);

interface Fault {
  begin(): Promise<void> | void;
  mend(): Promise<void> | void;
  /** What fires, the fault's own alert first. */
  readonly alerts: readonly string[];
}

const struck = (): GatewayProcess => {
  const [, gateway] = gateways;
  if (gateway === undefined) throw new Error('there are two gateways');
  return gateway;
};

const FAULTS: Readonly<Record<string, Fault>> = {
  'Redis paused': { begin: () => redis.pause(), mend: () => redis.resume(), alerts: ['SolegateRedisAway'] },
  'Redis cut off': {
    begin: () => link.set('blackHole'),
    mend: () => link.set('pass'),
    alerts: ['SolegateRedisAway'],
  },
  // A Redis that was started again may have forgotten leases, which is a fact of its own.
  'Redis killed': {
    begin: () => redis.kill(),
    mend: () => redis.restart(),
    alerts: ['SolegateRedisAway', 'SolegateLeasesInQuarantine'],
  },
  'one gateway killed': {
    begin: () => struck().kill(),
    mend: () => struck().start(),
    alerts: ['SolegateGatewayDown'],
  },
  'one gateway paused': {
    begin: () => struck().signal('SIGSTOP'),
    mend: () => struck().signal('SIGCONT'),
    alerts: ['SolegateGatewayDown'],
  },
};

test.each(Object.entries(FAULTS))(
  '%s',
  async (_name, { begin, mend, alerts }) => {
    const seen = new Set<string>();
    const look = async (): Promise<string[]> => {
      const firing = await prometheus.firing();
      for (const name of firing) seen.add(name);
      return firing;
    };
    const load = new FleetLoad(client);
    load.start();
    await pause(5_000);
    await begin();
    try {
      await until(async () => (await look()).includes(alerts[0] ?? ''), {
        timeoutMs: 90_000,
        intervalMs: 500,
      });
    } finally {
      await mend();
    }
    const endsAtMs = performance.now() + AFTERMATH_MS;
    while (performance.now() < endsAtMs) {
      await look();
      await pause(500);
    }
    expectPromisesKept(await load.stop());
    expect([...seen].toSorted()).toEqual(alerts.toSorted());
    await until(async () => (await look()).length === 0, { timeoutMs: 180_000, intervalMs: 500 });
  },
  400_000,
);
