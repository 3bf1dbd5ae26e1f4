import { expect, jest, test } from '@jest/globals';

import { SubscriptionQueue } from '../src/subscription.js';

const message = (payload: string) => ({ kind: 'MESSAGE', payload }) as const;

async function readAll(subscription: SubscriptionQueue, count: number): Promise<unknown[]> {
  const events: unknown[] = [];
  for (let index = 0; index < count; index += 1) events.push((await subscription.next()).value);
  return events;
}

test('returns events in order, whether the reader or the event comes first', async () => {
  const subscription = new SubscriptionQueue(8, () => undefined);
  const early = subscription.next();
  subscription.push(message('a'));
  subscription.push(message('b'));
  expect([(await early).value, ...(await readAll(subscription, 1))]).toEqual([message('a'), message('b')]);
});

test('a reader that is too slow gets one gap instead of the unread events, then later ones', async () => {
  const subscription = new SubscriptionQueue(3, () => undefined);
  for (const payload of ['1', '2', '3', '4', '5']) subscription.push(message(payload));
  expect(await readAll(subscription, 2)).toEqual([{ kind: 'GAP' }, message('5')]);
});

test('never holds more than queueMax events', async () => {
  const subscription = new SubscriptionQueue(4, () => undefined);
  for (let index = 0; index < 1003; index += 1) subscription.push(message(String(index)));
  subscription.push(message('last'));
  const events: unknown[] = [];
  do events.push((await subscription.next()).value);
  while (JSON.stringify(events.at(-1)) !== JSON.stringify(message('last')));
  expect(events.length).toBeLessThanOrEqual(4);
  expect(events[0]).toEqual({ kind: 'GAP' });
});

test('closing ends a reader that waits, and notifies its owner once', async () => {
  const onClose = jest.fn();
  const subscription = new SubscriptionQueue(3, onClose);
  const waiting = subscription.next();
  await subscription.return();
  subscription.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('leaving a for-await loop closes it', async () => {
  const onClose = jest.fn();
  const subscription = new SubscriptionQueue(3, onClose);
  subscription.push(message('only'));
  for await (const event of subscription) {
    expect(event).toEqual(message('only'));
    break;
  }
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('an event after the end is dropped, and throw() closes too', async () => {
  const subscription = new SubscriptionQueue(3, () => undefined);
  await expect(subscription.throw(new Error('reader broke'))).rejects.toThrow('reader broke');
  subscription.push(message('late'));
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
});
