import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type GatewayProcess,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { ActiveChecks } from './active-checks.js';
import { startComposedGateway } from './composed-gateway.js';
import { expectPromisesKept } from './expect-promises-kept.js';
import { FleetLoad, ISSUE, prepareFleet, SERIES } from './fleet-load.js';
import { subscribeThroughNginx } from './fleet-subscription.js';
import { migrateForRuntime } from './migrated-database.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { RetryingClient } from './retrying-client.js';

/*
 * Two gateways behind nginx with active health checks. Redis is killed under load of numbers, accepts and subscriptions, for
 * longer than a node lease; a gateway starts meanwhile; then each of the two is killed and started without Redis. No call
 * that PostgreSQL could serve is refused. SOLEGATE_OUTAGE_MS sets how long Redis is away before gateways are killed.
 */

const OUTAGE_MS = Number(process.env.SOLEGATE_OUTAGE_MS ?? 15_000);
const LEASE_MS = 3_000;
const MINT = 'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }';
const UPDATES = (tripId: string) => `subscription { tripUpdated(tripId: "${tripId}") { status revision } }`;

let database: TestDatabase;
let redis: RedisTestServer;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let checks: ActiveChecks;
let client: RetryingClient;
let settings: Parameters<typeof startComposedGateway>[0];
let watchedCount = 0;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  const jwtSecret = randomBytes(48).toString('base64');
  settings = {
    databaseUrl: await migrateForRuntime(database),
    redisUrl: redis.url,
    jwtSecret,
    leaseWindowMs: LEASE_MS,
  };
  gateways = await Promise.all([startComposedGateway(settings), startComposedGateway(settings)]);
  const ports = gateways.map(({ port }) => port);
  nginx = await startNginx(ports);
  checks = new ActiveChecks(nginx, ports);
  client = new RetryingClient(nginx.url, jwtSecret);
  await prepareFleet(client);
}, 120_000);

afterAll(async () => {
  await checks?.stop();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await redis?.stop();
  await database?.drop();
}, 60_000);

/** Waits until the load has continued for a while. */
async function untilAnswered(count: number): Promise<void> {
  const goal = client.answeredCount + count;
  await until(() => client.answeredCount >= goal, { timeoutMs: 60_000, what: `${count} more answers` });
}

/** A rider requests a trip, subscribes to it, and sees it accepted. */
async function watchTrip(): Promise<void> {
  watchedCount += 1;
  const tripId = String(1_000_000 + watchedCount);
  const rider = await client.tokenFor(BigInt(2_000_000 + watchedCount), ['rider']);
  const driver = await client.tokenFor(BigInt(3_000_000 + watchedCount), ['driver']);
  await client.ask(
    rider,
    `mutation { requestTrip(input: { tripId: "${tripId}", offerTtlMs: 600000 }) { ... on Trip { id } } }`,
  );
  await using subscription = await subscribeThroughNginx(nginx.url, rider, { query: UPDATES(tripId) });
  const answer = await client.ask(
    driver,
    `mutation { acceptTrip(input: { tripId: "${tripId}", offerEpoch: 1 }) { __typename } }`,
  );
  expect(answer).toEqual({ acceptTrip: { __typename: 'TripAccepted' } });
  const isAccepted = (event: unknown) => JSON.stringify(event).includes('"ACCEPTED"');
  await until(() => subscription.events.some(isAccepted), { what: 'The event of an accepted trip' });
  expect(subscription.events.filter((event) => event instanceof Error || Array.isArray(event))).toEqual([]);
}

/** What a gateway answers itself, not through nginx. */
async function askDirectly(gateway: GatewayProcess, query: string, variables?: object) {
  const headers = { authorization: `Bearer ${await client.tokenFor(2n, ['clerk'])}` };
  return gateway.ask<{ issueDocumentNumber?: { number: string } }>(query, {
    headers,
    ...(variables && { variables }),
  });
}

test(
  'with Redis dead, no call that PostgreSQL can serve is refused, and gateways that start become ready',
  async () => {
    const load = new FleetLoad(client, { needsNoNewIds: true });
    load.start();
    await untilAnswered(50);
    await redis.kill();
    const endsAtMs = performance.now() + OUTAGE_MS;

    const late = await startComposedGateway(settings);
    gateways.push(late);
    expect(late.output).toContain('IDS: does not work. Refused with NODE_UNAVAILABLE');
    const memo = { input: { ...SERIES, typeCode: 'MEMO' } };
    expect((await askDirectly(late, ISSUE, memo)).issueDocumentNumber?.number).toMatch(/^TEAM-MEMO-STR-/);
    for (const gateway of gateways) {
      await until(
        () =>
          askDirectly(gateway, MINT).then(
            () => false,
            () => true,
          ),
        {
          timeoutMs: 30_000,
          what: 'The end of the node lease',
        },
      );
    }
    while (performance.now() < endsAtMs) {
      await watchTrip();
      await pause(200);
    }
    await untilAnswered(50);
    expect({ refusals: client.refusals, repeated: client.repeatCount }).toEqual({
      refusals: [],
      repeated: 0,
    });
    expect(checks.takenOut).toEqual([]);

    for (const gateway of gateways.slice(0, 2)) {
      await gateway.end();
      await until(() => checks.takenOut.includes(gateway.port), { what: 'A killed gateway taken out' });
      await watchTrip();
      await gateway.start();
      await untilAnswered(50);
    }
    const record = await load.stop();
    expect(client.refusals).toEqual([]);
    expectPromisesKept(record);
    expect(checks.takenOut).toEqual(gateways.slice(0, 2).map(({ port }) => port));
    process.stdout.write(
      `Redis dead: ${client.answeredCount} calls, ${record.numbers.size} numbers, ${record.winners.size} races, ` +
        `${watchedCount} subscriptions, ${client.repeatCount} repeated, 0 refused\n`,
    );

    const clerk = await client.tokenFor(2n, ['clerk']);
    const query = 'subscription { documentNumberIssued { number } }';
    await using announced = await subscribeThroughNginx(nginx.url, clerk, { query });
    await redis.restart();
    const isAnnounced = async () => {
      await client.ask(clerk, ISSUE, { input: SERIES });
      return announced.events.length > 0;
    };
    await until(isAnnounced, { timeoutMs: 60_000, what: 'A number, for who subscribed without Redis' });
    expect(announced.events[0]).toEqual({ documentNumberIssued: { number: expect.any(String) } });
    for (const gateway of gateways) {
      await until(() => askDirectly(gateway, MINT), { timeoutMs: 60_000, what: 'A node for each gateway' });
    }
  },
  OUTAGE_MS + 240_000,
);
