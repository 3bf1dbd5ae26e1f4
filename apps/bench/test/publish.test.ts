import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { publish, unpublishedReadmes, withBlocks } from '../src/reporting/publish.js';
import { ResultFileError, readResult, resultFile, writeResult } from '../src/reporting/result-file.js';
import { aMeasurement, anExperiment, aResult } from './sample-result.js';

const result = aResult([
  anExperiment('numbers.sample', [aMeasurement('solegate', 'solegate', [123456.789])]),
]);
const README = '# A package\n\n<!-- bench:numbers.sample | solegate -->\nold\n<!-- /bench -->\n\nThe rest.\n';

let folder: string;

beforeEach(async () => {
  folder = `${await mkdtemp(join(tmpdir(), 'bench-publish-'))}/`;
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('publishing', () => {
  test('fills marked blocks, leaves the rest alone, and does nothing the second time', async () => {
    await mkdir(join(folder, 'packages', 'one'), { recursive: true });
    const file = join(folder, 'packages', 'one', 'README.md');
    await writeFile(file, README);
    await writeFile(join(folder, 'README.md'), '# No block\n');
    expect(await publish(result, folder)).toEqual([join(folder, 'docs', 'bench', 'result.json'), file]);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^# A package\n\n<!-- bench:numbers.sample \| solegate -->\n\| \| solegate \|/);
    expect(text).toMatch(/\| a sample experiment \| 123,000\/s \|/);
    expect(text).toMatch(/<!-- \/bench -->\n\nThe rest\.\n$/);
    expect(withBlocks(text, await readResult(join(folder, 'docs', 'bench', 'result.json')))).toBe(text);
    expect(await publish(result, folder)).toHaveLength(1);
  });

  test('fails when a README names a block that does not exist', () => {
    expect(() => withBlocks('<!-- bench:speed -->\n<!-- /bench -->', result)).toThrow(
      /names no subject\. A block is "figures"/,
    );
  });

  test('the READMEs of this checkout show the stored result; no block was edited by hand', async () => {
    expect(await unpublishedReadmes()).toEqual([]);
  });
});

describe('a result file', () => {
  test('is read back unchanged, and its name sorts by time', async () => {
    const file = resultFile(folder, result);
    expect(file).toBe(join(folder, '2026-01-02T03-04-05.json'));
    await writeResult(file, result);
    expect(await readResult(file)).toEqual(result);
  });

  test('that is invalid is rejected by name', async () => {
    const file = join(folder, 'other.json');
    await expect(readResult(file)).rejects.toThrow(ResultFileError);
    await writeFile(file, '{"kind":"something"}');
    await expect(readResult(file)).rejects.toThrow(/other\.json is JSON, but not a result of the bench/);
  });
});
