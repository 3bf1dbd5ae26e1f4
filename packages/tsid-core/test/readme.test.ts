import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRedis,
  forkTypeScript,
  type TestDatabase,
  type TestRedis,
} from '@solegate/testkit';

let redis: TestRedis;
let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  redis = await createTestRedis();
  database = await createTestDatabase({ migrations: [] });
  directory = await mkdtemp(join(tmpdir(), 'tsid-readme-'));
});
afterAll(async () => {
  await redis.drop();
  await database.drop();
  await rm(directory, { recursive: true });
});

/** Lets the examples find the packages from outside the workspace. */
const sources: Record<string, URL> = {
  '@solegate/tsid-core/node-lease/postgres': new URL('../src/node-lease/postgres/index.ts', import.meta.url),
  pg: new URL(import.meta.resolve('pg')),
  '@solegate/tsid-core/node-lease': new URL('../src/node-lease/index.ts', import.meta.url),
  '@solegate/tsid-core': new URL('../src/index.ts', import.meta.url),
  '@solegate/redis-infra': new URL('../../redis-infra/src/index.ts', import.meta.url),
};

/** Runs the code below a heading of the README as a process. */
async function exampleUnder(heading: string) {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const section = readme.slice(readme.indexOf(`# ${heading}`));
  const code = /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
  const lineCount = code.split('\n').filter((line) => line.trim() !== '').length;
  const runnable = code
    .replace(/from '([^']+)'/g, (_from, name: string) => `from '${sources[name]?.href}'`)
    .replace('redis://localhost:6379', redis.url)
    .replace('postgres://localhost:5432/orders', database.url);
  const file = join(directory, `${heading.replace(/\W+/g, '-')}.mts`);
  await writeFile(file, runnable);
  return { lineCount, child: forkTypeScript(file) };
}

test('the example without Redis has ten lines and runs', async () => {
  const { lineCount, child } = await exampleUnder('Without Redis, in ten lines');
  expect(lineCount).toBeLessThanOrEqual(10);
  expect(await child.nextLine()).toMatchObject({ node: 7, batch: 10_000 });
  expect(await child.nextLine()).toEqual({ today: true });
  expect(await child.exited).toMatchObject({ code: 0 });
});

test('the example with a leased node runs and ends by itself', async () => {
  const { child } = await exampleUnder('With nodes leased from Redis');
  expect(await child.nextLine()).toMatchObject({ health: 'HELD' });
  expect(await child.nextLine()).toMatchObject({ id: expect.stringMatching(/^\d+$/) });
  expect(await child.exited).toMatchObject({ code: 0 });
});

test('the example with a node leased from PostgreSQL runs and ends by itself', async () => {
  const { child } = await exampleUnder('From PostgreSQL instead');
  expect(await child.nextLine()).toMatchObject({ id: expect.stringMatching(/^\d+$/) });
  expect(await child.exited).toMatchObject({ code: 0 });
});
