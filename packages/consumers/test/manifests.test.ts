import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { createProject, type Project, PUBLISHED } from './project.js';

let project: Project;

beforeAll(async () => {
  project = await createProject();
});

afterAll(() => project[Symbol.asyncDispose]());

describe.each(PUBLISHED)('%s', (name) => {
  async function readTarball(): Promise<Uint8Array<ArrayBuffer>> {
    const tarball = project.tarballs.find((path) => path.includes(`solegate-${name}-`)) ?? '';
    return new Uint8Array(await readFile(tarball));
  }

  test('has a manifest that publint has nothing to say about', async () => {
    const { buffer } = await readTarball();
    const { messages, pkg } = await publint({ pack: { tarball: buffer } });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('has types that resolve to what runs, for node10, node16 and bundlers, in both formats', async () => {
    const result = await checkPackage(createPackageFromTarballData(await readTarball()));
    expect(result.types).toMatchObject({ kind: 'included' });
    expect('problems' in result ? result.problems : 'no types').toEqual([]);
  });

  test('asks for its peers and for packages of this workspace by a range', async () => {
    const manifest = JSON.parse(
      await readFile(`${project.folder}/node_modules/@solegate/${name}/package.json`, 'utf8'),
    ) as { dependencies?: Record<string, string>; peerDependencies?: Record<string, string> };
    const dependencies = Object.entries(manifest.dependencies ?? {});
    const ranges = [
      ...dependencies.filter(([dependency]) => dependency.startsWith('@solegate/')),
      ...Object.entries(manifest.peerDependencies ?? {}),
    ];
    for (const [, range] of ranges) expect(range).toMatch(/^(?:\^|>=)/);
  });
});
