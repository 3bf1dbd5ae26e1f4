import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SqlPool, SqlStatement } from '@solegate/postgres-infra';
import { createTestDatabase, race, type TestDatabase, until } from '@solegate/testkit';
import pg from 'pg';
import { createTsidGenerator, explain } from '../src/index.js';
import { leaseNode, listNodeLeases, type NodeLease, type NodeLeaseOptions } from '../src/node-lease/index.js';
import {
  migrateNodeLeases,
  nodeLeaseGrants,
  nodeLeaseMigrations,
  type PostgresLeaseStoreOptions,
  pinAllocator,
  postgresLeaseStore,
} from '../src/node-lease/postgres/index.js';

const leases: NodeLease[] = [];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: nodeLeaseMigrations });
});
afterEach(async () => {
  await Promise.all(leases.splice(0).map((lease) => lease.release()));
  await database.pool.query('TRUNCATE tsid_nodes, tsid_allocator, tsid_node_ranges');
});
afterAll(() => database.drop());

async function leased(
  options: Partial<NodeLeaseOptions> = {},
  { pool = database.pool, ...stored }: PostgresLeaseStoreOptions & { pool?: TestDatabase['pool'] } = {},
): Promise<NodeLease> {
  const lease = await leaseNode({
    store: postgresLeaseStore(pool, stored),
    automatic: false,
    waitMaxMs: 0,
    trustEmptyStore: true,
    ...options,
  });
  leases.push(lease);
  return lease;
}

test('a node is leased, renewed with one statement, listed, and free again right above the last ID', async () => {
  const texts: string[] = [];
  const heard: SqlPool = {
    async connect() {
      const session = await database.pool.connect();
      const query = (statement: SqlStatement) => {
        texts.push(statement.text);
        return session.query(statement);
      };
      return { query, release: (error) => session.release(error) };
    },
  };
  const lease = await leased({ holder: 'first', store: postgresLeaseStore(heard) });
  const ids = createTsidGenerator({ lease, namespace: 'postgres-store' });
  const { timeMs, node } = explain(ids.next());
  expect(node).toBe(1_023);
  await until(() => texts.some((text) => text.includes('fsync')));
  texts.length = 0;
  await lease.renew();
  expect(texts).toEqual([expect.stringContaining('tsid_node_renew_v1')]);
  expect(lease.health()).toMatchObject({ healthy: true, freeNodeCount: 1_023, lastFailure: undefined });
  expect(await listNodeLeases(postgresLeaseStore(database.pool))).toMatchObject({
    leases: [{ node, holder: 'first', ceilingMs: lease.health().ceilingMs }],
    allocatorId: lease.allocatorId,
    nodeCount: 1_024,
    quarantineLeftMs: 0,
  });
  await lease.release();
  const { ended } = await listNodeLeases(postgresLeaseStore(database.pool));
  expect(ended.map(({ ceilingMs }) => ceilingMs)).toEqual([timeMs + 1]);
  ids.close();
});

test.each([
  ['nothing', undefined],
  ['a URL', 'postgres://host'],
  ['a single client', new pg.Client()],
  ['a data source', { createQueryRunner() {}, initialize() {}, driver: { master: new pg.Pool() } }],
])('%s in the place of a pool is refused at once', (_, given) => {
  expect(() => postgresLeaseStore(given as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_LEASE_OPTIONS',
      message: expect.stringContaining('a Pool of pg'),
    }),
  );
});

test('of 30 claims at once, each gets a node of its own', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => leased()));
  expect(new Set(all.map(({ node }) => node)).size).toBe(30);
});

test('a full range is refused with the time until the next window ends', async () => {
  await leased();
  const nodes = { first: 3, last: 4 };
  const held = [await leased({ nodes }), await leased({ nodes })];
  expect(held.map(({ node }) => node)).toEqual([4, 3]);
  expect(held.map((lease) => lease.health().freeNodeCount)).toEqual([1, 0]);
  await held[0]?.renew();
  expect(held[0]?.health()).toMatchObject({ nodeCount: 2, freeNodeCount: 0 });
  await expect(leased({ nodes })).rejects.toMatchObject({ code: 'NODES_EXHAUSTED', liveCount: 2 });
});

test('tables that remember nothing are trusted only on demand', async () => {
  await expect(leased({ trustEmptyStore: false })).rejects.toMatchObject({
    code: 'NODE_LEASE_QUARANTINED',
    reason: 'EMPTY',
    message: expect.stringContaining('PostgreSQL remembers no leases'),
  });
  expect((await leased()).node).toBe(1_023);
});

describe('a fleet has one store', () => {
  test('a process that leases from PostgreSQL is refused where Redis grants the nodes, and the reverse', async () => {
    await pinAllocator(database.pool, { store: 'Redis', allocatorId: 'of Redis' });
    await pinAllocator(database.pool, { store: 'Redis', allocatorId: 'of Redis' });
    await expect(leased()).rejects.toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
      field: 'store',
      message: expect.stringContaining('UPDATE tsid_allocator SET store = NULL'),
    });
    await database.pool.query('UPDATE tsid_allocator SET store = NULL');
    const { allocatorId } = await leased();
    expect(allocatorId).toBe('of Redis');
    await expect(pinAllocator(database.pool, { store: 'Redis', allocatorId })).rejects.toMatchObject({
      code: 'LEASE_PIN_MISMATCH',
      field: 'store',
    });
  });

  test('of both at once, one is refused', async () => {
    const tries = await race(2, async (index) =>
      index === 0
        ? leased().then(() => 'PostgreSQL')
        : pinAllocator(database.pool, { store: 'Redis', allocatorId: 'of Redis' }).then(() => 'Redis'),
    );
    const won = tries.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const { rows } = await database.pool.query('SELECT store FROM tsid_allocator');
    expect(won).toEqual(rows.map(({ store }) => store));
  });

  test('layout, epoch and allocator are those of the first grant', async () => {
    await leased({ allocatorId: 'one' });
    await expect(leased({ allocatorId: 'other' })).rejects.toMatchObject({ field: 'allocatorId' });
  });
});

describe('regions', () => {
  const regions = { north: { first: 0, last: 511 }, south: { first: 512, last: 1_023 } };

  test('keep their nodes: what overlaps, differs or lies in none is refused, and pins nothing', async () => {
    expect((await leased({ nodes: regions.north }, { regions })).node).toBe(511);
    const faults = [
      [{ nodes: { first: 0, last: 512 } }, { north: { first: 0, last: 512 } }],
      [{ nodes: { first: 500, last: 520 } }, { west: { first: 500, last: 520 } }],
      [{}, {}],
    ] as const;
    for (const [options, others] of faults) {
      await expect(leased(options, { regions: others })).rejects.toMatchObject({
        code: 'LEASE_PIN_MISMATCH',
        field: 'nodes',
      });
    }
    const { rows } = await database.pool.query('SELECT region, nodes::text FROM tsid_node_ranges ORDER BY 1');
    expect(rows).toEqual([
      { region: 'north', nodes: '[0,512)' },
      { region: 'south', nodes: '[512,1024)' },
    ]);
  });

  const refused = { code: 'LEASE_PIN_MISMATCH', field: 'nodes' };

  test('are needed from the first grant on: a process whose nodes lie in none of them is refused', async () => {
    await expect(leased({}, { regions })).rejects.toMatchObject({ ...refused, pinned: '0 to 511 for north' });
    await expect(leased({ nodes: { first: 500, last: 600 } }, { regions })).rejects.toMatchObject(refused);
  });

  test('have a database each, named by the first grant: nodes of another region are refused', async () => {
    expect((await leased({ nodes: regions.south }, { regions })).node).toBe(1_023);
    const wrong = { ...refused, pinned: '512 to 1023 for south' };
    await expect(leased({ nodes: regions.north }, { regions })).rejects.toMatchObject(wrong);
    await expect(leased({ nodes: regions.north })).rejects.toMatchObject(wrong);
    await expect(leased({ nodes: regions.south }, { regions, region: 'north' })).rejects.toMatchObject(wrong);
    expect((await leased({ nodes: { first: 600, last: 700 } })).node).toBe(700);
  });

  test('have a database each, named by its processes: not even the first grant can be of another region', async () => {
    await expect(leased({ nodes: regions.north }, { regions, region: 'south' })).rejects.toMatchObject(
      refused,
    );
    expect((await leased({ nodes: regions.south }, { regions, region: 'south' })).node).toBe(1_023);
  });

  test('cannot overlap, whoever writes the rows', async () => {
    const insert = `INSERT INTO tsid_node_ranges VALUES ('a', '[0,9]'), ('b', '[9,20]')`;
    await expect(database.pool.query(insert)).rejects.toMatchObject({
      constraint: 'tsid_node_ranges_apart',
    });
  });
});

describe('rows that are not those that were written last', () => {
  /** As if the last contact had been this long ago, written by the transaction that wrote the row. */
  const silentFor = (ms: number) =>
    database.pool.query(
      `UPDATE tsid_allocator SET touched_ms = touched_ms - ${ms}, written_in = pg_current_xact_id()`,
    );
  /** The row is then written by another transaction, as after COPY. */
  const restored = () => database.pool.query('UPDATE tsid_allocator SET version = version');
  const refused = async () => {
    const { code, reason, leftMs } = await leased({ trustEmptyStore: false }).catch((error) => error);
    return { code, reason, isShort: leftMs <= 2_000 };
  };
  const code = 'NODE_LEASE_QUARANTINED';

  test('open a quarantine when some of the nodes are lost', async () => {
    await leased();
    await leased();
    await database.pool.query('DELETE FROM tsid_nodes WHERE node = 1023');
    expect(await refused()).toEqual({ code, reason: 'ENTRIES_LOST', isShort: false });
  });

  test('open a full one after a silence of an idle fleet, which otherwise waits two seconds', async () => {
    await (await leased()).release();
    await silentFor(36_000);
    expect(await refused()).toEqual({ code, reason: 'IDLE', isShort: true });
    await database.pool.query('UPDATE tsid_allocator SET safe_after_ms = 0');
    await silentFor(36_000);
    await restored();
    expect(await refused()).toEqual({ code, reason: 'ROLLED_BACK', isShort: false });
  });

  test('stay copies when a node is released in them', async () => {
    const lease = await leased();
    await silentFor(36_000);
    await restored();
    await lease.release();
    expect(await refused()).toEqual({ code, reason: 'ROLLED_BACK', isShort: false });
  });
});

test('a claim whose reply was lost gets the same grant again, and writes it again', async () => {
  const store = postgresLeaseStore(database.pool);
  let isFirst = true;
  const lease = await leased({
    store: {
      ...store,
      async claim(request) {
        const reply = await store.claim(request);
        if (!isFirst) return reply;
        isFirst = false;
        throw new Error('lost');
      },
      faultOf: () => ({ isUnknown: true, isPermanent: false, explain: () => '' }),
    },
  });
  expect(lease.node).toBe(1_023);
  expect(lease.health().freeNodeCount).toBe(1_023);
  const { rows } = await database.pool.query('SELECT version FROM tsid_allocator');
  expect(rows).toEqual([{ version: '2' }]);
});

test('a role with the grants can lease through the functions, and change no table itself', async () => {
  const role = `tsid_runtime_${process.pid}`;
  await database.pool.query(`CREATE ROLE ${role}`);
  const client = await database.pool.connect();
  try {
    for (const grant of nodeLeaseGrants(role)) await client.query(grant);
    await client.query(`SET ROLE ${role}`);
    const one = { connect: async () => ({ query: client.query.bind(client), release() {} }) };
    await leased({}, { pool: one as never });
    await expect(client.query('UPDATE tsid_nodes SET ceiling_ms = 0')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(client.query('SELECT tsid_fleet_save_v1(a) FROM tsid_allocator a')).rejects.toMatchObject({
      code: '42501',
    });
    await leases.pop()?.release();
  } finally {
    await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    client.release();
  }
});

test('everybody else may run nothing, and a search path does not change what the functions see', async () => {
  const { rows } = await database.pool.query(`
    SELECT proname FROM pg_proc WHERE proname LIKE 'tsid\\_%' AND (NOT 'search_path=public, pg_temp' = ANY (proconfig)
      OR proconfig IS NULL OR has_function_privilege('pg_monitor', oid, 'EXECUTE'))`);
  expect(rows).toEqual([]);
});

test('migrating twice changes nothing, and missing tables are named', async () => {
  await migrateNodeLeases(database.pool);
  expect(await migrateNodeLeases(database.pool)).toEqual({ applied: [], takenOver: [] });
  await database.pool.query('DROP FUNCTION tsid_node_claim_v1');
  await expect(leased()).rejects.toMatchObject({ code: 'NODE_LEASE_UNAVAILABLE' });
});
