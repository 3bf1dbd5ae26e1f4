import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BenchResult } from '../measuring/result.js';

/** A file is not a result of the bench; the message names it. */
export class ResultFileError extends Error {
  readonly code = 'RESULT_FILE';

  constructor(
    readonly file: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${file} ${message}`, options);
    this.name = 'ResultFileError';
  }
}

/** @throws ResultFileError if the file cannot be read or contains something else */
export async function readResult(file: string): Promise<BenchResult> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ResultFileError(file, 'cannot be read as a result of the bench.', { cause: error });
  }
  if (!isResult(value)) throw new ResultFileError(file, 'is JSON, but not a result of the bench.');
  return value;
}

function isResult(value: unknown): value is BenchResult {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'solegate-bench-result'
  );
}

/** `bench-results/2026-11-21T02-30-00.json`: sorts by time when sorted by name. */
export function resultFile(folder: string, result: BenchResult): string {
  return join(folder, `${result.date.slice(0, 19).replaceAll(':', '-')}.json`);
}

export async function writeResult(file: string, result: BenchResult): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(result, null, 1)}\n`);
}
