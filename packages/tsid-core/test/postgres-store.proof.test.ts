import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type PostgresTestServer, startFaultProxy, startPostgresServer, until } from '@solegate/testkit';
import { TSID_42_10_12 } from '../src/index.js';
import { leaseNode } from '../src/node-lease/index.js';
import { CLOCK } from '../src/node-lease/postgres/fleet-memory.js';
import { postgresLeaseStore } from '../src/node-lease/postgres/index.js';
import { mintingMeanwhile } from './fleet/fleet.js';
import { createTables, MovingPool, postgresFleet, QUARANTINE_MS, WINDOW_MS } from './fleet/postgres-fleet.js';
import type { Weakening } from './fleet/weakened-redis.js';

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0).reverse()) await server.stop();
});

const clean = { duplicates: 0, orderBreaks: 0 };

async function startServer(...weakenings: readonly Weakening[]): Promise<PostgresTestServer> {
  const server = await startPostgresServer();
  opened.push(server);
  await createTables(server.url, ...weakenings);
  return server;
}

/** Ends the primary and promotes its standby; a standby that is not synchronous misses the last grant. */
async function promotion(
  { synchronous, renews }: { synchronous: boolean; renews: boolean },
  ...weakenings: readonly Weakening[]
) {
  const primary = await startServer(...weakenings);
  await using proxy = await startFaultProxy(primary.url);
  const standby = await primary.startReplica({ synchronous, through: proxy.url });
  opened.push(standby);
  await using pool = new MovingPool(primary.url);
  const fleet = postgresFleet(pool);
  const first = [await fleet.start('first'), await fleet.start('second')];
  if (!synchronous) proxy.set('blackHole');
  const third = await fleet.start('third', pool, { automatic: renews });
  await fleet.mint([...first, third], 200);
  await primary.kill();
  await standby.promote();
  pool.moveTo(standby.url);
  const living = [...first, third];
  const fourth = await mintingMeanwhile(living, fleet.start('fourth'));
  await fleet.mint([...living, fourth], 500);
  const nodes = [third.lease.node, fourth.lease.node];
  const { rows } = await standby.pool.query('SELECT reason FROM tsid_allocator');
  return { verdict: await fleet.stop(), nodes, reason: rows[0].reason, count: fleet.log.countOf('fourth') };
}

describe('a standby is promoted and the old primary ended', () => {
  test.each([true, false])(
    'synchronous: %s: holders renew, a newcomer waits a quarantine, no IDs are equal',
    async (synchronous) => {
      const { verdict, nodes, reason, count } = await promotion({ synchronous, renews: true });
      expect(verdict).toEqual(clean);
      // A busy machine may let a window end before the standby answers; then the holder has got another node.
      expect(new Set(nodes).size).toBe(2);
      // A holder that renews after the quarantine, knowing a later version, opens another.
      expect(['RESTARTED', 'ROLLED_BACK']).toContain(reason);
      expect(count).toBeGreaterThan(1_000);
    },
  );

  test('without the identity of the server, a lost grant is granted again, and IDs are equal', async () => {
    const blind: Weakening = ['WHEN fleet.server <> this_server', 'WHEN false'];
    const { verdict } = await promotion({ synchronous: false, renews: false }, blind);
    expect(verdict.duplicates).toBeGreaterThan(0);
  });
});

describe('a crash of a server with synchronous_commit off', () => {
  const settings = ['synchronous_commit = off', "wal_writer_delay = '10s'"];

  async function rowsAfterCrash(...weakenings: readonly Weakening[]) {
    const server = await startServer(...weakenings);
    for (const setting of settings) await server.pool.query(`ALTER SYSTEM SET ${setting}`);
    await server.pool.query('SELECT pg_reload_conf()');
    await using pool = new MovingPool(server.url);
    const fleet = postgresFleet(pool);
    const first = await fleet.start('first', pool, { automatic: weakenings.length === 0 });
    await server.kill();
    await server.restart();
    const { rows } = await server.pool.query('SELECT node FROM tsid_nodes');
    pool.moveTo(server.url);
    const second = await mintingMeanwhile([first], fleet.start('second'));
    await fleet.mint([first, second], 300);
    return { rows, nodes: [first.lease.node, second.lease.node], verdict: await fleet.stop() };
  }

  test('loses no grant', async () => {
    const { rows, nodes, verdict } = await rowsAfterCrash();
    expect(rows).toEqual([{ node: 1_023 }]);
    expect(new Set(nodes).size).toBe(2);
    expect(verdict).toEqual(clean);
  });

  test('would lose it if the functions did not wait for the flush; even then no IDs are equal', async () => {
    const lax: Weakening = [`PERFORM set_config('synchronous_commit', 'on', true);`, 'NULL;'];
    const { rows, verdict } = await rowsAfterCrash(lax);
    expect(rows).toEqual([]);
    expect(verdict).toEqual(clean);
  });
});

test('a wait for the synchronous standby that is cancelled grants no node', async () => {
  const primary = await startServer();
  const standby = await primary.startReplica({ synchronous: true });
  opened.push(standby);
  await using pool = new MovingPool(primary.url);
  await standby.pause();
  let isOver = false;
  const claimed = leaseNode({ store: postgresLeaseStore(pool), trustEmptyStore: true })
    .then(() => 'granted')
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  await until(async () => {
    await primary.pool.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%claim%'`,
    );
    return isOver;
  });
  await standby.resume();
  expect(await claimed).toMatchObject({
    code: 'NODE_LEASE_UNAVAILABLE',
    message: expect.stringContaining('without waiting for its standby'),
  });
});

test('a holder that is cut off stops at its ceiling, and takes another node when it is back', async () => {
  const server = await startServer();
  await using proxy = await startFaultProxy(server.url);
  await using pool = new MovingPool(server.url);
  await using cut = new MovingPool(proxy.url);
  const fleet = postgresFleet(pool);
  const cutOff = await fleet.start('cutOff', cut);
  const holder = await fleet.start('holder');
  proxy.set('reset');
  await fleet.mint([cutOff, holder], WINDOW_MS + 500);
  expect(cutOff.refusedCount()).toBeGreaterThan(0);
  const newcomer = await fleet.start('newcomer');
  proxy.set('pass');
  await mintingMeanwhile(
    [cutOff, holder, newcomer],
    until(() => cutOff.lease.health().healthy),
  );
  await fleet.mint([cutOff, holder, newcomer], 500);
  expect(holder.refusedCount()).toBe(0);
  expect(await fleet.stop()).toEqual(clean);
});

test('a server that is frozen for longer than a quarantine costs every process one, and leads to no equal IDs', async () => {
  const server = await startServer();
  await using pool = new MovingPool(server.url);
  const fleet = postgresFleet(pool);
  const members = [await fleet.start('first'), await fleet.start('second')];
  await server.pause();
  await fleet.mint(members, QUARANTINE_MS + 1_000);
  await server.resume();
  const later = await mintingMeanwhile(members, fleet.start('third'));
  await fleet.mint([...members, later], 500);
  const { rows } = await server.pool.query('SELECT reason FROM tsid_allocator');
  expect(rows).toEqual([{ reason: 'SILENT' }]);
  expect(await fleet.stop()).toEqual(clean);
});

test('rows restored from an earlier copy grant no node twice', async () => {
  const server = await startServer();
  await using pool = new MovingPool(server.url);
  const fleet = postgresFleet(pool);
  const first = [await fleet.start('first'), await fleet.start('second')];
  for (const table of ['tsid_nodes', 'tsid_allocator'])
    await server.pool.query(`CREATE TABLE saved_${table} AS SELECT * FROM ${table}`);
  const living = [...first, await fleet.start('third'), await fleet.start('fourth')];
  await mintingMeanwhile(living, pause(QUARANTINE_MS + 100));
  await server.pool.query(`BEGIN; TRUNCATE tsid_nodes, tsid_allocator;
      INSERT INTO tsid_nodes SELECT * FROM saved_tsid_nodes;
      INSERT INTO tsid_allocator SELECT * FROM saved_tsid_allocator; COMMIT`);
  const last = await mintingMeanwhile(living, fleet.start('fifth'));
  await fleet.mint([...living, last], 500);
  expect(await fleet.stop()).toEqual(clean);
});

describe('a copy of the data is restored in the place of a later state', () => {
  /** The third node is granted after the copy, which does not know of it. */
  async function restoredCopy(lease: object, ...weakenings: readonly Weakening[]) {
    const server = await startServer(...weakenings);
    await using pool = new MovingPool(server.url);
    const fleet = postgresFleet(pool);
    const first = [await fleet.start('first', pool, lease), await fleet.start('second', pool, lease)];
    const copy = `${server.dataDir}-copy`;
    await server.kill();
    await promisify(execFile)('cp', ['-a', server.dataDir, copy]);
    await server.restart();
    pool.moveTo(server.url);
    const living = [...first, await mintingMeanwhile(first, fleet.start('third', pool, lease))];
    await server.kill();
    await rm(server.dataDir, { recursive: true });
    await rename(copy, server.dataDir);
    await server.restart();
    pool.moveTo(server.url);
    const last = await mintingMeanwhile(living, fleet.start('fourth', pool, lease));
    await fleet.mint([...living, last], 500);
    const { rows } = await server.pool.query('SELECT reason FROM tsid_allocator');
    return { verdict: await fleet.stop(), reason: rows[0].reason, count: fleet.log.countOf('fourth') };
  }

  test('it opens a quarantine, and no IDs are equal', async () => {
    const { verdict, reason, count } = await restoredCopy({});
    expect(verdict).toEqual(clean);
    // A holder that renews after the quarantine, knowing a later version, opens another.
    expect(['RESTARTED', 'ROLLED_BACK']).toContain(reason);
    expect(count).toBeGreaterThan(1_000);
  });

  test('without the identity of the server, a lost grant is granted again, and IDs are equal', async () => {
    const blind: Weakening = ['WHEN fleet.server <> this_server', 'WHEN false'];
    const unrenewed = { automatic: false, windowMs: 30_000, renewEveryMs: 10_000 };
    const { verdict } = await restoredCopy(unrenewed, blind);
    expect(verdict.duplicates).toBeGreaterThan(0);
  });
});

test('jumps of the clock of the server by an hour lead to no equal IDs', async () => {
  const shifted = `${CLOCK} + (SELECT shift_ms FROM test_clock)`;
  const server = await startServer(
    [CLOCK, shifted],
    [
      'CREATE TABLE tsid_allocator',
      'CREATE TABLE test_clock AS SELECT 0::bigint AS shift_ms; CREATE TABLE tsid_allocator',
    ],
  );
  await using pool = new MovingPool(server.url);
  const fleet = postgresFleet(pool);
  const members = [await fleet.start('first'), await fleet.start('second')];
  for (const shiftMs of [3_600_000, 0, -3_600_000, 0]) {
    await server.pool.query('UPDATE test_clock SET shift_ms = $1', [shiftMs]);
    await fleet.mint(members, WINDOW_MS / 2);
    const asked = leaseNode({ store: postgresLeaseStore(pool), layout: TSID_42_10_12, waitMaxMs: 0 });
    const refused = await asked.then(
      (lease) => lease.release(),
      ({ code }) => code,
    );
    if (shiftMs !== 0) expect(refused).toBe('CLOCK_DIFFERENCE');
  }
  const later = await mintingMeanwhile(members, fleet.start('third'));
  await mintingMeanwhile(
    [...members, later],
    until(() => members.every(({ lease }) => lease.health().healthy)),
  );
  await fleet.mint([...members, later], 500);
  expect(await fleet.stop()).toEqual(clean);
});
