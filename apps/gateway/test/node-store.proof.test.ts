import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { ACCEPT, CellSystem, REQUEST_TRIP } from './cells-fixture.js';
import { asRuntimeRole, type StoreUrls, startTestGateway, type TestGateway } from './gateway-fixture.js';

/** Redis is dead for longer than a short window, or for SOLEGATE_OUTAGE_MS with windows of the default length. */
const WINDOW_MS = process.env.SOLEGATE_OUTAGE_MS === undefined ? 3_000 : 30_000;
const OUTAGE_MS = Number(process.env.SOLEGATE_OUTAGE_MS ?? 4 * WINDOW_MS);
const POSTGRES = {
  NODE_STORE: 'postgres',
  NODE_LEASE_WINDOW_MS: String(WINDOW_MS),
  RATE_LIMIT_PER_SECOND: '0',
};

const USE = `mutation {
  generateTsids(count: 100) { ... on TsidsGenerated { ids } }
  issueDocumentNumber(input: {
    projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"
  }) { ... on DocumentNumber { sequence } }
}`;

let database: TestDatabase;
let redis: RedisTestServer;
let stores: StoreUrls;
let personCount = 0;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  stores = { databaseUrl: await asRuntimeRole(database.url), redisUrl: redis.url };
}, 120_000);
afterAll(async () => {
  await Promise.all([database?.drop(), redis?.stop()]);
});

/** Mints IDs, issues a number, and has two drivers compete for a trip. */
async function useOnce(gateway: TestGateway): Promise<{ ids: string[]; sequence: number }> {
  personCount += 3;
  const used = await gateway.ask(USE);
  const asked = await gateway.ask(REQUEST_TRIP, { as: `rider-${personCount}` });
  expect([...used.errors, ...asked.errors]).toEqual([]);
  const { id: tripId, offerEpoch } = asked.data.requestTrip;
  const answers = await Promise.all(
    [personCount + 1, personCount + 2].map((driver) =>
      gateway.ask(ACCEPT, { as: `driver-${driver}`, variables: { input: { tripId, offerEpoch } } }),
    ),
  );
  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  const kinds = answers.map(({ data }) => data.acceptTrip.__typename);
  expect(kinds.filter((kind) => kind === 'TripAccepted')).toHaveLength(1);
  return { ids: used.data.generateTsids.ids, sequence: used.data.issueDocumentNumber.sequence };
}

test(
  'with nodes from PostgreSQL, IDs, numbers and trips go on while Redis is dead for longer than a lease',
  async () => {
    const gateways = [await startTestGateway(stores, POSTGRES)];
    await useOnce(gateways[0] as TestGateway);
    await redis.kill();
    gateways.push(await startTestGateway(stores, POSTGRES));
    const ids = new Set<string>();
    const sequences: number[] = [];
    let roundCount = 0;
    for (const endMs = performance.now() + OUTAGE_MS; performance.now() < endMs; roundCount++) {
      for (const gateway of gateways) {
        const used = await useOnce(gateway);
        for (const id of used.ids) ids.add(id);
        sequences.push(used.sequence);
        expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
      }
      await pause(300);
    }
    expect(ids.size).toBe(roundCount * gateways.length * 100);
    expect(sequences).toEqual(Array.from(sequences, (_, index) => (sequences[0] as number) + index));
    const fleet = await gateways[0]?.ask('{ nodeFleet { heldNodeCount } }', { as: 'admin-5' });
    expect(fleet?.data.nodeFleet).toEqual({ heldNodeCount: 2 });
    process.stdout.write(
      `Redis dead for ${OUTAGE_MS} ms: ${ids.size} IDs, ${sequences.length} numbers and trips\n`,
    );
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await redis.restart();
  },
  OUTAGE_MS + 120_000,
);

describe('a database has one store', () => {
  test('a gateway with Redis is refused where PostgreSQL grants the nodes', async () => {
    await expect(startTestGateway(stores)).rejects.toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
      message: expect.stringContaining('UPDATE tsid_allocator SET store = NULL'),
    });
  });

  test('and the reverse, until the store is changed as the error says', async () => {
    await using other = await createTestDatabase({ migrations: [] });
    const both = { databaseUrl: await asRuntimeRole(other.url), redisUrl: redis.url };
    await (await startTestGateway(both)).stop();
    await expect(startTestGateway(both, POSTGRES)).rejects.toMatchObject({ code: 'LEASE_PIN_MISMATCH' });
    await other.pool.query('UPDATE tsid_allocator SET store = NULL');
    await (await startTestGateway(both, POSTGRES)).stop();
  }, 120_000);
});

test('each cell leases nodes of its own range from its own database, and a list that overlaps is refused', async () => {
  await using system = await CellSystem.start(2);
  const gateway = await system.gateway(POSTGRES);
  const { data } = await gateway.ask('{ nodeFleet { heldNodeCount nodes(state: HELD) { node } } }', {
    as: 'admin-5',
  });
  expect(data.nodeFleet).toEqual({ heldNodeCount: 2, nodes: [{ node: 511 }, { node: 1_023 }] });
  const list = system.list.replace('[0,511]', '[0,400]').replace('[512,1023]', '[401,1023]');
  await expect(system.gateway({ ...POSTGRES, DATABASE_URL: list })).rejects.toMatchObject({
    code: 'LEASE_PIN_MISMATCH',
    field: 'nodes',
  });
}, 120_000);
