import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@solegate/testkit';

import { createProject, type Project } from './project.js';

const run = promisify(execFile);

/** Prints the packages whose files an import reads, then a number that was issued. */
const PROGRAM = `
import { Session } from 'node:inspector';
const session = new Session();
session.connect();
const urls = [];
session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
session.post('Debugger.enable');
urls.length = 0;
const { createNumbering, migrateNumbering } = await import('@solegate/doc-numbering');
const packages = urls.flatMap((url) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? []);
session.disconnect();
const { default: pg } = await import('pg');
const database = new pg.Pool({ connectionString: process.env.DATABASE_URL });
await migrateNumbering(database);
const numbering = createNumbering({ database });
const letter = { space: 'office', series: 'LETTER', actor: 'ann' };
await numbering.defineSeries({ ...letter, timeZone: 'UTC' });
await numbering.saveFormat({ ...letter, template: '{TYPE}-{YEAR}-{SEQ:4}' });
const { sequence } = await numbering.issue(letter);
await numbering.close();
await database.end();
console.log(JSON.stringify({ sequence, packages: [...new Set(packages)].sort() }));
`;

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

test('with pg alone, numbers are issued, and no client of Redis is installed or loaded', async () => {
  const manifest = { name: 'light', private: true, type: 'module', dependencies: { pg: '8.23.1' } };
  const folder = join(await project.write('light/package.json', JSON.stringify(manifest)), '..');
  const own = project.tarballs.filter((file) => /solegate-(?:doc|postgres|redis)-/.test(file));
  const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...flags, ...own], { cwd: folder });
  expect(existsSync(join(folder, 'node_modules/ioredis'))).toBe(false);
  await project.write('light/program.js', PROGRAM);
  await using database = await createTestDatabase({ migrations: [] });
  const { stdout } = await run(process.execPath, ['program.js'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: database.url },
  });
  const { sequence, packages } = JSON.parse(stdout);
  expect(sequence).toBe(1);
  expect(packages).toEqual(['@solegate/doc-numbering', '@solegate/postgres-infra', '@solegate/redis-infra']);
}, 300_000);
