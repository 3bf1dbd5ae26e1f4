import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** With the oldest PGlite that is supported, and with the newest. */
const APPLICATIONS = [
  {
    type: 'commonjs',
    dependencies: { '@electric-sql/pglite': '0.5.0' },
    test: testFile(requiring),
  },
  {
    type: 'module',
    dependencies: { vitest: '3.2.4', '@electric-sql/pglite': '0.5.16' },
    test: testFile(importing),
  },
] as const;

/** Without a configuration but what each needs for modules. */
const RUNNERS = [
  ['Jest with CommonJS', 'commonjs', [JEST, '--runInBand', LIMIT]],
  ['Jest with ES modules', 'module', ['--experimental-vm-modules', JEST, '--runInBand', LIMIT]],
  ['Vitest', 'module', ['node_modules/vitest/vitest.mjs', 'run', '--globals', LIMIT]],
] as const;

let project: Project;
let folder: string;

/** Outside of the project, whose node_modules has other packages. */
beforeAll(async () => {
  project = await createProject();
  folder = await mkdtemp(join(tmpdir(), 'solegate-testing-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', ...FLAGS, 'jest@30.5.2'], { cwd: folder });
  const own = project.tarballs.filter((file) => /solegate-(?:doc|postgres|redis)-/.test(file));
  for (const { test: text, ...manifest } of APPLICATIONS) {
    const application = join(folder, manifest.type);
    await mkdir(application);
    await writeFile(join(application, 'package.json'), JSON.stringify({ private: true, ...manifest }));
    for (const name of ['one', 'two']) await writeFile(join(application, `${name}.test.js`), text);
    await run('npm', ['install', ...FLAGS, ...own], { cwd: application });
  }
}, 900_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
  await project[Symbol.asyncDispose]();
});

test.each(RUNNERS)(
  'testNumbering works from the packed packages, without a server: %s',
  async (_name, type, args) => {
    const { stdout, stderr } = await run(process.execPath, args, {
      cwd: join(folder, type),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: '1' },
    });
    expect(stdout + stderr).toMatch(/2 pass/);
    expect(stdout + stderr).not.toMatch(/did not exit|failed to exit|open handle/i);
  },
  900_000,
);
