import { expect, test } from '@jest/globals';
import { race, valuesOf } from '../src/index.js';

test('outcomes are collected in the order of the contenders, failures included', async () => {
  const outcomes = await race(4, async (index) => {
    if (index === 2) throw new Error('tripped');
    return index * 10;
  });
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 0 },
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: new Error('tripped') },
    { status: 'fulfilled', value: 30 },
  ]);
});

test('all contenders are started before any of them continues', async () => {
  const events: string[] = [];
  await race(3, async (index) => {
    events.push(`start ${index}`);
    await Promise.resolve();
    events.push(`go on ${index}`);
  });
  expect(events.slice(0, 3)).toEqual(['start 0', 'start 1', 'start 2']);
});

test('no contender passes the barrier before the last one has reached it', async () => {
  let preparedCount = 0;
  const preparedWhenPassing = await race(20, async (index, barrier) => {
    for (let turn = 0; turn < index; turn++) await Promise.resolve();
    preparedCount += 1;
    await barrier();
    return preparedCount;
  });
  expect(valuesOf(preparedWhenPassing)).toEqual(Array.from({ length: 20 }, () => 20));
});

test('a contender that fails before the barrier does not block the others', async () => {
  const outcomes = await race(3, async (index, barrier) => {
    if (index === 1) throw new Error('no connection');
    await barrier();
    return index;
  });
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('valuesOf returns the values, or throws all failures together', async () => {
  expect(valuesOf(await race(2, async (index) => index))).toEqual([0, 1]);
  const outcomes = await race(3, async (index) => {
    if (index > 0) throw new Error(`broken ${index}`);
  });
  expect(() => valuesOf(outcomes)).toThrow('2 of 3 contenders failed, the first with: Error: broken 1');
});
