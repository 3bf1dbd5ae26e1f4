import { describe, expect, test } from '@jest/globals';
import { createTestRedis, manualClock, until } from '@solegate/testkit';
import { createTsidGenerator, explain } from '../src/index.js';
import { leaseNode } from '../src/node-lease/index.js';
import { ManualSource } from './fleet/manual-source.js';

const inTheWay = expect.objectContaining({
  code: 'NODE_IN_USE',
  message: expect.stringContaining('static and leased'),
});

describe('a static node that a process had before', () => {
  test('cannot be borrowed on without the time of the last ID', () => {
    const borrowing = () => createTsidGenerator({ node: 7, overflow: { borrowMaxMs: 60_000 } });
    expect(borrowing).toThrow(expect.objectContaining({ code: 'INVALID_GENERATOR_OPTIONS' }));
    expect(borrowing).toThrow(/startAfterMs/);
  });

  // Two namespaces stand for two processes: only startAfterMs connects them.
  test('starts after that time, though the process before had borrowed', () => {
    const clock = manualClock();
    const options = { node: 7, now: clock.now, overflow: { borrowMaxMs: 1_000 } } as const;
    const first = createTsidGenerator({ ...options, namespace: 'first run', startAfterMs: 0 });
    const last = first.fill(new BigUint64Array(4_096 * 900)).at(-1) ?? 0n;
    const startAfterMs = explain(last).timeMs;
    expect(startAfterMs - clock.now()).toBeGreaterThan(800);
    const second = createTsidGenerator({ ...options, namespace: 'second run', startAfterMs });
    expect(second.next()).toBeGreaterThan(last);
  });

  test('refuses a clock that was set back meanwhile', () => {
    const clock = manualClock();
    const first = createTsidGenerator({ node: 7, now: clock.now, namespace: 'before' });
    const startAfterMs = explain(first.next()).timeMs;
    clock.advance(-3_000);
    const second = createTsidGenerator({ node: 7, now: clock.now, namespace: 'after', startAfterMs });
    expect(() => second.next()).toThrow(
      expect.objectContaining({ code: 'CLOCK_MOVED_BACKWARDS', durationMs: 3_000 }),
    );
    clock.advance(3_001);
    expect(explain(second.next()).timeMs).toBe(startAfterMs + 1);
  });

  test.each([Number.NaN, 1.5, -2])('is not given by %d', (startAfterMs) => {
    expect(() => createTsidGenerator({ node: 7, startAfterMs })).toThrow(/startAfterMs is /);
  });
});

describe('a static node beside a lease in one process', () => {
  const leased = () =>
    new ManualSource('leased beside', { node: 9, floorMs: 0, ceilingMs: Number.MAX_SAFE_INTEGER });

  test('is refused, whichever comes first and whatever the nodes are', () => {
    const lease = createTsidGenerator({ lease: leased() });
    expect(() => createTsidGenerator({ node: 1 })).toThrow(inTheWay);
    lease.close();
    const fixed = createTsidGenerator({ node: 1 });
    expect(() => createTsidGenerator({ lease: leased() })).toThrow(inTheWay);
    fixed.close();
    createTsidGenerator({ lease: leased() }).close();
  });

  test('is accepted with a namespace, which says that the IDs never meet', () => {
    const lease = createTsidGenerator({ lease: leased() });
    createTsidGenerator({ node: 1, namespace: 'another database' }).close();
    lease.close();
  });
});

test('a released node is leased and minted on again, though the first generator was never closed', async () => {
  const redis = await createTestRedis();
  const options = {
    redis: redis.client,
    nodes: { first: 5, last: 5 },
    trustEmptyStore: true,
    automatic: false,
  };
  const first = await leaseNode(options);
  const before = createTsidGenerator({ lease: first }).next();
  await first.release();
  // Its window ends with the millisecond of its last ID.
  const second = await until(() => leaseNode(options));
  const again = createTsidGenerator({ lease: second });
  expect(again.next()).toBeGreaterThan(before);
  again.close();
  await second.release();
  await redis.drop();
});

describe('options of the wrong kind', () => {
  test.each([{ clockBack: 'wait' }, { overflow: 'borrow' }, { overflow: {} }])('%j are named', (options) => {
    expect(() => createTsidGenerator({ node: 7, ...(options as object) })).toThrow(
      expect.objectContaining({ code: 'INVALID_GENERATOR_OPTIONS' }),
    );
  });

  test.each([{}, { redis: 'redis://localhost' }])('of a lease, %j, are named', async (options) => {
    await expect(leaseNode(options as never)).rejects.toMatchObject({ code: 'INVALID_LEASE_OPTIONS' });
  });

  test('of a text are named, and nothing is minted', () => {
    const ids = createTsidGenerator({ node: 7, namespace: 'text' });
    expect(() => ids.nextString('base62' as 'decimal')).toThrow(/use decimal or crockford/);
    ids.close();
  });
});

describe('an observer that mints', () => {
  test.each(['overflowed', 'horizonNear'] as const)('in %s is refused, and no ID is equal', (event) => {
    const nearEndMs = Date.UTC(2088, 0, 1);
    const clock = manualClock(event === 'horizonNear' ? nearEndMs : undefined);
    let reads = 0;
    const now = () => {
      if (++reads % 10_000 === 0) clock.advance(1);
      return clock.now();
    };
    const refusals: unknown[] = [];
    const minted: bigint[] = [];
    const observer = {
      [event]: () => {
        try {
          minted.push(ids.next());
        } catch (error) {
          refusals.push(error);
        }
      },
    };
    const ids = createTsidGenerator({ node: 8, namespace: `observer ${event}`, now, observer });
    for (let count = 0; count < 9_000; count++) minted.push(ids.next());
    expect(new Set(minted).size).toBe(minted.length);
    expect(refusals.length).toBeGreaterThan(0);
    ids.close();
  });
});
