import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRedis,
  forkTypeScript,
  type TestDatabase,
  type TestRedis,
  type TypeScriptChild,
} from '@solegate/testkit';
import { listNodeLeases } from '../src/node-lease/index.js';
import { nodeLeaseMigrations, postgresLeaseStore } from '../src/node-lease/postgres/index.js';
import { WINDOW_MS } from './fleet/fleet.js';
import { fromRuns, MintLog } from './fleet/mint-log.js';

/** A process starts, and waits for the window of the one before: a busy machine takes long for it. */
const START_MAX_MS = 50_000;

/** A process that has its node, and the time of its first ID. */
type HolderProcess = TypeScriptChild & { readonly atMs: number };

let redis: TestRedis;
let database: TestDatabase;
const children: TypeScriptChild[] = [];
beforeEach(async () => {
  redis = await createTestRedis();
  database = await createTestDatabase({ migrations: nodeLeaseMigrations });
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  await redis.drop();
  await database.drop();
});

/** Real processes, started by fork, that a signal can stop or kill. */
async function startProcess(kind: string): Promise<HolderProcess> {
  const child = forkTypeScript(new URL('./fleet/minting-process.ts', import.meta.url), [
    kind,
    kind === 'postgres' ? database.url : redis.url,
  ]);
  children.push(child);
  const { atMs } = (await child.nextLine(START_MAX_MS)) as { atMs: number };
  return Object.assign(child, { atMs });
}

interface Minted {
  readonly runs: [string, number][];
  readonly refusedCount: number;
}

async function mintedBy(log: MintLog, child: TypeScriptChild): Promise<Minted> {
  const minted = (await child.nextLine()) as Minted;
  log.add(String(child.pid), fromRuns(minted.runs));
  return minted;
}

/** When the only node is free again, by the clock of its store: the ceiling of its window, or the end of the plain lock. */
async function heldUntil(kind: string): Promise<{ leftMs: number; endMs: number }> {
  const source = kind === 'postgres' ? postgresLeaseStore(database.pool) : redis.client;
  const { leases, ended, nowMs } = await listNodeLeases(source);
  const [window] = [...leases, ...ended];
  const endMs = window?.ceilingMs ?? nowMs + (await redis.client.pttl('sys:tsid:node:0'));
  return { leftMs: endMs - nowMs, endMs };
}

/** A holder is suspended past its window and mints as soon as it resumes, at the same time as its successor. */
async function stoppedBesideSuccessor(kind: string): Promise<{ log: MintLog; woken: Minted }> {
  const log = new MintLog();
  const stopped = await startProcess(kind);
  stopped.send({ mintMs: 50 });
  await mintedBy(log, stopped);
  stopped.pause();
  const successor = await startProcess(kind);
  // The command waits in the pipe and is the first thing the process reads when it resumes.
  stopped.send({ mintMs: 150 });
  successor.send({ mintMs: 300 });
  await pause(50);
  stopped.resume();
  const [woken, other] = await Promise.all([mintedBy(log, stopped), mintedBy(log, successor)]);
  expect(other.refusedCount).toBe(0);
  expect(log.count).toBeGreaterThan(100_000);
  expect(log.orderBreakCount()).toBe(0);
  await Promise.all([stopped.kill(), successor.kill()]);
  return { log, woken };
}

describe.each([
  ['the window lease', 'window', true],
  ['the window lease in PostgreSQL', 'postgres', true],
  ['the plain lock', 'original', false],
] as const)('%s', (_name, kind, isSafe) => {
  test('when a holder is suspended past its window (SIGSTOP) and resumes beside its successor (SIGCONT)', async () => {
    const played = await stoppedBesideSuccessor(kind);
    if (isSafe) {
      expect(played.log.duplicateCount()).toBe(0);
      expect(played.woken.runs).toEqual([]);
      return;
    }
    let duplicateCount = played.log.duplicateCount();
    // On a busy machine the two may mint one after the other, which proves nothing.
    for (let play = 1; play < 12 && duplicateCount === 0; play++) {
      await redis.client.flushdb();
      duplicateCount = (await stoppedBesideSuccessor(kind)).log.duplicateCount();
    }
    expect(duplicateCount).toBeGreaterThan(0);
  });

  test('when a holder is killed (SIGKILL), it holds the node for one window at most; its successor mints only after that', async () => {
    const log = new MintLog();
    const killed = await startProcess(kind);
    killed.send({ mintMs: 200 });
    await mintedBy(log, killed);
    await killed.kill();
    const { leftMs, endMs } = await heldUntil(kind);
    expect(leftMs).toBeLessThanOrEqual(WINDOW_MS);
    const successor = await startProcess(kind);
    expect(successor.atMs).toBeGreaterThanOrEqual(endMs);
    successor.send({ mintMs: 200 });
    await mintedBy(log, successor);
    expect(log.count).toBeGreaterThan(100_000);
    expect({ duplicates: log.duplicateCount(), orderBreaks: log.orderBreakCount() }).toEqual({
      duplicates: 0,
      orderBreaks: 0,
    });
    successor.send({ release: true });
    expect(await successor.exited).toMatchObject({ code: 0 });
  });
});
