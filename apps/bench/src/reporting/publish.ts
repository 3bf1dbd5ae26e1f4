import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchResult } from '../measuring/result.js';
import { origin, readmeBlock } from './readme-block.js';
import { readResult, writeResult } from './result-file.js';

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const STORED = join(CHECKOUT, 'docs', 'bench', 'result.json');

/** `<!-- bench:figures -->`, anything, `<!-- /bench -->`. */
const BLOCK = /<!-- bench:([^\n]+) -->\n[\s\S]*?<!-- \/bench -->/g;

/**
 * Stores the result under `docs/bench` and writes its figures into every README that has a marked block, so that no
 * figure is ever edited by hand. Returns the files that changed.
 *
 * @param checkout the folder of the READMEs to write, ending with a slash. Default: this checkout
 */
export async function publish(result: BenchResult, checkout = CHECKOUT): Promise<string[]> {
  const stored = join(checkout, 'docs', 'bench', 'result.json');
  const slim = withoutDrawings(result);
  await writeResult(stored, slim);
  const changed = [stored];
  for (const file of await readmeFiles(checkout)) {
    const text = await readFile(file, 'utf8');
    const published = withBlocks(text, slim);
    if (published === text) continue;
    await writeFile(file, published);
    changed.push(file);
  }
  return changed;
}

/** Returns the text with every marked block filled from the result. */
export function withBlocks(text: string, result: BenchResult): string {
  let left = text.match(BLOCK)?.length ?? 0;
  return text.replace(BLOCK, (_block, name: string) => {
    left -= 1;
    const end = left === 0 ? `\n\n${origin(result)}` : '';
    return `<!-- bench:${name} -->\n${readmeBlock(name, result)}${end}\n<!-- /bench -->`;
  });
}

/** Returns the READMEs whose blocks differ from the stored result; none if everything is published. */
export async function unpublishedReadmes(): Promise<string[]> {
  const stored = await readResult(STORED);
  const stale: string[] = [];
  for (const file of await readmeFiles(CHECKOUT)) {
    const text = await readFile(file, 'utf8');
    if (withBlocks(text, stored) !== text) stale.push(file);
  }
  return stale;
}

async function readmeFiles(checkout: string): Promise<string[]> {
  const folders = [checkout, join(checkout, 'docs', 'bench')];
  for (const group of ['packages', 'apps']) {
    const entries = await readdir(join(checkout, group), { withFileTypes: true }).catch(() => []);
    folders.push(
      ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(checkout, group, name)),
    );
  }
  const files = [...folders.map((folder) => join(folder, 'README.md')), join(checkout, 'docs', 'scaling.md')];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => undefined)));
  return files.filter((_, index) => texts[index] !== undefined);
}

/** Removes the curves, which only the page needs; a committed result keeps the numbers to check. */
function withoutDrawings(result: BenchResult): BenchResult {
  return {
    ...result,
    experiments: result.experiments.map((experiment) => ({
      ...experiment,
      measurements: experiment.measurements.map(({ latencies, repeats, ...rest }) => ({
        ...rest,
        repeats: repeats.map((metrics) =>
          Object.fromEntries(
            Object.entries(metrics).map(([name, value]) => [name, Number(value.toPrecision(5))]),
          ),
        ),
        latencies: Object.fromEntries(
          Object.entries(latencies).map(([kind, summary]) => [kind, { ...summary, curve: [] }]),
        ),
      })),
    })),
  };
}
