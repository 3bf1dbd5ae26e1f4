import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTestRedis, startFaultProxy, type TestRedis, until } from '@solegate/testkit';

import { connectRedis, createPubSub, type PubSub, type Subscription } from '../src/index.js';

let redis: TestRedis;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await createTestRedis();
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

afterAll(() => redis.drop());

/** Channels belong to the whole server, so each test uses its own names. */
let channelIndex = 0;
function channelName(): string {
  channelIndex += 1;
  return `redis-infra:${process.pid}:${channelIndex}`;
}

function pubSubAt(subscriberUrl: string, settings: { queueMax?: number; heartbeatMs?: number } = {}): PubSub {
  const subscriber = connectRedis({ url: subscriberUrl, purpose: 'subscriber', commandTimeoutMs: 5000 });
  const publisher = connectRedis({ url: redis.url, purpose: 'background', commandTimeoutMs: 5000 });
  const pubSub = createPubSub({ subscriber, publisher, ...settings });
  ends.push(
    () => subscriber.disconnect(),
    () => publisher.disconnect(),
    () => pubSub.close(),
  );
  return pubSub;
}

async function listenerCount(channel: string): Promise<number> {
  const [, count] = (await redis.client.pubsub('NUMSUB', channel)) as [string, number];
  return Number(count);
}

async function next(subscription: Subscription): Promise<unknown> {
  return (await subscription.next()).value;
}

test('delivers what is published after subscribe() resolved, in order', async () => {
  const channel = channelName();
  const pubSub = pubSubAt(redis.url);
  const subscription = await pubSub.subscribe(channel);
  for (const payload of ['a', 'b', 'c']) await pubSub.publish(channel, payload);
  expect([await next(subscription), await next(subscription), await next(subscription)]).toEqual(
    ['a', 'b', 'c'].map((payload) => ({ kind: 'MESSAGE', payload })),
  );
});

test('many listeners of many channels share one connection, and each receives its own channel', async () => {
  const channels = Array.from({ length: 20 }, channelName);
  const pubSub = pubSubAt(redis.url);
  const subscriptions = await Promise.all(
    channels.flatMap((channel) => [pubSub.subscribe(channel), pubSub.subscribe(channel)]),
  );
  for (const channel of channels) {
    expect(await listenerCount(channel)).toBe(1);
    await pubSub.publish(channel, channel);
  }
  const heard = await Promise.all(subscriptions.map(next));
  expect(heard).toEqual(
    channels.flatMap((payload) => [
      { kind: 'MESSAGE', payload },
      { kind: 'MESSAGE', payload },
    ]),
  );
});

test('unsubscribes when the last listener leaves, not before', async () => {
  const channel = channelName();
  const pubSub = pubSubAt(redis.url);
  const [first, second] = await Promise.all([pubSub.subscribe(channel), pubSub.subscribe(channel)]);
  first.close();
  await pubSub.publish(channel, 'still');
  expect(await next(second)).toEqual({ kind: 'MESSAGE', payload: 'still' });
  second.close();
  await until(async () => (await listenerCount(channel)) === 0);
  expect(pubSub.channelCount).toBe(0);
});

test('ten thousand listeners that come and go leave no subscription behind', async () => {
  const channel = channelName();
  const pubSub = pubSubAt(redis.url);
  for (let round = 0; round < 100; round += 1) {
    const subscriptions = await Promise.all(Array.from({ length: 100 }, () => pubSub.subscribe(channel)));
    for (const subscription of subscriptions) subscription.close();
  }
  expect(pubSub.channelCount).toBe(0);
  await until(async () => (await listenerCount(channel)) === 0);
});

test('unsubscribing and immediately subscribing again ends up subscribed', async () => {
  const channel = channelName();
  const pubSub = pubSubAt(redis.url);
  const first = await pubSub.subscribe(channel);
  const coming = pubSub.subscribe(channel);
  first.close();
  (await coming).close();
  const last = await pubSub.subscribe(channel);
  await pubSub.publish(channel, 'heard');
  expect(await next(last)).toEqual({ kind: 'MESSAGE', payload: 'heard' });
});

test('after a broken connection, listeners get a gap, then messages again', async () => {
  const channels = [channelName(), channelName()];
  await using proxy = await startFaultProxy(redis.url);
  const pubSub = pubSubAt(proxy.url);
  const subscriptions = await Promise.all(channels.map((channel) => pubSub.subscribe(channel)));
  proxy.set('reset');
  await until(async () => (await listenerCount(channels[0] ?? '')) === 0);
  await pubSub.publish(channels[0] ?? '', 'nobody hears this');
  proxy.set('pass');
  for (const [index, subscription] of subscriptions.entries()) {
    expect(await next(subscription)).toEqual({ kind: 'GAP' });
    await pubSub.publish(channels[index] ?? '', 'back');
    expect(await next(subscription)).toEqual({ kind: 'MESSAGE', payload: 'back' });
  }
});

test('detects a peer that disappeared without closing, and listeners get a gap', async () => {
  const channel = channelName();
  await using proxy = await startFaultProxy(redis.url);
  const subscriber = connectRedis({ url: proxy.url, purpose: 'subscriber', commandTimeoutMs: 200 });
  const pubSub = createPubSub({ subscriber, publisher: redis.client, heartbeatMs: 100 });
  ends.push(
    () => subscriber.disconnect(),
    () => pubSub.close(),
  );
  const subscription = await pubSub.subscribe(channel);
  const localPort = 'stream' in subscriber ? subscriber.stream.localPort : undefined;
  proxy.set('blackHole', localPort === undefined ? {} : { clientPort: localPort });
  expect(await next(subscription)).toEqual({ kind: 'GAP' });
  await pubSub.publish(channel, 'back');
  expect(await next(subscription)).toEqual({ kind: 'MESSAGE', payload: 'back' });
});

test('a slow listener does not delay another', async () => {
  const channel = channelName();
  const pubSub = pubSubAt(redis.url, { queueMax: 2 });
  const [slow, quick] = await Promise.all([pubSub.subscribe(channel), pubSub.subscribe(channel)]);
  for (let index = 0; index < 4; index += 1) {
    await pubSub.publish(channel, String(index));
    expect(await next(quick)).toEqual({ kind: 'MESSAGE', payload: String(index) });
  }
  expect([await next(slow), await next(slow)]).toEqual([{ kind: 'GAP' }, { kind: 'MESSAGE', payload: '3' }]);
});

test('without Redis, subscribe and publish fail as unavailable and leave no listener', async () => {
  const options = { url: 'redis://127.0.0.1:1', commandTimeoutMs: 100 } as const;
  const subscriber = connectRedis({ ...options, purpose: 'subscriber' });
  const publisher = connectRedis({ ...options, purpose: 'background' });
  const pubSub = createPubSub({ subscriber, publisher });
  await expect(pubSub.subscribe('c')).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
  await expect(pubSub.publish('c', 'p')).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
  expect(pubSub.channelCount).toBe(0);
  pubSub.close();
  subscriber.disconnect();
  publisher.disconnect();
});

test('closing ends all listeners', async () => {
  const pubSub = pubSubAt(redis.url);
  const subscription = await pubSub.subscribe(channelName());
  const waiting = subscription.next();
  pubSub.close();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test('a closed one refuses further listeners, which would wait forever', async () => {
  const pubSub = pubSubAt(redis.url);
  const channel = channelName();
  pubSub.close();
  await expect(pubSub.subscribe(channel)).rejects.toMatchObject({ code: 'REDIS_UNAVAILABLE' });
  expect(pubSub.channelCount).toBe(0);
});

test.each([{ queueMax: 0 }, { queueMax: 100_001 }, { heartbeatMs: 10 }])('refuses %p', (settings) => {
  const connections = { subscriber: redis.client, publisher: redis.client };
  expect(() => createPubSub({ ...connections, ...settings })).toThrow(RangeError);
  const misspelled = { ...connections, queuemax: 9 };
  expect(() => createPubSub(misspelled)).toThrow(/no option queuemax: use .*queueMax/);
});
