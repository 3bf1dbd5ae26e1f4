import type { Redis } from 'ioredis';
import { until } from '../judging/until.js';
import { untilLinked } from './redis-replication.js';
import type { RedisTestServer } from './redis-server.js';

/** One process of a cluster: its server, the port of the cluster bus, and a client for queries. */
export interface ClusterNode {
  readonly server: RedisTestServer;
  readonly busPort: number;
  readonly client: Redis;
}

/** Slots `first` to `last` and the ports of the nodes that hold them, the master first. */
export interface SlotRange {
  readonly first: number;
  readonly last: number;
  readonly ports: readonly number[];
}

const SLOT_COUNT = 16_384;

/**
 * Forms one cluster of separate nodes: the first `masterCount` of them share the slots, the others become their
 * replicas in turn. Slots and epochs are set before the nodes meet, so that they have no conflicts to resolve
 * afterwards, and every pair of nodes is introduced explicitly: gossip would take seconds.
 */
export async function formCluster(nodes: readonly ClusterNode[], masterCount: number): Promise<void> {
  const masters = nodes.slice(0, masterCount);
  const replicas = nodes.slice(masterCount);
  await Promise.all(masters.map(({ client }, index) => takeSlots(client, index, masterCount)));
  await Promise.all(nodes.flatMap((node, index) => nodes.slice(index + 1).map((other) => meet(node, other))));
  await Promise.all(nodes.map(({ client }) => untilKnown(client, nodes.length)));
  await Promise.all(
    replicas.map(async ({ client }, index) => {
      const master = masters[index % masterCount];
      await client.cluster('REPLICATE', String(await master?.client.cluster('MYID')));
      await untilLinked(client);
    }),
  );
  await Promise.all(nodes.map(({ client }) => untilServed(client, nodes.length)));
}

/** The slot map as one node sees it. */
export async function slotRanges(client: Redis): Promise<SlotRange[]> {
  const ranges = await client.cluster('SLOTS');
  return ranges.map(([first, last, ...holders]) => ({ first, last, ports: holders.map(([, port]) => port) }));
}

async function takeSlots(client: Redis, index: number, masterCount: number): Promise<void> {
  const start = (share: number) => Math.floor((share * SLOT_COUNT) / masterCount);
  await client.cluster('ADDSLOTSRANGE', start(index), start(index + 1) - 1);
  await client.cluster('SET-CONFIG-EPOCH', index + 1);
}

async function meet({ client }: ClusterNode, { server, busPort }: ClusterNode): Promise<void> {
  await client.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
}

async function untilKnown(client: Redis, nodeCount: number): Promise<void> {
  const isKnown = async () => {
    const info = String(await client.cluster('INFO'));
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodeCount}\r`);
  };
  await until(isKnown, { what: `A cluster of ${nodeCount} nodes that know each other` });
}

/** Waits until this node lists every node, replicas included, as a holder of slots. */
async function untilServed(client: Redis, nodeCount: number): Promise<void> {
  const isServed = async () => {
    const holders = (await slotRanges(client)).flatMap(({ ports }) => ports);
    return new Set(holders).size === nodeCount;
  };
  await until(isServed, { what: 'Slots whose replicas every node knows' });
}
