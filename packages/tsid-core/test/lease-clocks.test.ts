import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestRedis, type TestRedis } from '@solegate/testkit';
import { createTsidGenerator, type TsidGenerator } from '../src/index.js';
import { leaseNode, type NodeLease, type NodeLeaseEvent } from '../src/node-lease/index.js';
import { shiftedRedis } from './fleet/shifted-redis.js';

/* A clock that jumps while a node is held: minting continues for the rest of the window, and an event is published. */

const HOUR_MS = 3_600_000;

let redis: TestRedis;
let shifted: ReturnType<typeof shiftedRedis>;
let ownShiftMs: number;
let lease: NodeLease;
let generator: TsidGenerator;
let events: NodeLeaseEvent[];
let namespaceCount = 0;
const now = () => Date.now() + ownShiftMs;

beforeEach(async () => {
  redis = await createTestRedis();
  shifted = shiftedRedis(redis.client);
  ownShiftMs = 0;
  events = [];
  lease = await leaseNode({
    redis: shifted.redis,
    trustEmptyStore: true,
    automatic: false,
    now,
    observer: (event) => events.push(event),
  });
  generator = createTsidGenerator({ lease, now, namespace: `clocks ${namespaceCount++}` });
});
afterEach(async () => {
  shifted.check();
  generator.close();
  await lease.release();
  await redis.drop();
});

const kinds = () => events.map(({ kind }) => kind).filter((kind) => kind !== 'WARNING');
const difference = () => events.find((event) => event.kind === 'CLOCK_DIFFERENCE');

describe.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('when the clock of Redis goes %s by an hour', (_way, shiftMs) => {
  test('minting goes on in the window, and the next renewal publishes it once', async () => {
    const before = generator.next();
    await shifted.shiftTo(shiftMs);
    await lease.renew();
    await lease.renew();
    expect(generator.next()).toBeGreaterThan(before);
    expect(kinds().filter((kind) => kind === 'CLOCK_DIFFERENCE')).toHaveLength(1);
    expect(Math.sign(difference()?.differenceMs ?? 0)).toBe(-Math.sign(shiftMs));
    expect(Math.abs(difference()?.differenceMs ?? 0)).toBeGreaterThan(HOUR_MS - 10_000);
    expect(lease.health()).toMatchObject({ state: 'CLOCK_DIFFERENCE', healthy: true, node: 1023 });
    expect(kinds()).not.toContain('LOST');
  });

  test('and back again, the same node continues and others can start', async () => {
    await shifted.shiftTo(shiftMs);
    await lease.renew();
    await shifted.shiftTo(0);
    await lease.renew();
    expect(lease.health()).toMatchObject({ state: 'HELD', node: 1023, lastFailure: undefined });
    expect(kinds().at(-1)).toBe('RENEWED');
    await using other = await leaseNode({ redis: redis.client, automatic: false, waitMaxMs: 0 });
    expect(other.node).toBe(1022);
  });
});

describe('when the clock of the holder', () => {
  test('goes forward by an hour, minting is refused for a reason that is true, and goes on once it is right', async () => {
    const before = generator.next();
    ownShiftMs = HOUR_MS;
    expect(() => generator.next()).toThrow(/past the window.* or the clocks differ/);
    await lease.renew();
    await lease.renew();
    expect(difference()?.differenceMs).toBeGreaterThan(HOUR_MS - 10_000);
    expect(lease.health()).toMatchObject({ state: 'WAITING', healthy: false, node: undefined });
    ownShiftMs = 0;
    await lease.renew();
    expect(lease.health()).toMatchObject({ state: 'HELD', healthy: true, node: 1022 });
    expect(generator.next()).toBeGreaterThan(before);
  });

  test('goes back by an hour, the same', async () => {
    const before = generator.next();
    ownShiftMs = -HOUR_MS;
    expect(() => generator.next()).toThrow(expect.objectContaining({ code: 'CLOCK_MOVED_BACKWARDS' }));
    await lease.renew();
    expect(difference()?.differenceMs).toBeLessThan(10_000 - HOUR_MS);
    expect(lease.health()).toMatchObject({ state: 'CLOCK_DIFFERENCE', healthy: false, node: 1023 });
    ownShiftMs = 0;
    await lease.renew();
    expect(generator.next()).toBeGreaterThan(before);
  });

  test('is wrong when another node is needed, the difference is published too', async () => {
    await redis.client.hset('{sys:tsid}:grants', '1023', 'stolen stolen 0 x y');
    await lease.renew();
    ownShiftMs = HOUR_MS;
    await lease.renew();
    expect(kinds()).toEqual(expect.arrayContaining(['LOST', 'CLOCK_DIFFERENCE', 'CLAIM_FAILED']));
    expect(lease.health().lastFailure).toContain('ms ahead of Redis');
  });
});
