import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { BackgroundLoop } from '../src/timing/background-loop.js';

const LONG_MS = 600_000;
const random = () => 0.5;

describe('a background loop', () => {
  test('starts immediately, sleeps for its interval, and continues when woken', async () => {
    let passCount = 0;
    const pass = async () => {
      passCount += 1;
      return false;
    };
    await using loop = new BackgroundLoop({ pass, intervalMs: LONG_MS, random, failed: () => {} });
    await until(() => passCount === 1);
    loop.wake();
    await until(() => passCount === 2);
    await loop.stop();
    loop.wake();
    expect(passCount).toBe(2);
  });

  test('sleeps for its idle time when it expects nothing soon, unless it is woken', async () => {
    let passCount = 0;
    const pass = async () => {
      passCount += 1;
      return passCount === 3 ? false : ('IDLE' as const);
    };
    const options = { pass, random, failed: () => {} };
    await using loop = new BackgroundLoop({ ...options, intervalMs: LONG_MS, idleMs: 1 });
    // Three runs follow by idle times; after the third, which was not idle, none does.
    await until(() => passCount === 3);
    loop.wake();
    await until(() => passCount > 3);
    await loop.stop();
  });

  test('continues without a pause while there is more work', async () => {
    let leftCount = 50;
    const pass = async () => {
      leftCount -= 1;
      return leftCount > 0;
    };
    await using loop = new BackgroundLoop({ pass, intervalMs: LONG_MS, random, failed: () => {} });
    await until(() => leftCount === 0);
    await loop.stop();
  });

  test('reports a failure and waits for the interval, however often it is woken', async () => {
    const failures: Error[] = [];
    const pass = () => Promise.reject(new Error('no'));
    await using loop = new BackgroundLoop({
      pass,
      intervalMs: LONG_MS,
      random,
      failed: (e) => failures.push(e),
    });
    await until(() => failures.length === 1);
    for (let count = 0; count < 5; count += 1) {
      loop.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(failures).toHaveLength(1);
    await loop.stop();
  });

  test('stops only after the current run has ended', async () => {
    let endPass = () => {};
    let hasEnded = false;
    const pass = async () => {
      await new Promise<void>((resolve) => {
        endPass = resolve;
      });
      hasEnded = true;
      return true;
    };
    const loop = new BackgroundLoop({ pass, intervalMs: 1, random, failed: () => {} });
    const stopped = loop.stop();
    endPass();
    await stopped;
    expect(hasEnded).toBe(true);
  });
});
