import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import { Redis } from 'ioredis';
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
});
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

  test('and the reverse, until the store is changed by the steps of the README; each change costs a whole quarantine', async () => {
    await using other = await createTestDatabase({ migrations: [] });
    const both = { databaseUrl: await asRuntimeRole(other.url), redisUrl: redis.url };
    const REDIS = { ...POSTGRES, NODE_STORE: 'redis' };
    const changeStoreTo = async (store: 'Redis' | 'PostgreSQL') => {
      const { update, command } = await stepsTo('change it');
      await other.pool.query(update);
      if (store === 'Redis') await inRedis(command);
    };
    const quarantineLeftMs = async (environment: Record<string, string>) => {
      const gateway = await startTestGateway(both, environment);
      const fleet = await gateway.ask('{ nodeFleet { heldNodeCount quarantineLeftMs } }', { as: 'admin-5' });
      await gateway.stop();
      expect(fleet.data.nodeFleet.heldNodeCount).toBe(0);
      return fleet.data.nodeFleet.quarantineLeftMs;
    };

    await (await startTestGateway(both, REDIS)).stop();
    await expect(startTestGateway(both, POSTGRES)).rejects.toMatchObject({ code: 'LEASE_PIN_MISMATCH' });
    await changeStoreTo('PostgreSQL');
    expect(await quarantineLeftMs(POSTGRES)).toBeGreaterThan(20_000);
    // So long that Redis would take it for a fleet that was stopped, and wait two seconds.
    const touched = Number(await inRedis('HGET {sys:tsid}:meta touched'));
    await until(() => Date.now() - touched > 2 * WINDOW_MS, { timeoutMs: 70_000 });
    await changeStoreTo('Redis');
    expect(await quarantineLeftMs(REDIS)).toBeGreaterThan(20_000);
  });
});

test.each(['redis', 'postgres'])(
  'with nodes from %s, the window is lengthened by the steps of the README',
  async (store) => {
    await using other = await createTestDatabase({ migrations: [] });
    await inRedis('FLUSHALL');
    const both = { databaseUrl: await asRuntimeRole(other.url), redisUrl: redis.url };
    const start = (windowMs: number) =>
      startTestGateway(both, { NODE_STORE: store, NODE_LEASE_WINDOW_MS: String(windowMs) });
    const fleetOf = async (gateway: TestGateway) =>
      (await gateway.ask('{ nodeFleet { heldNodeCount } }', { as: 'admin-5' })).data.nodeFleet;
    const before = await start(3_000);
    await until(async () => (await fleetOf(before)).heldNodeCount === 1);
    await before.stop();
    await expect(start(6_000)).rejects.toMatchObject({ code: 'LEASE_PIN_MISMATCH', field: 'quarantineMs' });
    const { update, command } = await stepsTo('lengthen `NODE_LEASE_WINDOW_MS`');
    await (store === 'redis' ? inRedis(command) : other.pool.query(update));
    const after = await start(6_000);
    await until(async () => (await fleetOf(after)).heldNodeCount === 1);
    await after.stop();
  },
);

/** The statement and the command of Redis that the README gives for it. */
async function stepsTo(what: string): Promise<{ update: string; command: string }> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, steps = ''] = readme.split(`To ${what}, stop all gateways, `);
  const [update = '', command = ''] = Array.from(steps.matchAll(/`(.+?)`/g), ([, code = '']) => code);
  return { update, command };
}

async function inRedis(command: string): Promise<unknown> {
  const client = new Redis(redis.url);
  try {
    const [name = '', ...values] = command.split(' ');
    return await client.call(name, ...values);
  } finally {
    client.disconnect();
  }
}

/** Asks for the holder of a node when it made its first ID. */
function holderOf(node: number): string {
  return `tsid(id: "${node << 12}") { holder { holder } }`;
}

test('each cell leases nodes of its own range from its own database; an overlap is refused, and no node of a lost cell is free', async () => {
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
  await system.servers[1]?.kill();
  for (const one of [gateway, await system.gateway(POSTGRES)]) {
    const fleet = await one.ask('{ nodeFleet { heldNodeCount freeNodeCount nodes { node state } } }', {
      as: 'admin-5',
    });
    expect(fleet.errors).toEqual([]);
    const { heldNodeCount, freeNodeCount } = fleet.data.nodeFleet;
    expect(heldNodeCount + freeNodeCount).toBe(512);
    const holders = `{ known: ${holderOf(0)} unknown: ${holderOf(1_023)} }`;
    const { data: held, errors } = await one.ask(holders, { as: 'admin-5' });
    expect(held).toEqual({ known: { holder: null }, unknown: { holder: null } });
    expect(errors).toMatchObject([
      { path: ['unknown', 'holder'], extensions: { reason: 'STORE_UNAVAILABLE' } },
    ]);
    const states = (isLost: boolean) =>
      fleet.data.nodeFleet.nodes
        .filter(({ node }: { node: number }) => node >= 512 === isLost)
        .map(({ state }: { state: string }) => state);
    expect(new Set(states(true))).toEqual(new Set(['QUARANTINED']));
    expect(new Set(states(false))).toEqual(new Set(['FREE', 'HELD']));
  }
});
