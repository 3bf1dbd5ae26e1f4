import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@solegate/testkit';

import { createProject, type Project } from './project.js';

const run = promisify(execFile);

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));

/** Prints what `use` has found, and the packages whose files its import reads. */
const program = (imports: string, use: string) => `
import { Session } from 'node:inspector';
const session = new Session();
session.connect();
const urls = [];
session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url));
session.post('Debugger.enable');
urls.length = 0;
${imports}
const packages = urls.flatMap((url) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? []);
session.disconnect();
const { default: pg } = await import('pg');
const database = new pg.Pool({ connectionString: process.env.DATABASE_URL });
${use}
await database.end();
console.log(JSON.stringify({ found, packages: [...new Set(packages)].sort() }));
`;

const ISSUING = program(
  `const { createNumbering, migrateNumbering } = await import('@solegate/doc-numbering');`,
  `
await migrateNumbering(database);
const numbering = createNumbering({ database });
const letter = { space: 'office', series: 'LETTER', actor: 'ann' };
await numbering.defineSeries({ ...letter, timeZone: 'UTC' });
await numbering.saveFormat({ ...letter, template: '{TYPE}-{YEAR}-{SEQ:4}' });
const { sequence: found } = await numbering.issue(letter);
await numbering.close();`,
);

const LEASING = program(
  `const { createTsidGenerator, explain } = await import('@solegate/tsid-core');
const { leaseNode } = await import('@solegate/tsid-core/node-lease');
const { migrateNodeLeases, postgresLeaseStore } = await import('@solegate/tsid-core/node-lease/postgres');`,
  `
await migrateNodeLeases(database);
const lease = await leaseNode({ store: postgresLeaseStore(database), trustEmptyStore: true });
const found = explain(createTsidGenerator({ lease }).next()).node;
await lease.release();`,
);

/** The same in TypeScript: whatever its types name must be there. */
const TYPED = `
import { createNumbering } from '@solegate/doc-numbering';
import { createTsidGenerator } from '@solegate/tsid-core';
import { leaseNode, type NodeLease } from '@solegate/tsid-core/node-lease';
import { postgresLeaseStore } from '@solegate/tsid-core/node-lease/postgres';
import { Pool } from 'pg';

const database = new Pool();
const lease: NodeLease = await leaseNode({ store: postgresLeaseStore(database) });
export const id: bigint = createTsidGenerator({ lease }).next();
export const numbering = createNumbering({ database });
`;

let project: Project;
let folder: string;

/** Outside of the project, whose node_modules has ioredis. */
beforeAll(async () => {
  project = await createProject();
  folder = await mkdtemp(join(tmpdir(), 'solegate-light-'));
  const dependencies = { pg: '8.23.1', '@types/node': '20.19.43', '@types/pg': '8.23.1' };
  const manifest = { name: 'light', private: true, type: 'module', dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const own = project.tarballs.filter((file) => /solegate-(?:doc|tsid|postgres|redis)-/.test(file));
  const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...flags, ...own], { cwd: folder });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await project[Symbol.asyncDispose]();
});

test.each([
  ['numbers are issued', ISSUING, 1, 'doc-numbering'],
  ['nodes are leased', LEASING, 1023, 'tsid-core'],
])(
  'with pg alone, %s, and no client of Redis is installed or loaded',
  async (_what, text, expected, name) => {
    expect(existsSync(join(folder, 'node_modules/ioredis'))).toBe(false);
    await writeFile(join(folder, `${name}.js`), text);
    await using database = await createTestDatabase({ migrations: [] });
    const { stdout } = await run(process.execPath, [`${name}.js`], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: database.url },
    });
    const { found, packages } = JSON.parse(stdout);
    expect(found).toBe(expected);
    const infra = ['@solegate/postgres-infra', '@solegate/redis-infra'];
    expect(packages).toEqual([`@solegate/${name}`, ...infra].sort());
  },
);

test('with pg alone, the types of both compile, those of the packages included', async () => {
  await writeFile(join(folder, 'typed.ts'), TYPED);
  const options = '--noEmit --strict --module nodenext --target es2022 --types node --skipLibCheck false';
  const { stdout } = await run(process.execPath, [tsc, ...options.split(' '), 'typed.ts'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
