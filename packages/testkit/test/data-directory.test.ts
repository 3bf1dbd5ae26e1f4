import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  copyDirectory,
  type TemporaryDirectory,
  temporaryDirectory,
} from '../src/processes/data-directory.js';

let directory: TemporaryDirectory;
let source: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  source = join(directory.path, 'source');
  await mkdir(source);
  await writeFile(join(source, 'kept'), 'content', { mode: 0o640 });
});

afterAll(() => directory.remove());

test('a copy has the contents and modes of its source', async () => {
  const copy = join(directory.path, 'copy');
  await copyDirectory(source, copy);
  expect(await readFile(join(copy, 'kept'), 'utf8')).toBe('content');
  expect((await stat(join(copy, 'kept'))).mode & 0o777).toBe(0o640);
});

test('files that appear and disappear during the copy do no harm', async () => {
  const churn = { isOver: false };
  const churning = (async () => {
    while (!churn.isOver) {
      const names = Array.from({ length: 200 }, (_, index) => join(source, `passing-${index}`));
      await Promise.all(names.map((name) => writeFile(name, 'x')));
      await Promise.all(names.map((name) => rm(name)));
    }
  })();
  for (let turn = 0; turn < 10; turn++) {
    await copyDirectory(source, join(directory.path, `copy-${turn}`));
    expect(await readFile(join(directory.path, `copy-${turn}`, 'kept'), 'utf8')).toBe('content');
  }
  churn.isOver = true;
  await churning;
});

test('a missing source is an error', async () => {
  await expect(copyDirectory(join(directory.path, 'nowhere'), source)).rejects.toThrow('ENOENT');
});
