import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRedis,
  runGateway,
  type TestDatabase,
  type TestRedis,
} from '@solegate/testkit';
import pg from 'pg';
import { readCommand } from '../src/process/command.js';
import { runMigrate } from '../src/process/migrate-command.js';
import { runtimeGrants } from '../src/stores/runtime-grants.js';
import { asRuntimeRole, RUNTIME_ROLE, startTestGateway, type TestGateway } from './gateway-fixture.js';
import { serve } from './gateway-process.js';

let database: TestDatabase;
let redis: TestRedis;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), createTestRedis()]);
});

afterAll(async () => {
  await Promise.all([database?.drop(), redis?.drop()]);
});

test('while the job runs, four starting gateways refuse to serve until the tables exist', async () => {
  // The role exists but has no rights in this database yet.
  await using roleMaker = await createTestDatabase({ migrations: [] });
  await asRuntimeRole(roleMaker.url);
  const databaseUrl = new URL(database.url);
  databaseUrl.username = RUNTIME_ROLE;
  const stores = { databaseUrl: databaseUrl.href, redisUrl: redis.url };
  let refusalCount = 0;
  // Restarts a gateway that exited, like a container runtime.
  const startAgain = async (): Promise<TestGateway> => {
    try {
      return await startTestGateway(stores);
    } catch (error) {
      if (!isSchemaMismatch(error)) throw error;
      refusalCount += 1;
      await pause(250);
      return startAgain();
    }
  };
  const starting = Array.from({ length: 4 }, startAgain);
  const job = await runGateway({
    environment: { DATABASE_URL: database.url },
    command: ['migrate', '--runtime-role', RUNTIME_ROLE],
  });
  expect(job).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^Migrated: MasterData\d+, .*\n.* has the rights of a gateway\.\n$/),
  });
  const gateways = await Promise.all(starting);
  expect(refusalCount).toBeGreaterThan(0);
  expect(new Set(gateways.map(({ node }) => node)).size).toBe(4);
  await Promise.all(gateways.map((gateway) => gateway.stop()));
});

function isSchemaMismatch(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SCHEMA_MISMATCH';
}

describe('tables of another version', () => {
  const stores = async () => ({ databaseUrl: await asRuntimeRole(database.url), redisUrl: redis.url });

  afterAll(() => database.pool.query(`DELETE FROM schema_migrations WHERE name LIKE 'FromTheFuture%'`));

  test('that are older are refused with the command to run', async () => {
    const urls = await stores();
    const { rows } = await database.pool.query(
      'DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING *',
    );
    const [{ timestamp, name }] = rows;
    await expect(startTestGateway(urls)).rejects.toMatchObject({
      code: 'SCHEMA_MISMATCH',
      missing: [name],
      message: expect.stringContaining('main.js migrate'),
    });
    await database.pool.query('INSERT INTO schema_migrations (timestamp, name) VALUES ($1, $2)', [
      timestamp,
      name,
    ]);
  });

  test('that are newer are served with a warning, so that a release can be rolled back', async () => {
    const urls = await stores();
    const name = 'FromTheFuture9999999999999';
    await database.pool.query('INSERT INTO schema_migrations (timestamp, name) VALUES ($1, $2)', [
      9_999_999_999_999,
      name,
    ]);
    await using gateway = await serve({
      DATABASE_URL: urls.databaseUrl,
      REDIS_URL: urls.redisUrl,
    });
    expect(gateway.output).toMatch(new RegExp(`${name}.*migrated by a newer gateway`));
    await runMigrate({ databaseUrl: database.url, runtimeRole: undefined });
  });
});

describe('the role of gateways', () => {
  let role: pg.Client;

  beforeAll(async () => {
    const url = new URL(await asRuntimeRole(database.directUrl));
    role = new pg.Client({ connectionString: url.href });
    await role.connect();
  });

  afterAll(() => role?.end());

  test.each([
    'CREATE TABLE mine (id int)',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$SELECT 1$$',
    'ALTER TABLE trips ADD COLUMN mine int',
    'ALTER TABLE document_numbers DISABLE TRIGGER ALL',
    'DROP TABLE trip_outbox',
    'TRUNCATE trip_outbox',
    'DELETE FROM document_numbers',
    'INSERT INTO document_numbers SELECT * FROM document_numbers',
    'UPDATE document_numbers SET reason = reason',
    'UPDATE document_number_counters SET last_number = last_number + 1',
    'UPDATE document_number_series SET identity = gen_random_uuid()',
    'INSERT INTO document_number_events (type, space, actor) VALUES ($$x$$, $$x$$, $$x$$)',
    'DELETE FROM document_number_events',
    'UPDATE document_number_events SET actor = actor',
    'DELETE FROM trips',
    'DELETE FROM tsid_allocator',
    'UPDATE tsid_allocator SET allocator_id = allocator_id',
    'UPDATE tsid_nodes SET ceiling_ms = ceiling_ms',
    'INSERT INTO schema_migrations (timestamp, name) VALUES (1, $$x$$)',
  ])('has no right to: %s', async (statement) => {
    await expect(role.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test('has rights on every table that the migrations create', async () => {
    const { rows } = await database.pool.query(
      `SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const granted = runtimeGrants(RUNTIME_ROLE).flatMap(
      (text) => / ON (?!FUNCTION)(\w+)/.exec(text)?.[1] ?? [],
    );
    expect(granted.toSorted((left, right) => left.localeCompare(right))).toEqual(
      rows.map(({ relname }) => relname),
    );
  });

  test('has exactly the rights that docs/operations/roles.md lists', async () => {
    const page = await readFile(new URL('../../../docs/operations/roles.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^GRANT .* TO solegate_runtime;$/gm)].map(([text]) => text);
    expect(named).toEqual([
      'GRANT CONNECT ON DATABASE solegate TO solegate_runtime;',
      ...runtimeGrants('solegate_runtime').map((text) => `${text.replaceAll('"', '')};`),
    ]);
  });
});

describe('arguments', () => {
  test.each([
    [[], { kind: 'start' }],
    [['serve'], { kind: 'serve' }],
    [['migrate'], { kind: 'migrate', runtimeRole: undefined }],
    [['migrate', '--runtime-role', 'gateway'], { kind: 'migrate', runtimeRole: 'gateway' }],
  ])('%j', (commandLine, command) => {
    expect(readCommand(commandLine)).toEqual(command);
  });

  test.each([
    [['start']],
    [['serve', 'now']],
    [['serve', '--runtime-role', 'x']],
    [['--help']],
    [['migrate', '--runtime-role']],
  ])('%j are refused with the usage', (commandLine) => {
    expect(() => readCommand(commandLine)).toThrow(/main\.js serve/);
  });
});
