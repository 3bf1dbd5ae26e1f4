import { afterEach, beforeEach, expect } from '@jest/globals';
import { createTestRedis, type ManualClock, manualClock, type TestRedis } from '@solegate/testkit';
import { defineLayout } from '../../src/index.js';
import {
  leaseNode,
  type NodeLease,
  type NodeLeaseEvent,
  type NodeLeaseOptions,
} from '../../src/node-lease/index.js';
import { frozenRedis } from './frozen-redis.js';
/* Decisions of Redis, to the millisecond: its clock and those of the processes move only when a test moves them. */

export const [SLOTS, GRANTS, META] = ['slots', 'grants', 'meta'].map((key) => `{sys:tsid}:${key}`) as [
  string,
  string,
  string,
];
/** Ahead of the real clock, so that visible keys do not expire. */
export const START_MS = Date.UTC(2030, 0, 1);
export const WINDOW_MS = 30_000;
export const SKEW_MS = 5_000;
export const QUARANTINE_MS = 35_000;
export const TWO_NODES = defineLayout({
  timeBits: 42,
  nodeBits: 1,
  sequenceBits: 21,
  epoch: Date.UTC(2020, 0, 1),
});

export let redis: TestRedis;
let frozen: ReturnType<typeof frozenRedis>;
export let clock: ManualClock;
export let events: NodeLeaseEvent[];
const leases: NodeLease[] = [];

beforeEach(async () => {
  redis = await createTestRedis();
  frozen = frozenRedis(redis.client);
  clock = manualClock(START_MS);
  events = [];
  await at(0);
});
afterEach(async () => {
  await Promise.all(leases.splice(0).map((lease) => lease.release()));
  await redis.drop();
});

export async function at(ms: number): Promise<void> {
  clock.set(START_MS + ms);
  await frozen.setTo(START_MS + ms);
}

export async function leased(options: Partial<NodeLeaseOptions> = {}): Promise<NodeLease> {
  let tokenCount = 0;
  const lease = await leaseNode({
    redis: frozen.redis,
    automatic: false,
    waitMaxMs: 0,
    now: clock.now,
    holder: 'holder',
    randomToken: () => `token-${++tokenCount}`,
    observer: (event) => events.push(event),
    ...options,
  });
  leases.push(lease);
  return lease;
}
export const first = (options: Partial<NodeLeaseOptions> = {}) =>
  leased({ trustEmptyStore: true, ...options });

export async function refusal(options: Partial<NodeLeaseOptions> = {}): Promise<Record<string, unknown>> {
  return leased(options).then(
    ({ node }) => ({ code: 'GRANTED', node }),
    ({ code, reason, leftMs, liveCount, nextEndsInMs }) => ({
      code,
      reason,
      leftMs,
      liveCount,
      nextEndsInMs,
    }),
  );
}

export const lifeNow = () => redis.client.hget(META, 'life');
/** Sets what Redis remembers of the first node. */
export async function remember(grant: {
  token?: string;
  claim?: string;
  life?: string;
  holder?: string;
  ceilingMs?: number;
}) {
  const { token = 'token-1', claim = 'token-1', life = 'earlier.1', holder = 'holder', ceilingMs } = grant;
  await redis.client.hset(GRANTS, '1023', `${token} ${claim} ${START_MS} ${life} ${holder}`);
  if (ceilingMs !== undefined) await redis.client.zadd(SLOTS, ceilingMs, '1023');
}
export const openQuarantine = () => redis.client.hset(META, 'safeAfter', START_MS + 3_600_000);
export const last = () => events.filter(({ kind }) => kind !== 'WARNING').at(-1);
export const lost = (detail: string) => ({
  kind: 'LOST',
  reason: 'LOST',
  detail: `Redis reports that ${detail}.`,
});
export const notRenewed = (text: string): object => ({
  kind: 'RENEWAL_FAILED',
  cause: expect.objectContaining({ message: expect.stringContaining(text) }),
});
