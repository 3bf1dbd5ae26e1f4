import { access, readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { PUBLISHED } from '../../../scripts/packed-packages.mjs';
import { createProject, type Project } from './project.js';

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

interface Manifest {
  readonly version: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

describe.each(PUBLISHED)('%s', (name) => {
  const folder = () => `${project.folder}/node_modules/@solegate/${name}`;

  async function readManifest(): Promise<Manifest> {
    return JSON.parse(await readFile(`${folder()}/package.json`, 'utf8')) as Manifest;
  }

  async function readTarball(): Promise<Uint8Array<ArrayBuffer>> {
    const tarball = project.tarballs.find((path) => path.includes(`solegate-${name}-`)) ?? '';
    return new Uint8Array(await readFile(tarball));
  }

  test('has a manifest without publint findings', async () => {
    const { buffer } = await readTarball();
    const { messages, pkg } = await publint({ pack: { tarball: buffer } });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('has types that resolve to the code that runs, for node10, node16 and bundlers, in both formats', async () => {
    const result = await checkPackage(createPackageFromTarballData(await readTarball()));
    expect(result.types).toMatchObject({ kind: 'included' });
    expect('problems' in result ? result.problems : 'no types').toEqual([]);
  });

  test('declares its origin, license and provenance', async () => {
    expect(await readManifest()).toMatchObject({
      description: expect.any(String),
      keywords: expect.arrayContaining([expect.any(String)]),
      homepage: `https://github.com/solegate/solegate/tree/main/packages/${name}#readme`,
      bugs: { url: 'https://github.com/solegate/solegate/issues' },
      repository: {
        type: 'git',
        url: 'git+https://github.com/solegate/solegate.git',
        directory: `packages/${name}`,
      },
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public', provenance: true },
    });
  });

  test.each(['README.md', 'LICENSE', 'CHANGELOG.md'])('includes its %s', async (file) => {
    await expect(access(`${folder()}/${file}`)).resolves.toBeUndefined();
  });

  test('has its version at the top of its changelog', async () => {
    const changelog = await readFile(`${folder()}/CHANGELOG.md`, 'utf8');
    expect(changelog.match(/^## (\S+)$/m)?.[1]).toBe((await readManifest()).version);
  });

  test('requires its peers and packages of this workspace by range', async () => {
    const { dependencies = {}, peerDependencies = {} } = await readManifest();
    const ranges = [
      ...Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@solegate/')),
      ...Object.entries(peerDependencies),
    ];
    for (const [, range] of ranges) expect(range).toMatch(/^(?:\^|>=)/);
  });

  test('has no ranges that only this workspace can resolve', async () => {
    const { dependencies = {}, peerDependencies = {} } = await readManifest();
    for (const range of Object.values({ ...dependencies, ...peerDependencies })) {
      expect(range).not.toMatch(/^(?:workspace|catalog|file|link):/);
    }
  });
});
