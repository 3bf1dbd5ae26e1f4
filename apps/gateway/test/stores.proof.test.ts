import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRedis } from '@solegate/testkit';
import type { DataSource } from 'typeorm';
import { GATEWAY_ENTITIES } from '../src/assembly/entities.js';
import { createDataSource, poolOf } from '../src/stores/data-source.js';
import { migrate } from '../src/stores/schema.js';
import { leaseFromPinned } from '../src/tsid/allocator-pin.js';
import { FileStores, startTestGateway } from './gateway-fixture.js';

const stores = new FileStores();

const dataSourceOf = (url: string, statementTimeoutMs = 10_000): DataSource =>
  createDataSource({
    url,
    entities: GATEWAY_ENTITIES,
    poolMax: 3,
    statementTimeoutMs,
    onPoolError: () => undefined,
  });

describe('migrations', () => {
  test('wait for those of another gateway for longer than a statement may take', async () => {
    await using empty = await createTestDatabase({ migrations: [] });
    await using other = await empty.pool.connect().then((client) => ({
      client,
      [Symbol.asyncDispose]: async () => client.release(),
    }));
    await other.client.query(`SELECT pg_advisory_lock(${0x736f6c6567617465n})`);
    const dataSource = await dataSourceOf(empty.url, 200).initialize();
    const migrating = migrate(dataSource);
    // The client gives up a statement after 1.2 s.
    expect(await Promise.race([migrating, setTimeout(2_000, 'waits')])).toBe('waits');
    await other.client.query('SELECT pg_advisory_unlock_all()');
    expect((await migrating).missing.length).toBeGreaterThan(0);
    await dataSource.destroy();
  });

  test('five gateways start simultaneously on empty stores, and every table is created once', async () => {
    await using empty = await createTestDatabase({ migrations: [] });
    const urls = { databaseUrl: empty.url, redisUrl: stores.redisUrl };
    const start = () => startTestGateway(urls, {}, { migrates: true });
    const gateways = await Promise.all(Array.from({ length: 5 }, start));
    expect(new Set(gateways.map(({ node }) => node)).size).toBe(5);
    const { rows } = await empty.pool.query('SELECT name FROM schema_migrations');
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    const formats = await empty.pool.query('SELECT count(*)::int AS count FROM document_number_formats');
    expect(formats.rows[0].count).toBe(3);
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  test('entities match the migrated tables: TypeORM would change no table and no column', async () => {
    const dataSource = await dataSourceOf(stores.ownerUrl).initialize();
    try {
      await migrate(dataSource);
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      // Checks, indexes and foreign keys are defined only in SQL.
      const changes = upQueries
        .map(({ query }) => query)
        .filter((query) => !/DROP (?:CONSTRAINT|INDEX)/.test(query));
      expect(changes).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });
});

describe('the node ID allocator', () => {
  const lease = (allocatorId: string) => ({ allocatorId, release: async () => undefined });

  test('is pinned by exactly one of several concurrent starts, and only that one may trust an empty Redis', async () => {
    await using fresh = await migrated();
    const asked: { id: string | undefined; isNew: boolean }[] = [];
    const leases = await Promise.all(
      Array.from({ length: 3 }, () =>
        leaseFromPinned(fresh.pool, 'Redis', async (allocator) => {
          asked.push(allocator);
          return lease(allocator.id ?? 'the first');
        }),
      ),
    );
    expect(leases.map(({ allocatorId }) => allocatorId)).toEqual(['the first', 'the first', 'the first']);
    expect(asked.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test('is not pinned by a failed start', async () => {
    await using fresh = await migrated();
    const failing = leaseFromPinned(fresh.pool, 'Redis', () => Promise.reject(new Error('no node')));
    await expect(failing).rejects.toThrow('no node');
    const next = await leaseFromPinned(fresh.pool, 'Redis', async ({ isNew }) => lease(String(isNew)));
    expect(next.allocatorId).toBe('true');
  });

  test('is pinned by a start whose store takes longer than a transaction may be idle, and by those behind it', async () => {
    await using fresh = await migrated(500);
    const starts = Array.from({ length: 2 }, () =>
      leaseFromPinned(fresh.pool, 'Redis', async ({ id }) => {
        // Longer than a statement may take and a transaction may be idle.
        if (id === undefined) await setTimeout(2_000);
        return lease(id ?? 'the first');
      }),
    );
    const leases = await Promise.all(starts);
    expect(leases.map(({ allocatorId }) => allocatorId)).toEqual(['the first', 'the first']);
  });

  test('is not pinned, and the process lives, when its connection ends while the store is asked', async () => {
    await using fresh = await migrated();
    const released: string[] = [];
    const ended = leaseFromPinned(fresh.pool, 'Redis', async () => {
      await fresh.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`);
      return { ...lease('lost'), release: async () => void released.push('lost') };
    });
    await expect(ended).rejects.toThrow();
    expect(released).toEqual(['lost']);
    const next = await leaseFromPinned(fresh.pool, 'Redis', async ({ isNew }) => lease(String(isNew)));
    expect(next.allocatorId).toBe('true');
  });

  test('is not pinned by a commit that fails, and the node that was leased before it is released', async () => {
    await using fresh = await migrated();
    await fresh.pool.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no commit''; END'`,
    );
    await fresh.pool.query(`CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON tsid_allocator
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const released: string[] = [];
    const refused = leaseFromPinned(fresh.pool, 'Redis', async () => ({
      ...lease('lost'),
      release: async () => void released.push('lost'),
    }));
    await expect(refused).rejects.toThrow('no commit');
    expect(released).toEqual(['lost']);
  });

  test("a gateway with another fleet's Redis does not start", async () => {
    await using foreign = await createTestRedis();
    await using other = await createTestDatabase({ migrations: [] });
    const elsewhere = await startTestGateway({ databaseUrl: other.url, redisUrl: foreign.url });
    const first = await startTestGateway(stores);
    const mixed = startTestGateway({ databaseUrl: stores.databaseUrl, redisUrl: foreign.url });
    await expect(mixed).rejects.toMatchObject({ code: 'LEASE_PIN_MISMATCH' });
    await Promise.all([elsewhere.stop(), first.stop()]);
  });
});

interface MigratedDatabase extends AsyncDisposable {
  readonly pool: ReturnType<typeof poolOf>;
}

async function migrated(statementTimeoutMs = 10_000): Promise<MigratedDatabase> {
  const fresh = await createTestDatabase({ migrations: [] });
  const dataSource = await dataSourceOf(fresh.url, statementTimeoutMs).initialize();
  await migrate(dataSource);
  return {
    pool: poolOf(dataSource),
    async [Symbol.asyncDispose]() {
      await dataSource.destroy();
      await fresh.drop();
    },
  };
}
