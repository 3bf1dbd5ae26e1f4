import type { RedisConnection } from '@solegate/redis-infra';
import type { TestRedis } from '@solegate/testkit';
import { redisLeaseStore } from '../../src/node-lease/redis/redis-lease-store.js';
import type { Weakening } from '../fleet/weakened-redis.js';
import { NODE_COUNT } from './lease-rules.js';
import { type Place, type ReplayedStore, sorted, writtenNodes } from './replay.js';

/*
 * A real Redis that runs the real scripts. Only here do they take the clock, the run ID and the age of the keys as arguments.
 * Servers are namespaces of one Redis, and what happens to a server happens to its keys.
 */

const KEYS = ['slots', 'grants', 'meta'] as const;

const CLOCK_AND_RUN: readonly Weakening[] = [
  ["redis.call('TIME')", "{ string.sub(ARGV[#ARGV], 1, -4), string.sub(ARGV[#ARGV], -3) .. '000' }"],
  ["redis.call('INFO', 'server')", "('run_id:' .. string.match(ARGV[#ARGV - 1], '^run%d+'))"],
  [
    "redis.call('INFO', 'replication')",
    "string.gsub(ARGV[#ARGV - 1], '^run%d+(.*)$', 'master_replid2:0%1 master_replid:%1')",
  ],
  ["redis.pcall('OBJECT', 'IDLETIME', KEYS[3])", 'tonumber(ARGV[#ARGV - 2])'],
];

/** Settings that are the same for every process of the model. */
const AGREED = new Set(['layout', 'epochMs', 'allocatorId']);

/** Returns the stores of the lanes, with the scripts as they are or with a mutation. */
export const onRedis =
  (client: TestRedis['client'], mutation?: Weakening) =>
  async (lane: string): Promise<ReplayedStore> => {
    const changes = mutation === undefined ? CLOCK_AND_RUN : [mutation, ...CLOCK_AND_RUN];
    let server: [untouched: number, run: string, nowMs: number] = [0, '', 0];
    let isMutated = false;
    const keysOf = (place: Place) => KEYS.map((key) => `{${lane}.${place}}:${key}`);
    const store = redisLeaseStore({
      isCluster: true,
      status: 'ready',
      evalsha: () => Promise.reject(new Error('NOSCRIPT scripts are sent whole')),
      eval: (text: string, keyCount: number, ...rest: (string | number)[]) => {
        if (mutation !== undefined && text.includes(mutation[0])) isMutated = true;
        const changed = changes.reduce((all, [from, to]) => all.replaceAll(from, () => to), text);
        const keys = rest.slice(0, keyCount).map((key) => String(key).replace('sys:tsid', `${lane}.current`));
        return client.eval(changed, keyCount, ...keys, ...rest.slice(keyCount), ...server);
      },
    } as unknown as RedisConnection);
    return {
      store,
      get isMutated() {
        return isMutated;
      },
      async be({ run, nowMs, isAsLeft }) {
        server = [isAsLeft ? 1e9 : -1e9, run, nowMs];
      },
      async copy(from, to) {
        await client.del(...keysOf(to));
        const [targets, sources] = [keysOf(to), keysOf(from)];
        for (const [index, key] of sources.entries()) await client.copy(key, targets[index] as string);
      },
      async forget(place, part) {
        const lost = {
          nodes: ['slots', 'grants'],
          all: KEYS,
          slots: ['slots'],
          grants: ['grants'],
          meta: ['meta'],
        };
        await client.del(...lost[part ?? 'all'].map((key) => `{${lane}.${place}}:${key}`));
      },
      async remembered() {
        const [slots = '', grants = '', meta = ''] = keysOf('current');
        const [scores, all, facts] = await Promise.all([
          client.zrange(slots, 0, -1, 'WITHSCORES'),
          client.hgetall(grants),
          client.hgetall(meta),
        ]);
        const nodes = Array.from({ length: NODE_COUNT }, (_, node) => String(node));
        const { [`fresh:0-${NODE_COUNT - 1}`]: fresh, ...others } = facts;
        const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !AGREED.has(name)));
        return {
          slots: nodes.map((node) => (scores.includes(node) ? scores[scores.indexOf(node) + 1] : undefined)),
          grants: nodes.map((node) => all[node]),
          meta: sorted({ ...rest, fresh }),
        };
      },
      expected: (memory) => ({ ...writtenNodes(memory), meta: sorted({ ...memory.meta }) }),
    };
  };
