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
  await symlink(join(packageRoot, 'node_modules/pg'), join(modules, 'pg'));
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
