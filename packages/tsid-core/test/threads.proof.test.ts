import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startRedisServer } from '@solegate/testkit';
import { build } from 'esbuild';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tsid-threads-'));
  // One bundle: two hundred threads that compile TypeScript would not start in time.
  await build({
    entryPoints: [fileURLToPath(new URL('./leasing-thread.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@solegate/source'],
    outfile: join(directory, 'thread.cjs'),
  });
});
afterAll(() => rm(directory, { recursive: true }));

const message = <Message>(thread: Worker) =>
  new Promise<Message>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });

test.each([100, 200])('%d threads, each with its own node, mint no equal IDs', async (threadCount) => {
  await using server = await startRedisServer();
  const workerData = { url: server.url, count: 10_000 };
  const threads = Array.from(
    { length: threadCount },
    () => new Worker(join(directory, 'thread.cjs'), { workerData }),
  );
  const held = await Promise.all(threads.map((thread) => message<{ node: number }>(thread)));
  expect(new Set(held.map(({ node }) => node)).size).toBe(threadCount);
  const minting = threads.map((thread) => message<{ ids: BigUint64Array }>(thread));
  for (const thread of threads) thread.postMessage('mint');
  const all = new BigUint64Array(threadCount * workerData.count);
  for (const [index, { ids }] of (await Promise.all(minting)).entries())
    all.set(ids, index * workerData.count);
  all.sort();
  let equalCount = 0;
  for (let index = 1; index < all.length; index++) if (all[index] === all[index - 1]) equalCount++;
  expect(equalCount).toBe(0);
  await Promise.all(threads.map((thread) => thread.terminate()));
});
