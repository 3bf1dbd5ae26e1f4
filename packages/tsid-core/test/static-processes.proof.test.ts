import { expect, test } from '@jest/globals';
import { forkTypeScript } from '@solegate/testkit';
import { explain } from '../src/index.js';
import { fromRuns, MintLog } from './fleet/mint-log.js';
import { SLOW } from './fleet/slow-layout.js';

/** Two operating system processes with the same static node, one after the other: nothing connects them but what is given. */
const BORROW_MS = 60_000;

async function run(log: MintLog, name: string, ...args: readonly number[]): Promise<{ code?: string }> {
  const child = forkTypeScript(new URL('./fleet/static-process.ts', import.meta.url), args.map(String));
  const answer = (await child.nextLine()) as { code?: string; runs?: [string, number][] };
  await child.exited;
  if (answer.runs !== undefined) log.add(name, fromRuns(answer.runs));
  return answer;
}

const lastMs = (log: MintLog, name: string) => explain(log.all(name).at(-1) ?? 0n, SLOW).timeMs;

test('without borrowing, the second process starts above the first', async () => {
  const log = new MintLog();
  for (const name of ['first', 'second']) await run(log, name, 0);
  expect(log.count).toBe(50_000);
  expect(log.duplicateCount()).toBe(0);
});

test('with borrowing, the second is refused unless it is given the time of the last ID', async () => {
  const log = new MintLog();
  await run(log, 'first', BORROW_MS, 0);
  expect(await run(log, 'second', BORROW_MS)).toEqual({ code: 'INVALID_GENERATOR_OPTIONS' });
  expect(lastMs(log, 'first')).toBeGreaterThan(Date.now());
  await run(log, 'second', BORROW_MS, lastMs(log, 'first'));
  expect(log.count).toBe(1_000_000);
  expect(log.duplicateCount()).toBe(0);
});

test('given a time that is too early, it mints equal IDs', async () => {
  const log = new MintLog();
  for (const name of ['first', 'second']) await run(log, name, BORROW_MS, 0);
  expect(log.duplicateCount()).toBeGreaterThan(0);
});
