import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type PostgresTestServer,
  startFaultProxy,
  startPostgresServer,
  until,
} from '../src/index.js';

let server: PostgresTestServer;

beforeAll(async () => {
  server = await startPostgresServer();
  await server.pool.query('CREATE TABLE fact (id int PRIMARY KEY)');
});

beforeEach(async () => {
  await server.pool.query('TRUNCATE fact');
});

afterAll(() => server.stop());

const facts = async (of = server) =>
  (await of.pool.query('SELECT id FROM fact ORDER BY id')).rows.map(({ id }) => id);

test('crash: all sessions end, committed data is kept', async () => {
  await server.pool.query('INSERT INTO fact VALUES (1)');
  const session = await server.pool.connect();
  await session.query('BEGIN');
  await session.query('INSERT INTO fact VALUES (2)');
  await server.crash();
  await expect(session.query('COMMIT')).rejects.toThrow();
  session.release(true);
  expect(await until(facts)).toEqual([1]);
});

test('kill -9 and restart: committed data and the port are kept', async () => {
  const { port, pid } = server;
  await server.pool.query('INSERT INTO fact VALUES (1)');
  await server.kill();
  await expect(server.pool.query('SELECT')).rejects.toThrow();
  await server.restart();
  expect(await until(facts)).toEqual([1]);
  expect(server.port).toBe(port);
  expect(server.pid).not.toBe(pid);
});

test('its shared memory is among its data, which are removed with it, also after a restart', async () => {
  const held = () => readdir(join(server.dataDir, 'pg_dynshmem'));
  expect(await held()).toContainEqual(expect.stringMatching(/^mmap\./));
  await server.restart();
  expect(await held()).toContainEqual(expect.stringMatching(/^mmap\./));
});

test('a running server restarts gracefully', async () => {
  await server.pool.query('INSERT INTO fact VALUES (1)');
  await server.restart();
  expect(await until(facts)).toEqual([1]);
});

test('a paused server answers once it is resumed', async () => {
  await server.pause();
  const late = server.pool.query('INSERT INTO fact VALUES (1)');
  const outcome = await Promise.race([late, until(() => false, { timeoutMs: 200 }).catch(() => 'silence')]);
  expect(outcome).toBe('silence');
  await server.resume();
  expect((await late).rowCount).toBe(1);
});

test("terminateBackends ends the sessions of a database, except the administrator's", async () => {
  await using database = await createTestDatabase({ migrations: [], serverUrl: server.url });
  await using other = await createTestDatabase({ migrations: [], serverUrl: server.url });
  const [client, spared] = [await database.pool.connect(), await other.pool.connect()];
  expect(await server.terminateBackends(new URL(database.url).pathname.slice(1))).toBe(1);
  await expect(client.query('SELECT')).rejects.toThrow();
  expect((await spared.query('SELECT')).rowCount).toBe(1);
  expect(await server.terminateBackends()).toBe(1);
  client.release(true);
  spared.release(true);
});

test('a lost reply to COMMIT: the row exists, but the caller cannot know', async () => {
  await using proxy = await startFaultProxy(server.url);
  await using database = await createTestDatabase({ migrations: [], serverUrl: proxy.url });
  await database.pool.query('CREATE TABLE fact (id int PRIMARY KEY)');
  const client = await database.pool.connect();
  proxy.set('cutAfterReply', { count: 1, matching: 'COMMIT' });
  await client.query('BEGIN');
  await client.query('INSERT INTO fact VALUES (1)');
  await expect(client.query('COMMIT')).rejects.toThrow('Connection terminated unexpectedly');
  client.release(true);
  expect((await database.pool.query('SELECT id FROM fact')).rows).toEqual([{ id: 1 }]);
});

test('a test database of this server survives a crash, also when another is created afterwards', async () => {
  await using database = await createTestDatabase({ migrations: [], serverUrl: server.url });
  await server.crash();
  await using _later = await createTestDatabase({ migrations: [], serverUrl: server.url });
  expect(await until(() => database.pool.query('SELECT 1 AS alive'))).toMatchObject({ rows: [{ alive: 1 }] });
});

test('a database whose server has ended can be dropped', async () => {
  const gone = await startPostgresServer();
  const database = await createTestDatabase({ migrations: [], serverUrl: gone.url });
  await gone.kill();
  await database.drop();
  await gone.stop();
});

describe('replicas', () => {
  test('a synchronous replica loses nothing when the primary is killed and it is promoted', async () => {
    await using primary = await startPostgresServer();
    await primary.pool.query('CREATE TABLE fact (id int PRIMARY KEY)');
    await using replica = await primary.startReplica({ synchronous: true });
    await primary.pool.query('INSERT INTO fact VALUES (1)');
    await primary.kill();
    await replica.promote();
    expect(await facts(replica)).toEqual([1]);
    expect((await replica.pool.query('INSERT INTO fact VALUES (2)')).rowCount).toBe(1);
  });

  test('commits wait for a synchronous replica and do not wait for an asynchronous one', async () => {
    await using primary = await startPostgresServer();
    await primary.pool.query('CREATE TABLE fact (id int PRIMARY KEY)');
    await using asynchronous = await primary.startReplica({ synchronous: false });
    await asynchronous.pause();
    await primary.pool.query('INSERT INTO fact VALUES (1)');
    await asynchronous.resume();
    await until(async () => (await facts(asynchronous)).length === 1);

    await using synchronous = await primary.startReplica({ synchronous: true });
    await synchronous.pause();
    const commit = primary.pool.query('INSERT INTO fact VALUES (2)');
    await until(async () => (await primary.pool.query(WAITING_COMMITS)).rowCount === 1);
    await synchronous.resume();
    expect((await commit).rowCount).toBe(1);
  });

  test('an asynchronous replica behind a black hole lacks later commits', async () => {
    await using primary = await startPostgresServer();
    await primary.pool.query('CREATE TABLE fact (id int PRIMARY KEY)');
    await using proxy = await startFaultProxy(primary.url);
    await using replica = await primary.startReplica({ synchronous: false, through: proxy.url });
    await primary.pool.query('INSERT INTO fact VALUES (1)');
    await until(async () => (await facts(replica)).length === 1);
    proxy.set('blackHole');
    await primary.pool.query('INSERT INTO fact VALUES (2)');
    await primary.kill();
    await proxy.close();
    await replica.promote();
    expect(await facts(replica)).toEqual([1]);
  });
});

const WAITING_COMMITS = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
