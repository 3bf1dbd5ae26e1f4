import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import {
  createSharedTsidGenerator,
  createTsidGenerator,
  explain,
  openSharedTsidGenerator,
  type SharedTsidHandle,
} from '../src/index.js';
import { longer } from './fleet/longer.js';
import { ManualSource } from './fleet/manual-source.js';

interface Minted {
  readonly ids: BigUint64Array;
  readonly stoppedBy: string | undefined;
}

function mintInThread(handle: SharedTsidHandle, count: number, batch: number): Promise<Minted> {
  return inThread<Minted>('./minting-thread.ts', { handle, count, batch });
}

/** Runs a thread and returns what it posts; tsx is registered for it, since it starts from TypeScript. */
function inThread<Answer>(file: string, workerData: unknown): Promise<Answer> {
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(new URL(file, import.meta.url).href)});
  });`;
  const worker = new Worker(code, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function duplicateCount(parts: readonly BigUint64Array[]): number {
  const all = new BigUint64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  all.sort();
  let count = 0;
  for (let index = 1; index < all.length; index++) if (all[index] === all[index - 1]) count++;
  return count;
}

function orderBreakCount(ids: BigUint64Array): number {
  let count = 0;
  for (let index = 1; index < ids.length; index++) if ((ids[index] ?? 0n) <= (ids[index - 1] ?? 0n)) count++;
  return count;
}

describe('threads on one node', () => {
  test('4 threads mint by next() and by fill(): none equal, each in order', async () => {
    const count = longer(200_000, 1_000_000);
    const owner = createSharedTsidGenerator({ node: 21, namespace: 'threads' });
    try {
      const shares = [1, 1, 4_000, 100].map((batch) => mintInThread(owner.handle, count, batch));
      const minted = await Promise.all(shares);
      expect(minted.map(({ stoppedBy, ids }) => stoppedBy ?? ids.length)).toEqual(Array(4).fill(count));
      expect(duplicateCount(minted.map(({ ids }) => ids))).toBe(0);
      expect(minted.map(({ ids }) => orderBreakCount(ids))).toEqual([0, 0, 0, 0]);
      expect(explain(owner.next())).toMatchObject({ node: 21 });
    } finally {
      owner.close();
    }
  }, 60_000);

  test('all stop when the node is revoked, and nothing is minted after the last reported timestamp', async () => {
    const window = { node: 30, floorMs: Date.now() - 1, ceilingMs: Date.now() + 60_000 };
    const source = new ManualSource('threads', window);
    const owner = createSharedTsidGenerator({ lease: source });
    try {
      const shares = [1, 1, 64].map((batch) => mintInThread(owner.handle, 64_000_000, batch));
      const first = owner.next();
      while (owner.next() < first + (200n << 22n));
      source.change('released');
      const reportedMs = source.user?.lastMintedMs() ?? 0;
      const minted = await Promise.all(shares);
      expect(minted.map(({ stoppedBy }) => stoppedBy)).toEqual(['released', 'released', 'released']);
      const highest = minted.reduce(
        (max, { ids }) => ((ids.at(-1) ?? 0n) > max ? (ids.at(-1) ?? 0n) : max),
        first,
      );
      expect(explain(highest).timeMs).toBeLessThanOrEqual(reportedMs);
      expect(duplicateCount(minted.map(({ ids }) => ids))).toBe(0);
    } finally {
      owner.close();
    }
  }, 60_000);
});

describe('a static node in a thread', () => {
  test.each([
    [{ node: 7 }, 'INVALID_GENERATOR_OPTIONS'],
    [{ node: 7, isShared: true }, 'INVALID_GENERATOR_OPTIONS'],
    [{ node: 7, allowOffMainThread: true }, 'minted'],
    [{ node: 7, isShared: true, allowOffMainThread: true }, 'minted'],
  ])('%j: %s', async (options, answer) => {
    expect(await inThread<string>('./static-node-thread.ts', options)).toBe(answer);
  });
});

describe('the shared position', () => {
  test('counts up, waits for the next millisecond, and refuses a clock that moved backwards', () => {
    const clock = manualClock();
    const owner = createSharedTsidGenerator({ node: 22, namespace: 'position', now: clock.now });
    const other = openSharedTsidGenerator(owner.handle, { now: clock.now });
    const first = owner.next();
    expect(other.next()).toBe(first + 1n);
    other.fill(new BigUint64Array(4_094));
    expect(() => owner.next()).toThrow(expect.objectContaining({ code: 'CLOCK_STALLED' }));
    clock.advance(1);
    expect(explain(other.next())).toMatchObject({ timeMs: clock.now(), sequence: 0 });
    clock.advance(-5);
    expect(() => owner.next()).toThrow('Refusing to generate id for 5ms');
    owner.close();
    expect(() => other.next()).toThrow(expect.objectContaining({ reason: 'closed' }));
  });

  test('waits for a clock that went back by less than the limit', () => {
    const clock = manualClock();
    let reads = 0;
    const walking = () => {
      if (++reads % 100 === 0) clock.advance(1);
      return clock.now();
    };
    const options = {
      node: 23,
      namespace: 'position',
      now: walking,
      clockBack: { waitMaxMs: 50 },
    } as const;
    const owner = createSharedTsidGenerator(options);
    const before = owner.next();
    clock.advance(-40);
    expect(owner.next()).toBeGreaterThan(before);
    owner.close();
  });

  test('moves to another node above everything minted, and ends at the ceiling', () => {
    const clock = manualClock();
    const floorMs = clock.now();
    const source = new ManualSource('position', { node: 40, floorMs, ceilingMs: floorMs + 10 });
    const owner = createSharedTsidGenerator({ lease: source, now: clock.now });
    const before = owner.next();
    clock.advance(9);
    const last = owner.next();
    source.change({ node: 12, floorMs, ceilingMs: floorMs + 100 });
    expect(() => owner.next()).toThrow(expect.objectContaining({ code: 'CLOCK_STALLED' }));
    clock.advance(1);
    const moved = owner.next();
    expect(explain(moved).node).toBe(12);
    expect(moved > last && last > before).toBe(true);
    source.change({ node: 12, floorMs, ceilingMs: floorMs + 200 });
    clock.advance(150);
    expect(explain(owner.next()).node).toBe(12);
    clock.advance(100);
    expect(() => owner.next()).toThrow(expect.objectContaining({ reason: 'ended' }));
    source.change('lost');
    expect(() => owner.next()).toThrow(expect.objectContaining({ reason: 'lost' }));
    owner.close();
  });

  test('refuses the ceiling itself, where the window of the next holder begins', () => {
    const clock = manualClock();
    const floorMs = clock.now();
    const source = new ManualSource('position', { node: 41, floorMs, ceilingMs: floorMs + 10 });
    const owner = createSharedTsidGenerator({ lease: source, now: clock.now });
    clock.advance(9);
    expect(explain(owner.next()).timeMs).toBe(floorMs + 9);
    clock.advance(1);
    expect(() => owner.next()).toThrow(expect.objectContaining({ reason: 'ended' }));
    owner.close();
  });

  test('is not moved by a thread that read it before the node was revoked and replaced', () => {
    const clock = manualClock();
    const floorMs = clock.now();
    const ceilingMs = floorMs + 100;
    const source = new ManualSource('position', { node: 42, floorMs, ceilingMs });
    const owner = createSharedTsidGenerator({ lease: source, now: clock.now });
    let replaceNode = () => {};
    const slowThread = openSharedTsidGenerator(owner.handle, {
      // Called between the reading of the position and its exchange.
      now: () => {
        replaceNode();
        return clock.now();
      },
    });
    owner.fill(new BigUint64Array(4_096));
    clock.advance(1);
    replaceNode = () => {
      replaceNode = () => {};
      source.change('lost');
      source.change({ node: 43, floorMs, ceilingMs });
      clock.advance(1);
    };
    expect(explain(slowThread.next()).node).toBe(43);
    owner.close();
  });

  test('counts how often a thread waited for the next millisecond', () => {
    const clock = manualClock();
    let reads = 0;
    const walking = () => {
      if (++reads % 20 === 0) clock.advance(1);
      return clock.now();
    };
    const owner = createSharedTsidGenerator({ node: 25, namespace: 'position', now: walking });
    owner.fill(new BigUint64Array(4_096 * 3));
    expect(owner.overflowCount).toBeGreaterThanOrEqual(2);
    expect(owner.overflowCount).toBeLessThanOrEqual(3);
    owner.close();
  });

  test('has its node in the registry like any other generator', () => {
    const owner = createSharedTsidGenerator({ node: 24, namespace: 'position' });
    const another = () => createTsidGenerator({ node: 24, namespace: 'position' });
    expect(another).toThrow(expect.objectContaining({ code: 'NODE_IN_USE' }));
    const last = owner.next();
    owner.close();
    const next = another();
    expect(next.next()).toBeGreaterThan(last);
    next.close();
  });
});
