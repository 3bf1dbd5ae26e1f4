import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { PUBLISHED } from '../../../scripts/packed-packages.mjs';

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
/** What changesets reads of a workspace. */
const WORKSPACE = ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json'];

let folder: string;

/** A workspace with our manifests at 0.1.0, and no changeset. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solegate-release-'));
  const manifests = ['apps', 'packages'].map(async (parent) =>
    (await readdir(join(CHECKOUT, parent))).map((name) => `${parent}/${name}/package.json`),
  );
  const files = [...WORKSPACE, ...(await Promise.all(manifests)).flat()];
  await Promise.all(files.map((file) => cp(join(CHECKOUT, file), join(folder, file))));
  for (const name of PUBLISHED) await edit(name, /"version": "[^"]+"/, '"version": "0.1.0"');
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  await run('git', ['init', '--quiet'], { cwd: folder });
});

afterEach(() => rm(folder, { recursive: true }));

async function edit(name: string, pattern: RegExp, replacement: string): Promise<void> {
  const file = join(folder, 'packages', name, 'package.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace(pattern, replacement));
}

async function addChangeset(name: string, bump: 'patch' | 'minor' | 'major'): Promise<void> {
  const text = `---\n"@solegate/${name}": ${bump}\n---\n\nA change.\n`;
  await writeFile(join(folder, '.changeset', `${name}-${bump}.md`), text);
}

/** The output of the check, and its exit code. */
async function check(...options: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = join(CHECKOUT, 'scripts/check-release.mjs');
  return run(process.execPath, [script, ...options, folder]).then(
    (output) => ({ code: 0, ...output }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
}

async function versions(): Promise<string[]> {
  const cli = join(CHECKOUT, 'node_modules/@changesets/cli/bin.js');
  await run(process.execPath, [cli, 'version'], { cwd: folder });
  const manifests = PUBLISHED.map((name) => readFile(join(folder, 'packages', name, 'package.json'), 'utf8'));
  return (await Promise.all(manifests)).map((text) => (JSON.parse(text) as { version: string }).version);
}

test.each([
  ['patch', '0.1.1'],
  ['minor', '0.2.0'],
  ['major', '1.0.0'],
] as const)('a %s of one package makes all six %s, as the check says', async (bump, version) => {
  await addChangeset('redis-infra', bump);
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining(`${version} (${bump}): `) });
  expect(await versions()).toEqual(PUBLISHED.map(() => version));
});

test('the check fails when a minor leaves the range of a peer, which would make all packages major', async () => {
  await edit('tsid-core', /"peerDependencies": \{/, '$& "@solegate/redis-infra": "workspace:^",');
  await addChangeset('redis-infra', 'minor');
  expect(await check()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1.0.0'),
    stderr: expect.stringContaining('ask for a minor release, but 6 packages would become major'),
  });
});

test('without a changeset, the check says that there is no release', async () => {
  expect(await check()).toMatchObject({ code: 0, stdout: 'no release: there is no changeset\n' });
});

test('before publishing, the check refuses changesets that are not in the versions', async () => {
  expect(await check('--versioned')).toMatchObject({ code: 0 });
  await addChangeset('client', 'patch');
  expect(await check('--versioned')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('run pnpm changeset version'),
  });
  await versions();
  expect(await check('--versioned')).toMatchObject({ code: 0 });
});
