import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import {
  createSharedTsidGenerator,
  createTsidGenerator,
  explain,
  type NodeSource,
  type NodeUser,
  type NodeWindow,
  openSharedTsidGenerator,
  type SharedTsidHandle,
  TSID_42_10_12,
} from '../src/index.js';

interface Minted {
  readonly ids: BigUint64Array;
  readonly stoppedBy: string | undefined;
}

/** Runs a thread of minting-thread.ts; tsx is registered for it, since it starts from TypeScript. */
function mintInThread(handle: SharedTsidHandle, count: number, batch: number): Promise<Minted> {
  const code = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(new URL('./minting-thread.ts', import.meta.url).href)});
  });`;
  const worker = new Worker(code, { eval: true, workerData: { handle, count, batch } });
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

/** A source of windows that the test moves by hand. */
class ManualSource implements NodeSource {
  readonly layout = TSID_42_10_12;
  readonly namespace: string;
  readonly runAheadMaxMs = 0;
  current: NodeWindow | 'lost' | 'released';
  user: NodeUser | undefined;

  constructor(namespace: string, window: NodeWindow) {
    this.namespace = namespace;
    this.current = window;
  }

  window() {
    return this.current;
  }

  attach(user: NodeUser) {
    this.user = user;
    return () => {
      this.user = undefined;
    };
  }

  change(window: NodeWindow | 'lost' | 'released') {
    this.current = window;
    this.user?.windowChanged();
  }
}

describe('threads on one node', () => {
  test('4 threads mint a million IDs each by next() and by fill(): none equal, each in order', async () => {
    const owner = createSharedTsidGenerator({ node: 21, namespace: 'threads' });
    try {
      const shares = [1, 1, 4_000, 100].map((batch) => mintInThread(owner.handle, 1_000_000, batch));
      const minted = await Promise.all(shares);
      expect(minted.map(({ stoppedBy, ids }) => stoppedBy ?? ids.length)).toEqual(Array(4).fill(1_000_000));
      expect(duplicateCount(minted.map(({ ids }) => ids))).toBe(0);
      expect(minted.map(({ ids }) => orderBreakCount(ids))).toEqual([0, 0, 0, 0]);
      expect(explain(owner.next())).toMatchObject({ node: 21 });
    } finally {
      owner.close();
    }
  }, 60_000);

  test('all stop when the node is taken away, and nothing is minted after the last timestamp that was told', async () => {
    const window = { node: 30, floorMs: Date.now() - 1, ceilingMs: Date.now() + 60_000 };
    const source = new ManualSource('threads', window);
    const owner = createSharedTsidGenerator({ lease: source });
    try {
      const shares = [1, 1, 64].map((batch) => mintInThread(owner.handle, 64_000_000, batch));
      const first = owner.next();
      while (owner.next() < first + (200n << 22n));
      source.change('released');
      const toldMs = source.user?.lastMintedMs() ?? 0;
      const minted = await Promise.all(shares);
      expect(minted.map(({ stoppedBy }) => stoppedBy)).toEqual(['released', 'released', 'released']);
      const highest = minted.reduce(
        (max, { ids }) => ((ids.at(-1) ?? 0n) > max ? (ids.at(-1) ?? 0n) : max),
        first,
      );
      expect(explain(highest).timeMs).toBeLessThanOrEqual(toldMs);
      expect(duplicateCount(minted.map(({ ids }) => ids))).toBe(0);
    } finally {
      owner.close();
    }
  }, 60_000);
});

describe('the shared position', () => {
  test('counts on, waits for the next millisecond, and refuses a clock that went back', () => {
    const clock = manualClock();
    const owner = createSharedTsidGenerator({ node: 22, namespace: 'position', clock: clock.now });
    const other = openSharedTsidGenerator(owner.handle, { clock: clock.now });
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
      clock: walking,
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
    const owner = createSharedTsidGenerator({ lease: source, clock: clock.now });
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
