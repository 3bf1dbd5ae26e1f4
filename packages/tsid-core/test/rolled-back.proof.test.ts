import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import {
  type RedisTestServer,
  startRedisCluster,
  startRedisServer,
  startSentinel,
  type TestRedis,
  until,
} from '@solegate/testkit';
import { TSID_42_10_12 } from '../src/index.js';
import type { NodeLeaseEvent, NodeLeaseOptions } from '../src/node-lease/index.js';
import {
  type LeasedProcess,
  mintingMeanwhile,
  SKEW_MS,
  startWhenFree,
  WINDOW_MS,
  windowFleet,
} from './fleet/fleet.js';
import { longer } from './fleet/longer.js';
import { MintLog } from './fleet/mint-log.js';
import { startMovedAddress } from './fleet/moved-address.js';
import { type Weakening, weakenedRedis } from './fleet/weakened-redis.js';

/*
 * Redis goes back to an earlier state without a restart, so its run ID is the same and its entries agree with its own
 * counts: a frozen master resumes, keys are restored, or a server was temporarily replaced by a copy. The long form plays
 * each ten times, with windows up to those of production.
 */

interface Shape {
  readonly windowMs: number;
  readonly skewMaxMs: number;
  /** How long holders cannot reach the returned Redis while new processes can. Negative: the other way round. */
  readonly cutOffMs: number;
}

const SHORT: readonly Shape[] = [{ windowMs: WINDOW_MS, skewMaxMs: SKEW_MS, cutOffMs: 250 }];
const LONG: readonly Shape[] = [3_000, 9_000, 30_000].flatMap((windowMs) =>
  [2_000, -2_000].map((cutOffMs) => ({ windowMs, skewMaxMs: windowMs / 6, cutOffMs })),
);
const shapes = longer(SHORT, LONG);
const PLAYS = Array.from({ length: Number(process.env.TSID_PLAYS ?? longer(1, 10)) }, (_, play) => play + 1);
const TIMEOUT_MS = 400_000;
/** Longest wait for a node: a quarantine and some reconnections. */
const PATIENCE_MS = longer(20_000, 120_000);
/** Replicas get their data immediately instead of after five seconds. */
const PROMPT = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];
const KEYS = ['slots', 'grants', 'meta'].map((key) => `{sys:tsid}:${key}`);

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

/** A fleet with its events; members can use another connection. */
function fleetOver(redis: RedisConnection, { windowMs, skewMaxMs }: Omit<Shape, 'cutOffMs'>) {
  const events: NodeLeaseEvent[] = [];
  const settings: Partial<NodeLeaseOptions> = { windowMs, skewMaxMs, renewEveryMs: Math.floor(windowMs / 3) };
  const fleet = windowFleet(new MintLog(), redis, {
    layout: TSID_42_10_12,
    automatic: true,
    observer: (event) => events.push(event),
    ...settings,
  });
  const startAll = async (names: readonly string[], connection = redis) => {
    const processes: LeasedProcess[] = [];
    for (const name of names)
      processes.push(await startWhenFree(fleet, name, { redis: connection }, PATIENCE_MS));
    return processes;
  };
  /** All mint until the last process has minted enough to overlap with another. */
  const mintTogether = (processes: readonly LeasedProcess[]) =>
    mintingMeanwhile(
      processes,
      until(() => fleet.log.countOf('sixth') > 3_000, { timeoutMs: PATIENCE_MS }),
    );
  return {
    fleet,
    startAll,
    mintTogether,
    lostCount: () => events.filter(({ kind }) => kind === 'LOST').length,
  };
}

async function withReplica(master: RedisTestServer, replica: RedisTestServer): Promise<void> {
  await replica.client().replicaof('127.0.0.1', master.port);
  await until(async () => (await replica.client().info('replication')).includes('master_link_status:up'));
}

/** A freezes, B replaces it and grants nodes, B ends, A resumes. Returns all IDs. */
async function thereAndBack(
  shape: Shape & { readonly isStopped?: boolean },
  ...weakenings: Weakening[]
): Promise<{ log: MintLog; lostCount: number }> {
  await using frozen = await startRedisServer({ args: PROMPT });
  await using successor = await startRedisServer({ args: PROMPT });
  await withReplica(frozen, successor);
  await using toHolders = await startMovedAddress(frozen);
  await using toStarters = await startMovedAddress(frozen);
  const over = (url: string) =>
    weakenings.length === 0
      ? connect(url)
      : (weakenedRedis(connect(url) as TestRedis['client'], ...weakenings).redis as RedisConnection);
  const { fleet, startAll, mintTogether, lostCount } = fleetOver(over(toHolders.url), shape);
  let first = await startAll(['first', 'second']);
  if (shape.isStopped) {
    await Promise.all(first.map((member) => member.release()));
    first = [];
  }
  frozen.pause();
  await successor.client().replicaof('NO', 'ONE');
  toHolders.moveTo(successor);
  const later = await mintingMeanwhile(first, startAll(['third', 'fourth']));
  const lostBefore = lostCount();
  for (const address of [toHolders, toStarters]) address.moveTo(undefined);
  frozen.resume();
  const [sooner, tardy] = shape.cutOffMs > 0 ? [toStarters, toHolders] : [toHolders, toStarters];
  sooner.moveTo(frozen);
  const living = [...first, ...later];
  const starting = startAll(['fifth', 'sixth'], over(toStarters.url));
  await mintingMeanwhile(living, pause(Math.abs(shape.cutOffMs)));
  tardy.moveTo(frozen);
  const last = await mintingMeanwhile(living, starting);
  await mintTogether([...living, ...last]);
  const lost = lostCount() - lostBefore;
  await fleet.stop();
  disconnectAll();
  return { log: fleet.log, lostCount: lost };
}

describe('a frozen master that takes over again, after its successor granted nodes', () => {
  describe.each(shapes)('with windows of $windowMs ms, cut off for $cutOffMs ms', (shape) => {
    test.each(PLAYS)(
      'leads to no equal IDs (play %d)',
      async () => {
        const { log, lostCount } = await thereAndBack(shape);
        expect(verdict(log)).toEqual(clean);
        // Short windows can end during the cut-off or on a busy machine; long ones never do.
        if (shape.windowMs >= 9_000) expect(lostCount).toBe(0);
      },
      TIMEOUT_MS,
    );
  });

  describe.each(shapes)('of which every holder had stopped, with windows of $windowMs ms', (shape) => {
    test.each(PLAYS)(
      'leads to no equal IDs (play %d)',
      async () => {
        const cutOffMs = Math.sign(shape.cutOffMs) * Math.min(Math.abs(shape.cutOffMs), 500);
        const { log } = await thereAndBack({ ...shape, cutOffMs, isStopped: true });
        expect(verdict(log)).toEqual(clean);
      },
      TIMEOUT_MS,
    );
  });

  test('would lead to some without the checks for a silence and for a version that holders have seen', async () => {
    const shape = { windowMs: WINDOW_MS, skewMaxMs: SKEW_MS, cutOffMs: 600 };
    const weakened = () =>
      thereAndBack(
        shape,
        ['return silence()', 'return nil'],
        ['if version < knownVersion and', 'if false and'],
      );
    let duplicateCount = 0;
    // On a busy machine the holders may reconnect before new processes start, which proves nothing.
    for (let play = 0; play < 5 && duplicateCount === 0; play++) {
      duplicateCount = (await weakened()).log.duplicateCount();
    }
    expect(duplicateCount).toBeGreaterThan(0);
  });
});

test.each(PLAYS.flatMap((play) => [[play, 'lives'] as const, [play, 'has stopped cleanly'] as const]))(
  'behind Sentinel, a failover and back leads to no equal IDs either (play %d, of a fleet that %s)',
  async (_play, fleetAtFirst) => {
    await using group = await startSentinel({ replicas: 1 });
    const redis = connect(group.url);
    await until(() => redis.ping());
    const { fleet, startAll, mintTogether } = fleetOver(redis, { windowMs: 3_000, skewMaxMs: 500 });
    let first = await startAll(['first', 'second']);
    if (fleetAtFirst === 'has stopped cleanly') {
      await Promise.all(first.map((member) => member.release()));
      first = [];
    }
    const frozen = await group.master();
    const successor = group.servers.find((server) => server !== frozen) as RedisTestServer;
    frozen.pause();
    const isMaster = (server: RedisTestServer) => async () => (await group.master()) === server;
    await mintingMeanwhile(first, until(isMaster(successor), { intervalMs: 100 }));
    const later = await mintingMeanwhile(first, startAll(['third', 'fourth']));
    await successor.kill();
    frozen.resume();
    const living = [...first, ...later];
    await mintingMeanwhile(living, until(isMaster(frozen), { intervalMs: 100 }));
    const last = await mintingMeanwhile(living, startAll(['fifth', 'sixth']));
    await mintTogether([...living, ...last]);
    await fleet.stop();
    disconnectAll();
    expect(verdict(fleet.log)).toEqual(clean);
  },
);

describe.each(shapes.filter(({ cutOffMs }) => cutOffMs > 0))(
  'an earlier state restored into a running Redis, windows of $windowMs ms',
  (shape) => {
    const quarantineMs = shape.windowMs + shape.skewMaxMs;

    /** Starts two members before the state is saved, two after, two after it is restored. Returns all IDs. */
    async function playedOver(
      redis: RedisConnection,
      keep: () => Promise<() => Promise<unknown>>,
    ): Promise<MintLog> {
      const { fleet, startAll, mintTogether } = fleetOver(redis, shape);
      const first = await startAll(['first', 'second']);
      const putBack = await keep();
      const later = await mintingMeanwhile(first, startAll(['third', 'fourth']));
      const living = [...first, ...later];
      await mintingMeanwhile(living, pause(quarantineMs + 100));
      await mintingMeanwhile(living, putBack());
      const last = await mintingMeanwhile(living, startAll(['fifth', 'sixth']));
      await mintTogether([...living, ...last]);
      await fleet.stop();
      disconnectAll();
      return fleet.log;
    }

    async function keysOf(redis: RedisConnection) {
      const dumps = await Promise.all(KEYS.map((key) => redis.dumpBuffer(key)));
      return () =>
        Promise.all(KEYS.map((key, index) => redis.restore(key, 0, dumps[index] ?? '', 'REPLACE')));
    }

    test.each(PLAYS)(
      'as keys, on one server (play %d)',
      async () => {
        await using server = await startRedisServer({ args: PROMPT });
        const redis = connect(server.url);
        const log = await playedOver(redis, () => keysOf(redis));
        expect(verdict(log)).toEqual(clean);
      },
      TIMEOUT_MS,
    );

    test.each(PLAYS)(
      'as keys, in Cluster, where no visible key stands in the way (play %d)',
      async () => {
        await using cluster = await startRedisCluster({ masters: 3, replicasPerMaster: 0 });
        const redis = connect(cluster.url);
        await until(() => redis.ping());
        const log = await playedOver(redis, () => keysOf(redis));
        expect(verdict(log)).toEqual(clean);
      },
      TIMEOUT_MS,
    );

    test.each(PLAYS)(
      'as a copy of a server that was started from a backup (play %d)',
      async () => {
        await using server = await startRedisServer({ args: PROMPT });
        await using backup = await startRedisServer({ args: PROMPT });
        const redis = connect(server.url);
        const log = await playedOver(redis, async () => {
          await withReplica(server, backup);
          await backup.client().replicaof('NO', 'ONE');
          return async () => {
            await withReplica(backup, server);
            await server.client().replicaof('NO', 'ONE');
          };
        });
        expect(verdict(log)).toEqual(clean);
      },
      TIMEOUT_MS,
    );
  },
);

test('a Redis frozen for longer than a quarantine costs every process one, and leads to no equal IDs', async () => {
  await using server = await startRedisServer({ args: PROMPT });
  const { fleet, startAll } = fleetOver(connect(server.url), { windowMs: WINDOW_MS, skewMaxMs: SKEW_MS });
  const members = await startAll(['first', 'second']);
  server.pause();
  await mintingMeanwhile(members, pause(WINDOW_MS + SKEW_MS + 200));
  server.resume();
  const before = members.map((member) => member.refusedCount());
  expect(Math.min(...before)).toBeGreaterThan(0);
  const again = until(() => members.every(({ lease }) => lease.health().healthy));
  const later = await mintingMeanwhile(members, Promise.all([startAll(['third']), again]));
  await mintingMeanwhile([...members, ...later[0]], pause(200));
  await fleet.stop();
  disconnectAll();
  expect(verdict(fleet.log)).toEqual(clean);
});
