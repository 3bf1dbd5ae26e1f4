import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '@solegate/testkit';

import { createProject, type Project } from './project.js';
import { EXPECTED, EXPECTED_DATABASE } from './sessions/expected.js';

const run = promisify(execFile);
const PROGRAMS = fileURLToPath(new URL('./sessions/', import.meta.url));

const LIBRARIES = {
  '@electric-sql/pglite': '0.5.16',
  'drizzle-orm': '0.45.4',
  kysely: '0.28.18',
  knex: '3.3.0',
  postgres: '3.4.9',
  sequelize: '6.37.8',
  typeorm: '1.1.1',
};

/** Its engine is not among the packages of npm: with a driver adapter, it needs none. */
const prisma = (version: string) => ({
  prisma: version,
  '@prisma/client': version,
  '@prisma/adapter-pg': version,
});

const SCHEMA = `
generator client {
  provider = "prisma-client-js"
  engineType = "client"
}
datasource db {
  provider = "postgresql"
  URL
}
model Letter {
  id BigInt @id
  number String?
}`;

let project: Project;
/** An application with all libraries but Prisma. */
let folder: string;

beforeAll(async () => {
  project = await createProject();
  folder = await install('libraries', LIBRARIES);
});

afterAll(() => project[Symbol.asyncDispose]());

/** Installs the packed packages with npm, `pg` and other packages, and nothing else. */
async function install(name: string, others: Record<string, string>): Promise<string> {
  const own = project.tarballs.filter((file) => /solegate-(?:doc|trip|postgres|redis)-/.test(file));
  const manifest = { name, private: true, type: 'module', dependencies: { pg: '8.23.1', ...others } };
  const file = await project.write(`${name}/package.json`, JSON.stringify(manifest));
  const folder = join(file, '..');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...flags, ...own], { cwd: folder });
  await cp(PROGRAMS, folder, { recursive: true });
  return folder;
}

async function meaningsIn(folder: string, libraries: readonly string[]): Promise<unknown> {
  await using database = await createTestDatabase({ migrations: [] });
  const env = { ...process.env, DATABASE_URL: database.url };
  const { stdout } = await run(process.execPath, ['meanings.mjs', ...libraries], { cwd: folder, env });
  return JSON.parse(stdout);
}

describe('a call in a transaction means the same as in one of pg:', () => {
  test.each([
    ['drizzle', EXPECTED_DATABASE],
    ['drizzle over postgres.js', 'none'],
    ['knex', EXPECTED_DATABASE],
    ['sequelize', EXPECTED_DATABASE],
    ['typeorm', EXPECTED_DATABASE],
    ['postgres.js', 'none'],
    ['kysely', 'none'],
    ['typeorm runner', 'none'],
  ])('%s', async (library, database) => {
    expect(await meaningsIn(folder, [library])).toEqual({ [library]: { ...EXPECTED, database } });
  });
});

test('and in PGlite, also under Drizzle', async () => {
  const { stdout } = await run(process.execPath, ['pglite.mjs'], { cwd: folder });
  const meanings = {
    rollback: 'the app changes its mind',
    isKept: false,
    commit: { sequence: 1, status: 'FINDING' },
    duplicates: ['DUPLICATE', 'TRIP_CONFLICT'],
    next: 2,
  };
  expect(JSON.parse(stdout)).toEqual([meanings, meanings]);
});

test.each([
  ['6.19.3', 'url = env("DATABASE_URL")'],
  ['7.10.0', ''],
])('and in Prisma %s, also in fifty transactions at once', async (version, url) => {
  const application = await install(`prisma-${version}`, prisma(version));
  await writeFile(join(application, 'schema.prisma'), SCHEMA.replace('URL', url));
  const env = {
    ...process.env,
    DATABASE_URL: 'postgres://unused',
    CHECKPOINT_DISABLE: '1',
    // Otherwise it downloads an engine for migrations.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  };
  const generate = ['node_modules/prisma/build/index.js', 'generate', '--schema=schema.prisma'];
  await run(process.execPath, generate, { cwd: application, env });
  expect(await meaningsIn(application, ['prisma'])).toEqual({ prisma: { ...EXPECTED, database: 'none' } });
});
