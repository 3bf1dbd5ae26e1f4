import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseTsid } from '@solegate/client';
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
import { FleetLoad, ISSUE, type LoadRecord, prepareFleet, SERIES } from './fleet-load.js';
import { follow, readerOf } from './fleet-reader.js';
import { migrateForRuntime } from './migrated-database.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { RetryingClient } from './retrying-client.js';

/*
 * Two gateways behind nginx with active health checks. Redis is killed under load of numbers, accepts and subscriptions, for
 * longer than a node lease; a gateway starts meanwhile; then each of the two is killed and started without Redis. No call
 * that PostgreSQL could serve is refused, and readers of feeds miss nothing. With nodes from PostgreSQL, that is every call.
 * SOLEGATE_OUTAGE_MS sets how long Redis is away before gateways are killed.
 */

const OUTAGE_MS = Number(process.env.SOLEGATE_OUTAGE_MS ?? 15_000);
/** Those of Redis end early in the outage; those of PostgreSQL are renewed throughout, also on a busy machine. */
const LEASE_MS = { redis: 3_000, postgres: 10_000 } as const;
const MINT = 'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }';
const { projectCode, typeCode } = SERIES;

let database: TestDatabase;
let redis: RedisTestServer;
let gateways: GatewayProcess[];
let nginx: NginxServer;
let checks: ActiveChecks;
let client: RetryingClient;
let settings: Parameters<typeof startComposedGateway>[0];
let watchedCount: number;

async function start(nodeStore: 'redis' | 'postgres'): Promise<void> {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  const jwtSecret = randomBytes(48).toString('base64');
  settings = {
    databaseUrl: await migrateForRuntime(database),
    redisUrl: redis.url,
    jwtSecret,
    leaseWindowMs: LEASE_MS[nodeStore],
    nodeStore,
  };
  gateways = await Promise.all([startComposedGateway(settings), startComposedGateway(settings)]);
  const ports = gateways.map(({ port }) => port);
  nginx = await startNginx(ports);
  checks = new ActiveChecks(nginx, ports);
  client = new RetryingClient(nginx.url, jwtSecret);
  watchedCount = 0;
  await prepareFleet(client);
}

async function stop(): Promise<void> {
  await checks?.stop();
  await nginx?.stop();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await redis?.stop();
  await database?.drop();
}

/** A rider requests a trip, subscribes to it, and sees it accepted. */
async function watchTrip(): Promise<void> {
  watchedCount += 1;
  const tripId = String(1_000_000 + watchedCount);
  const token = await client.tokenFor(BigInt(2_000_000 + watchedCount), ['rider']);
  const driver = await client.tokenFor(BigInt(3_000_000 + watchedCount), ['driver']);
  await client.ask(
    token,
    `mutation { requestTrip(input: { tripId: "${tripId}", offerTtlMs: 600000 }) { ... on Trip { id } } }`,
  );
  await using rider = readerOf(nginx.url, { token });
  const updates = follow((options) =>
    rider.tripUpdated({ tripId: parseTsid(tripId), afterRevision: 0 }, options),
  );
  const isFollowed = () => updates.events.length > 0;
  await until(isFollowed, { what: 'The first event of a trip' });
  const answer = await client.ask(
    driver,
    `mutation { acceptTrip(input: { tripId: "${tripId}", offerEpoch: 1 }) { __typename } }`,
  );
  expect(answer).toEqual({ acceptTrip: { __typename: 'TripAccepted' } });
  const isAccepted = () => updates.events.at(-1)?.status === 'ACCEPTED';
  await until(isAccepted, { what: 'The event of an accepted trip' });
  expect(updates.error).toBeUndefined();
}

/** Follows all numbers of a series and all trips, from before the outage to its end. */
async function followAll(channel: 'events' | 'socket') {
  const reader = readerOf(nginx.url, { token: await client.tokenFor(1n, ['admin']), channel });
  const numbers = follow((options) => reader.documentNumberFacts({ projectCode, typeCode }, options));
  const trips = follow((options) => reader.tripEvents({}, options));
  const issued = () => numbers.events.flatMap(({ facts }) => facts.map(({ number }) => number.number));
  const accepted = ({ winners }: LoadRecord) =>
    trips.events
      .flatMap(({ events }) => events)
      .filter(({ type, tripId }) => type === 'TRIP_ACCEPTED' && winners.has(tripId));
  return {
    reconnectCount: () => numbers.reconnectCount + trips.reconnectCount,
    /** Waits until everything was read, and expects each number and each winner of the load once. */
    async hasRead(record: LoadRecord): Promise<void> {
      const isComplete = () =>
        issued().length >= record.numbers.size && accepted(record).length >= record.winners.size;
      await until(isComplete, { what: 'All facts and events' });
      expect([numbers.error, trips.error]).toEqual([undefined, undefined]);
      expect(issued()).toEqual([...record.numbers.values()].toSorted());
      const read = accepted(record);
      expect(read).toHaveLength(record.winners.size);
      const winners = new Map<string, unknown>(
        read.map(({ tripId, driverId }) => [tripId, new Set([driverId])]),
      );
      expect(winners).toEqual(record.winners);
    },
    [Symbol.asyncDispose]: () => reader.close(),
  };
}

/** What a gateway answers itself, not through nginx. */
async function askDirectly(gateway: GatewayProcess, query: string, variables?: object) {
  const headers = { authorization: `Bearer ${await client.tokenFor(2n, ['clerk'])}` };
  return gateway.ask<{ issueDocumentNumber?: { number: string } }>(query, {
    headers,
    ...(variables && { variables }),
  });
}

/** What nginx logs of a request that this gateway answered. */
function servedBy({ port }: GatewayProcess): string {
  return `"gateways":"127.0.0.1:${port}","statuses":"200"`;
}

/** Waits until the node lease of every gateway has ended. */
async function untilNoNode(): Promise<void> {
  for (const gateway of gateways) {
    const isRefused = () =>
      askDirectly(gateway, MINT).then(
        () => false,
        () => true,
      );
    await until(isRefused, { what: 'The end of the node lease' });
  }
}

async function untilNode(gateway: GatewayProcess): Promise<void> {
  await until(() => askDirectly(gateway, MINT), { what: 'A node for a gateway' });
}

/** Starts a gateway while Redis is away. */
async function startLate(): Promise<GatewayProcess> {
  const late = await startComposedGateway(settings);
  gateways.push(late);
  const memo = { input: { ...SERIES, typeCode: 'MEMO' } };
  expect((await askDirectly(late, ISSUE, memo)).issueDocumentNumber?.number).toMatch(/^TEAM-MEMO-STR-/);
  return late;
}

describe.each(['redis', 'postgres'] as const)('Redis is dead, and nodes are granted by %s', (nodeStore) => {
  beforeAll(() => start(nodeStore));
  afterAll(stop);

  test(
    'no call that PostgreSQL can serve is refused, and gateways that start become ready',
    async () => {
      const load = new FleetLoad(client, { needsNoNewIds: nodeStore === 'redis' });
      load.start();
      await using byEvents = await followAll('events');
      await using bySocket = await followAll('socket');
      await load.untilAnswered(50);
      await redis.kill();
      const endsAtMs = performance.now() + OUTAGE_MS;

      const late = await startLate();
      if (nodeStore === 'redis') {
        expect(late.output).toContain('IDS: does not work. Refused with NODE_UNAVAILABLE');
        await untilNoNode();
      } else await untilNode(late);
      while (performance.now() < endsAtMs) {
        await watchTrip();
        await pause(200);
      }
      await load.untilAnswered(50);
      expect(client.repeats).toEqual([]);
      expect(checks.unready).toEqual([]);

      for (const gateway of gateways.slice(0, 2)) {
        const before = checks.takenOut.length;
        await gateway.end();
        await until(() => checks.takenOut.slice(before).includes(gateway.port), {
          what: 'A killed gateway taken out',
        });
        await watchTrip();
        const { length } = await nginx.log();
        await gateway.start();
        // The next gateway must not be killed while nginx still leaves this one out.
        const isBack = async () => (await nginx.log()).slice(length).includes(servedBy(gateway));
        await until(isBack, { what: 'A gateway put back in' });
        await load.untilAnswered(50);
      }
      const record = await load.stop();
      expect(client.refusals).toEqual([]);
      expectPromisesKept(record);
      await byEvents.hasRead(record);
      await bySocket.hasRead(record);
      // The gateways were killed while they served these subscriptions.
      expect(byEvents.reconnectCount() + bySocket.reconnectCount()).toBeGreaterThan(0);
      process.stdout.write(
        `Redis dead for ${OUTAGE_MS} ms, nodes by ${nodeStore}: ${client.answeredCount} calls, ` +
          `${record.numbers.size} numbers, ${record.winners.size} races, ${record.ids.length} IDs, ` +
          `${watchedCount} riders, ${client.repeats.length} repeated, 0 refused\n`,
      );
    },
    OUTAGE_MS + 240_000,
  );

  test('once Redis is back, those who subscribed without it hear of numbers, and each gateway has a node', async () => {
    const token = await client.tokenFor(2n, ['clerk']);
    await using reader = readerOf(nginx.url, { token });
    const announced = follow((options) => reader.documentNumberIssued({}, options));
    await until(() => reader.status.kind === 'CONNECTED', { what: 'A subscription without Redis' });
    await redis.restart();
    const isAnnounced = async () => {
      await client.ask(token, ISSUE, { input: SERIES });
      return announced.events.length > 0;
    };
    await until(isAnnounced, { what: 'A number, for who subscribed without Redis' });
    for (const gateway of gateways) await untilNode(gateway);
  });
});
