import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { startRedisCluster, startRedisServer, until } from '@solegate/testkit';
import { TSID_42_10_12 } from '../src/index.js';
import type { NodeLeaseEvent } from '../src/node-lease/index.js';
import {
  type Fleet,
  type FleetProcess,
  SKEW_MS,
  startWhenFree,
  WINDOW_MS,
  windowFleet,
} from './fleet/fleet.js';
import { MintLog } from './fleet/mint-log.js';
import { startMovedAddress } from './fleet/moved-address.js';

/*
 * Redis goes back to an earlier state without a restart, so its run ID is the same and its entries agree with its own
 * counts: a master that was frozen takes over again, or keys are restored.
 */

const connections: RedisConnection[] = [];
const disconnectAll = () => {
  for (const connection of connections.splice(0)) connection.disconnect();
};
afterEach(disconnectAll);

function connect(url: string): RedisConnection {
  const connection = connectRedis({ url, purpose: 'background', commandTimeoutMs: 300 });
  connections.push(connection);
  return connection;
}

const clean = { duplicates: 0, orderBreaks: 0 };
const verdict = (log: MintLog) => ({ duplicates: log.duplicateCount(), orderBreaks: log.orderBreakCount() });

/** All mint a little, again and again, until it is done. */
async function mintingMeanwhile<Result>(
  processes: readonly FleetProcess[],
  work: Promise<Result>,
): Promise<Result> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    for (const process of processes) process.mint(100);
    await pause(5);
  }
  return ended;
}

async function started(fleet: Fleet, names: readonly string[]): Promise<FleetProcess[]> {
  const processes: FleetProcess[] = [];
  for (const name of names) processes.push(await startWhenFree(fleet, name));
  return processes;
}

test('a frozen master that takes over again, after its successor granted nodes, leads to no equal IDs', async () => {
  await using frozen = await startRedisServer();
  await using successor = await startRedisServer({ args: ['--replicaof', '127.0.0.1', `${frozen.port}`] });
  await until(async () => (await successor.client().info('replication')).includes('master_link_status:up'));
  await using address = await startMovedAddress(frozen);
  const events: NodeLeaseEvent[] = [];
  const fleet = windowFleet(new MintLog(), connect(address.url), {
    layout: TSID_42_10_12,
    automatic: true,
    onEvent: (event) => events.push(event),
  });
  const first = await started(fleet, ['first', 'second']);
  frozen.pause();
  await successor.client().replicaof('NO', 'ONE');
  address.moveTo(successor);
  const later = await mintingMeanwhile(first, started(fleet, ['third', 'fourth']));
  const lostBefore = events.filter(({ kind }) => kind === 'lost').length;
  address.moveTo(undefined);
  frozen.resume();
  address.moveTo(frozen);
  const last = await mintingMeanwhile([...first, ...later], started(fleet, ['fifth', 'sixth']));
  await mintingMeanwhile([...first, ...later, ...last], pause(300));
  await fleet.stop();
  expect(fleet.log.countOf('fifth')).toBeGreaterThan(1_000);
  expect(verdict(fleet.log)).toEqual(clean);
  expect(events.filter(({ kind }) => kind === 'lost').length).toBe(lostBefore);
});

describe('keys of an earlier time that are restored into a running Redis', () => {
  const keys = ['slots', 'grants', 'meta'].map((key) => `{sys:tsid}:${key}`);

  test('lead to no equal IDs, where no visible key stands in the way', async () => {
    await using cluster = await startRedisCluster({ masters: 3, replicasPerMaster: 0 });
    const redis = connect(cluster.url);
    await until(() => redis.ping());
    const fleet = windowFleet(new MintLog(), redis, { layout: TSID_42_10_12, automatic: true });
    const first = await started(fleet, ['first', 'second']);
    const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    const later = await mintingMeanwhile(first, started(fleet, ['third', 'fourth']));
    await mintingMeanwhile([...first, ...later], pause(WINDOW_MS + SKEW_MS + 100));
    await Promise.all(keys.map((key, index) => redis.restore(key, 0, dumps[index] ?? '', 'REPLACE')));
    const last = await mintingMeanwhile([...first, ...later], started(fleet, ['fifth', 'sixth']));
    await mintingMeanwhile([...first, ...later, ...last], pause(300));
    await fleet.stop();
    disconnectAll();
    expect(fleet.log.countOf('fifth')).toBeGreaterThan(1_000);
    expect(verdict(fleet.log)).toEqual(clean);
  }, 60_000);
});
