import { expect, test } from '@jest/globals';
import { createTestRedis, delay, startFaultProxy, until } from '@solegate/testkit';
import { CounterLocks } from '../src/counter-locks.js';
import { toSettings } from '../src/settings.js';
import { closePair, connectPair, type RedisPair, untilReady } from './number-office.js';

const key = { lock: 'doc_num:{P1}:PAT:RFA:STR:2026', state: 'doc_num:{P1}:one:PAT:RFA:STR:2026' };
const other = { lock: 'doc_num:{P1}:OWN:RFA:STR:2026', state: 'doc_num:{P1}:one:OWN:RFA:STR:2026' };
const standing = { version: 7, last: 41 };

async function openLocks(pair: RedisPair): Promise<CounterLocks> {
  await untilReady(pair);
  const { events, now, lockTtlMs } = toSettings({ database: { query: refuse, connect: refuse } });
  const locks = new CounterLocks({ ...pair, events, now, lockTtlMs, lockWaitMs: 1000 });
  // Ready to be told: a lock that somebody else holds is queued for.
  await until(async () => {
    await pair.decision.set('probe', 'somebody', 'PX', 10_000);
    const [answer] = await locks.take([{ lock: 'probe', state: 'probe:state' }]);
    return answer?.kind === 'queued';
  });
  return locks;
}

const refuse = (): Promise<never> => Promise.reject(new Error('locks need no database'));

test('a hand-over that comes before the reply that says "queued" is not lost', async () => {
  const redis = await createTestRedis();
  const proxy = await startFaultProxy(redis.url);
  const pairs = [connectPair(redis.url), connectPair(redis.url), connectPair(proxy.url)] as const;
  const holder = await openLocks(pairs[0]);
  const waiter = await openLocks({ subscriber: pairs[1].subscriber, decision: pairs[2].decision });
  const [held] = await holder.take([key]);
  if (held?.kind !== 'held') throw new Error('the lock was free');

  proxy.set(delay(40));
  const asked = waiter.take([key, other]);
  await until(async () => (await redis.client.hget(key.state, 'waiting')) !== null);
  holder.give([{ lock: held.lock, standing }]);

  const answers = await asked;
  expect(answers).toMatchObject([
    { kind: 'held', lock: { key, hint: standing } },
    { kind: 'held', lock: { key: other } },
  ]);
  expect(await redis.client.get(key.lock)).toBe(await redis.client.get(other.lock));

  for (const locks of [holder, waiter]) locks.close();
  for (const pair of pairs) closePair(pair);
  await proxy.close();
  await redis.drop();
});
