import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@solegate/testkit';
import { transform } from '@swc/core';
import pg from 'pg';
import { runCommand } from '../src/command/run-command.js';
import * as numberingModule from '../src/index.js';
import { testNumbering } from '../src/testing/index.js';

let database: TestDatabase;
let blocks: string[];

beforeAll(async () => {
  database = await createTestDatabase({ migrations: [] });
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
});

afterAll(async () => {
  await database.drop();
});

/** Runs a block without its imports, and returns its output. */
async function run(code: string, scope: Record<string, unknown>): Promise<unknown[][]> {
  const body = code.replace(/^import .*$/gm, '');
  const { code: plain } = await transform(`export async function block() {\n${body}\n}`, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const printed: unknown[][] = [];
  const names = {
    ...scope,
    console: { log: (...values: unknown[]) => printed.push(values), error: () => undefined },
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the README's code is what is under test
  const make = new Function(
    ...Object.keys(names),
    `${plain.replace('export async function block', 'return async function block')}`,
  );
  await make(...Object.values(names))();
  return printed;
}

test('the README example with plain pg runs, in fifteen lines', async () => {
  const [code = ''] = blocks;
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15);
  const pools: pg.Pool[] = [];
  class Pool extends pg.Pool {
    constructor(config: pg.PoolConfig) {
      super(config);
      pools.push(this);
    }
  }
  const printed = await run(code, { ...numberingModule, pg: { Pool }, databaseUrl: database.url });
  expect(printed).toEqual([['PAT-RFA-STR-2026-0001', true]]);
  await Promise.all(pools.map((pool) => pool.end()));
});

test('the README example of a writer runs', async () => {
  const [, code = ''] = blocks;
  const numbering = numberingModule.createNumbering({ database: database.pool });
  await database.pool.query('CREATE TABLE letters (number text, title text)');
  const series = { space: 'P1', series: 'LET', actor: 'admin' };
  await numbering.defineSeries({ ...series, timeZone: 'Asia/Bangkok' });
  await numbering.saveFormat({ ...series, template: '{TYPE}-{YEAR}-{SEQ:4}' });
  await run(code, { numbering });
  expect((await database.pool.query('SELECT title FROM letters')).rows).toEqual([{ title: 'Hello' }]);
  await numbering.close();
});

test('the README example of sealed documents runs, after the one of a writer', async () => {
  const [, , code = ''] = blocks;
  const numbering = numberingModule.createNumbering({ database: database.pool });
  await database.pool.query('CREATE TABLE receipts (number text, position int, seal text)');
  await run(code, { numbering });
  const { rows } = await database.pool.query('SELECT position, seal FROM receipts');
  expect(rows).toEqual([{ position: 1, seal: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(await numbering.verifyChain('till 7')).toMatchObject({ verifiedCount: 1, breaks: [] });
  await numbering.close();
});

test('the README example of a test runs, without a server', async () => {
  const code = blocks.find((block) => block.includes('testNumbering')) ?? '';
  expect(await run(code, { testNumbering })).toEqual([['LETTER-2026-0001']]);
});

test('the README in plain SQL runs, beside the package', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, text = ''] = /```sql\n(.*?)```/s.exec(readme) ?? [];
  const replies: unknown[] = [];
  for (let time = 0; time < 2; time += 1) replies.push((await database.pool.query(text)).rows[0].reply);
  expect(replies).toEqual([
    expect.objectContaining({ verdict: 'GRANTED', last: 0 }),
    expect.objectContaining({ verdict: 'GRANTED', last: 1 }),
  ]);
  const numbering = numberingModule.createNumbering({ database: database.pool });
  const letter = { space: 'P1', series: 'LET', actor: 'a', date: '2025-03-05', otherPeriod: true };
  expect(await numbering.issue(letter)).toMatchObject({ number: 'LET-2025-0003' });
  expect(await numbering.findNumber({ space: 'P1', number: 'LET-2025-0002' })).toMatchObject({
    actor: 'somchai',
  });
  expect(await numbering.reconcile()).toEqual([]);
  await numbering.close();
});

const printed: string[] = [];
const command = (...args: string[]) =>
  runCommand({
    args,
    connect: async (connectionString) => new pg.Pool({ connectionString, max: 2 }),
    print: (text) => printed.push(text),
  });

test('the command prints the findings of reconcile, and exits accordingly', async () => {
  const reconcile = (...args: string[]) => command('reconcile', ...args);
  expect(await reconcile('--database', database.url)).toBe(0);
  expect(printed.pop()).toBe('Every counter agrees with the ledger.');
  expect(await reconcile('--database', database.url, '--unattached-hours', '0', '--json')).toBe(1);
  expect(JSON.parse(printed.pop() ?? '')).toContainEqual(expect.objectContaining({ kind: 'UNATTACHED' }));
  expect(await reconcile('--database', database.url, '--unattached-hours', '0')).toBe(1);
  expect(printed.pop()).toContain('have no document');
  for (const args of [['--bogus'], [], ['reconcile', 'migrate']]) {
    expect(await command(...args)).toBe(2);
    expect(printed.pop()).toContain('Usage');
  }
  expect(await reconcile('--database', 'postgres://127.0.0.1:1/none')).toBe(2);
  expect(printed.pop()).toContain('reconcile failed');
});

test('the command lists pending migrations and runs each once', async () => {
  const migrate = (...args: string[]) =>
    command('migrate', '--database', database.url, '--schema', 'another', ...args);
  const names = numberingModule.migrations.map(({ name }) => name);
  expect(await migrate('--dry-run')).toBe(0);
  expect(printed.splice(0)).toEqual(names.map((name) => `${name}: would be applied`));
  expect(await migrate()).toBe(0);
  expect(printed.splice(0)).toEqual(names.map((name) => `${name}: applied`));
  expect(await migrate()).toBe(0);
  expect(printed.splice(0)).toEqual(['The tables are at the newest version.']);
});
