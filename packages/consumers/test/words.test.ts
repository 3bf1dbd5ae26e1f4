import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../../scripts/check-words.mjs', import.meta.url));
const rule = { 'eslint/no-warning-comments': ['error', { terms: ['told', 'last will'] }] };

let folder: string;

/** A checkout with only the lint rule above, and no debts. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solegate-words-'));
  await run('git', ['init', '--quiet'], { cwd: folder });
  await write('.oxlintrc.json', JSON.stringify({ overrides: [{ rules: rule }, { rules: {} }] }));
  await writeDebts({});
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const writeDebts = (debts: object) => write('scripts/word-debts.json', JSON.stringify(debts));

/** What the check prints to stderr, or nothing if it passes. */
async function complaint(): Promise<string> {
  return run(process.execPath, [script, folder]).then(
    () => '',
    (failure: { stderr: string }) => failure.stderr,
  );
}

describe('a rejected word fails the check', () => {
  test.each([
    ['in a line comment', 'a.ts', 'const sql: string = `-- Who was told.\nSELECT 1`;', 'Who was told.'],
    ['after code', 'a.lua.ts', 'export const text = `return 1 -- told`;', 'told'],
    ['in a block comment', 'a.mjs', 'const sql = `SELECT /* first\n the last will */ 1`;', 'the last will'],
    ['beside an expression', 'a.ts', ['const sql = `-- ', '{1 + 1} were told`;'].join('$'), '… were told'],
    ['in a nested template', 'a.js', ['const sql = `', '{list.map((x) => `-- told`)}`;'].join('$'), 'told'],
    ['in a file of SQL', 'a.sql', '-- Told again.\n', 'Told again.'],
  ])('%s', async (_, file, text, line) => {
    await write(file, text);
    expect(await complaint()).toContain(`${file}: ${line}\n`);
  });
});

test.each([
  ['a string that is no template', "const sql = '-- told';"],
  ['a comment of JavaScript, which lint reads', '// told\nconst a = `SELECT 1`;'],
  ['code', 'const sql = `SELECT told FROM whom_he_told -- them`;'],
  ['a part of a word', 'const sql = `-- untold`;'],
  ['HTML', 'const html = `<!-- told -->`;'],
])('%s may have the word', async (_, text) => {
  await write('a.ts', text);
  expect(await complaint()).toBe('');
});

describe('a debt', () => {
  const debt = { trips: { 'a.ts': ['Who was told.'] } };

  test('excuses the line that it lists, once', async () => {
    await writeDebts(debt);
    await write('a.ts', 'const sql = `-- Who was told.\n`;');
    expect(await complaint()).toBe('');
    await write('a.ts', 'const sql = `-- Who was told.\n-- Who was told.\n`;');
    expect(await complaint()).toContain('a.ts: Who was told.');
  });

  test('that is paid must leave the list', async () => {
    await writeDebts(debt);
    await write('a.ts', 'const sql = `-- Who was notified.\n`;');
    expect(await complaint()).toMatch(/^Remove .*\na\.ts: Who was told\.\n$/);
  });
});
