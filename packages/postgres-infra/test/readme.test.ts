import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

let readme: string;
let project: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
  readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  project = await mkdtemp(join(tmpdir(), 'postgres-infra-readme-'));
  const modules = join(project, 'node_modules');
  await mkdir(join(modules, '@solegate'), { recursive: true });
  await symlink(packageRoot, join(modules, '@solegate/postgres-infra'));
  for (const name of ['pg', 'postgres', 'drizzle-orm', 'kysely', 'knex']) {
    await symlink(join(packageRoot, 'node_modules', name), join(modules, name));
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  await rm(project, { recursive: true });
  await database.drop();
});

const block = (name: string) =>
  new RegExp(`<!-- ${name} -->\n\`\`\`ts\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';

async function run(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@solegate/source', '--import', import.meta.resolve('tsx'), file],
    { cwd: project, env: { ...process.env, DATABASE_URL: database.url } },
  );
  return stdout;
}

test('the example of the README does what it says', async () => {
  await writeFile(join(project, 'example.ts'), block('example'));
  expect(await run('example.ts')).toBe(
    "{ applied: [ '0001-seats' ], takenOver: [] }\nann has the seat\nbob is too late\n",
  );
});

test("the adapters of the README run statements with values, in the caller's transaction", async () => {
  await writeFile(join(project, 'adapters.ts'), block('adapters'));
  await writeFile(join(project, 'use-adapters.ts'), ADAPTERS_AT_WORK);
  const row = '[{"a":"7","b":["x","y"],"c":"7"}] 1';
  expect(await run('use-adapters.ts')).toBe(`${[row, row, row, row, 'true'].join('\n')}\n`);
});

const ADAPTERS_AT_WORK = `
import { drizzle } from 'drizzle-orm/node-postgres';
import knex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { BoundedDatabase, Deadline } from '@solegate/postgres-infra';
import { drizzleSession, knexSession, kyselySession, postgresJsPool } from './adapters.js';

const url = process.env.DATABASE_URL;
const text = "SELECT $1::bigint AS a, $2::text[] AS b, $1::bigint AS c WHERE '?' <> ':x'";
const show = async (session) => {
  const { rows, rowCount } = await session.query({ text, values: ['7', '{x,y}'] });
  console.log(JSON.stringify(rows), rowCount);
};

const sql = postgres(url, { max: 2 });
const database = new BoundedDatabase({ pool: postgresJsPool(sql), connectionMax: 2 });
await database.transaction(Deadline.after(5_000), show);

const pool = new pg.Pool({ connectionString: url });
await drizzle({ client: pool }).transaction((transaction) => show(drizzleSession(transaction)));
const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) });
await kysely.transaction().execute((transaction) => show(kyselySession(transaction)));
const withKnex = knex({ client: 'pg', connection: url });
await withKnex.transaction((transaction) => show(knexSession(transaction)));

const late = database.changing(Deadline.after(100)).query({ text: 'SELECT pg_sleep(0.3)', values: [] });
console.log(await late.catch((error) => error.kind === 'UNKNOWN'));
await database.changing(Deadline.after(5_000)).query({ text: 'SELECT 1', values: [] });
await Promise.all([sql.end({ timeout: 1 }), kysely.destroy(), withKnex.destroy()]);
`;
