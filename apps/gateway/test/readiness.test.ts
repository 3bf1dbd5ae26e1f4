import { describe, expect, test } from '@jest/globals';
import { manualClock } from '@solegate/testkit';
import { Readiness } from '../src/operations/readiness.js';

function readinessOf() {
  const clock = manualClock(0);
  const store = { reason: undefined as string | undefined };
  const readiness = new Readiness({
    probes: { store: async () => store.reason, other: async () => undefined },
    needed: ['store'],
    toleranceMs: 2_000,
    now: () => clock.now(),
  });
  return { clock, store, readiness };
}

describe('readiness', () => {
  test('is green while every part works', async () => {
    const { readiness } = readinessOf();
    await readiness.look();
    expect(readiness.reasons()).toEqual({});
  });

  test('turns red when a part fails for longer than the tolerance, and green after its next successful probe', async () => {
    const { clock, store, readiness } = readinessOf();
    store.reason = 'away';
    await readiness.look();
    clock.advance(1_999);
    expect(readiness.reasons()).toEqual({});
    clock.advance(1);
    expect(readiness.reasons()).toEqual({ store: 'away' });
    store.reason = undefined;
    await readiness.look();
    expect(readiness.reasons()).toEqual({});
  });

  test('lists failing parts even before the tolerance has passed', async () => {
    const { store, readiness } = readinessOf();
    store.reason = 'away';
    await readiness.look();
    expect(readiness.reasons()).toEqual({});
    expect(readiness.away()).toEqual([{ part: 'store', reason: 'away', awayMs: 0 }]);
    store.reason = undefined;
    await readiness.look();
    expect(readiness.away()).toEqual([]);
  });

  test('the tolerance restarts each time a part recovers', async () => {
    const { clock, store, readiness } = readinessOf();
    for (const reason of ['away', undefined, 'away']) {
      store.reason = reason;
      await readiness.look();
      clock.advance(1_500);
    }
    expect(readiness.reasons()).toEqual({});
  });

  test('stays green while one of the needed parts works, whatever else is away, and lists the red ones', async () => {
    const clock = manualClock(0);
    const reasons: Record<string, string | undefined> = {};
    const probes = Object.fromEntries(
      ['north', 'south', 'redis'].map((name) => [name, async () => reasons[name]]),
    );
    const needed = ['north', 'south'];
    const readiness = new Readiness({ probes, needed, toleranceMs: 0, now: () => clock.now() });
    reasons.north = 'away';
    reasons.redis = 'away';
    await readiness.look();
    expect([readiness.reasons(), readiness.red()]).toEqual([{}, { north: 'away', redis: 'away' }]);
    reasons.south = 'away';
    await readiness.look();
    expect(readiness.reasons()).toEqual({ north: 'away', south: 'away' });
  });

  test('is red from the start of shutdown, permanently', async () => {
    const { readiness } = readinessOf();
    readiness.drain();
    await readiness.look();
    expect(readiness.reasons()).toEqual({ gateway: 'stopping' });
  });
});
