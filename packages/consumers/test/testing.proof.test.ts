import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createProject, type Project } from './project.js';

const run = promisify(execFile);

/** A test of somebody's application. Two such files show that each has tables of its own. */
const testFile = (load: string) => `
${load}

let numbering;
const letter = { space: 'office', series: 'LETTER', actor: 'ann' };
beforeAll(async () => {
  numbering = await testNumbering();
  await numbering.defineSeries({ ...letter, timeZone: 'UTC' });
  await numbering.saveFormat({ ...letter, template: '{TYPE}-{YEAR}-{SEQ:4}' });
}, 300_000);
afterAll(() => numbering.close());

test('a letter gets its number in the transaction of the test', async () => {
  await numbering.database.query('CREATE TABLE letters (number text, sent_at timestamptz)');
  const client = await numbering.database.connect();
  for (const end of ['ROLLBACK', 'COMMIT']) {
    await client.query('BEGIN');
    const { number } = await numbering.issueIn(client, letter);
    await client.query('INSERT INTO letters VALUES ($1, now())', [number]);
    await client.query(end);
  }
  client.release();
  const { rows } = await numbering.database.query('SELECT number, sent_at FROM letters');
  expect(rows).toEqual([{ number: expect.stringMatching(/-0001$/), sent_at: expect.any(Date) }]);
  expect(await numbering.issue(letter)).toMatchObject({ sequence: 2 });
});
`;

const importing = `import { testNumbering } from '@solegate/doc-numbering/testing';`;
const requiring = `const { testNumbering } = require('@solegate/doc-numbering/testing');`;

/** In the folder of the applications, which share it. */
const JEST = '../node_modules/jest/bin/jest.js';
/** Of each test of an application, in milliseconds: the defaults are too short for a busy machine. */
const LIMIT = '--testTimeout=600000';
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Without a configuration but what a runner needs for modules; the oldest PGlite that is supported, and the newest. */
const APPLICATIONS = [
  {
    name: 'Jest with CommonJS',
    others: { '@electric-sql/pglite': '0.5.0' },
    type: 'commonjs',
    files: { 'one.test.js': testFile(requiring), 'two.test.js': testFile(requiring) },
    args: [JEST, '--runInBand', LIMIT],
  },
  {
    name: 'Jest with ES modules',
    others: { '@electric-sql/pglite': '0.5.16' },
    type: 'module',
    files: { 'one.test.js': testFile(importing), 'two.test.js': testFile(importing) },
    args: ['--experimental-vm-modules', JEST, '--runInBand', LIMIT],
  },
  {
    name: 'Vitest',
    others: { vitest: '3.2.4', '@electric-sql/pglite': '0.5.16' },
    type: 'module',
    files: { 'one.test.js': testFile(importing), 'two.test.js': testFile(importing) },
    args: ['node_modules/vitest/vitest.mjs', 'run', '--globals', LIMIT],
  },
] as const;

let project: Project;
let folder: string;

/** Outside of the project, whose node_modules has other packages. */
beforeAll(async () => {
  project = await createProject();
  folder = await mkdtemp(join(tmpdir(), 'solegate-testing-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', ...FLAGS, 'jest@30.5.2'], { cwd: folder });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await project[Symbol.asyncDispose]();
});

test.each(APPLICATIONS)(
  'testNumbering works from the packed packages, without a server: $name',
  async ({ name, others, type, files, args }) => {
    const application = join(folder, name.replaceAll(' ', '-'));
    const manifest = { name: 'letters', private: true, type, dependencies: others };
    for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
      await mkdir(dirname(join(application, file)), { recursive: true });
      await writeFile(join(application, file), text);
    }
    const own = project.tarballs.filter((file) => /solegate-(?:doc|postgres|redis)-/.test(file));
    await run('npm', ['install', ...FLAGS, ...own], { cwd: application });
    const { stdout, stderr } = await run(process.execPath, args, {
      cwd: application,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: '1' },
    });
    expect(stdout + stderr).toMatch(/2 pass/);
    expect(stdout + stderr).not.toMatch(/did not exit|failed to exit|open handle/i);
  },
  900_000,
);
