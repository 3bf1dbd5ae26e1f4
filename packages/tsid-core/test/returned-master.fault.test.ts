import { expect, test } from '@jest/globals';
import { type RedisTestServer, startRedisServer, until } from '@solegate/testkit';
import { mintInTurns, SKEW_MS, startWhenFree, TWO_NODES, WINDOW_MS, windowFleet } from './fleet/fleet.js';
import { MintLog } from './fleet/mint-log.js';
import { weakenedRedis } from './fleet/weakened-redis.js';

/** Replicas get their data immediately instead of after five seconds. */
const PROMPT = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];

async function withReplica(master: RedisTestServer, replica: RedisTestServer): Promise<void> {
  await replica.client().replicaof('127.0.0.1', master.port);
  await until(async () => (await replica.client().info('replication')).includes('master_link_status:up'));
}

/** A replica takes over without the last grant; its old master follows it, and is the master again at once. */
async function thereAndBack(isWeakened: boolean): Promise<MintLog> {
  await using master = await startRedisServer({ args: PROMPT });
  await using replica = await startRedisServer({ args: PROMPT });
  const { redis, check } = weakenedRedis(
    master.client(),
    ...(isWeakened ? ([["'master_replid2'", "'unheard-of'"]] as const) : []),
  );
  const fleet = windowFleet(new MintLog(), redis, { layout: TWO_NODES });
  await fleet.start('first');
  await withReplica(master, replica);
  await replica.client().replicaof('NO', 'ONE');
  const forgotten = await fleet.start('forgotten');
  await withReplica(replica, master);
  await master.client().replicaof('NO', 'ONE');
  const newcomer = await startWhenFree(fleet, 'newcomer', { lease: { waitMaxMs: WINDOW_MS + SKEW_MS } });
  await mintInTurns(forgotten, newcomer);
  await fleet.stop();
  check();
  return fleet.log;
}

test('a master that was a replica for a moment, and lost a grant by that, grants the node to no one else', async () => {
  const log = await thereAndBack(false);
  expect(log.countOf('newcomer')).toBeGreaterThan(100_000);
  expect(log.duplicateCount()).toBe(0);
});

test('it would without the look at its replication ID', async () => {
  expect((await thereAndBack(true)).duplicateCount()).toBeGreaterThan(0);
});
