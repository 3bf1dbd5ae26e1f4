import { freePort, ServerStartError } from '@solegate/local-services';
import type { Redis } from 'ioredis';
import { until } from '../judging/until.js';
import { type ClusterNode, formCluster, slotRanges } from './form-cluster.js';
import { asker, isMaster, PROMPT_REPLICATION, untilLinked } from './redis-replication.js';
import { type RedisTestServer, startRedisServer } from './redis-server.js';

export interface ClusterOptions {
  /** Masters, each with its share of the 16,384 slots; at least 3, default 3. */
  readonly masters?: number;
  /** Replicas of each master; default 0. Failover needs at least 1. */
  readonly replicasPerMaster?: number;
}

/** A node that is silent for this long is marked as failed; its successor takes one to two seconds more. */
const NODE_TIMEOUT_MS = 1_000;

/**
 * Starts a Redis Cluster of plain processes and resolves when every node knows the holders of each slot and every
 * replica has its master's data. A cluster has no logical databases: a test file that needs an empty one starts its own
 * cluster. End it with `await using` or `stop()`.
 *
 * @throws RangeError for fewer than three masters, which could not elect a successor
 */
export async function startRedisCluster(options: ClusterOptions = {}): Promise<ClusterTestGroup> {
  const { masters = 3, replicasPerMaster = 0 } = options;
  if (masters < 3) throw new RangeError(`A cluster needs at least 3 masters, not ${masters}`);
  const count = masters * (1 + replicasPerMaster);
  const servers = await Promise.all(Array.from({ length: count }, () => startNode()));
  const group = new ClusterTestGroup(
    servers.map(({ server, busPort }) => ({ server, busPort, client: asker(server) })),
  );
  // Not with askers: a busy machine can take longer than they wait.
  const nodes = servers.map(({ server, busPort }) => ({ server, busPort, client: server.client() }));
  try {
    await formCluster(nodes, masters);
  } catch (error) {
    await group.stop();
    throw error;
  } finally {
    for (const { client } of nodes) client.disconnect();
  }
  return group;
}

/** Another process can take a port that was free, which is quite likely among nodes that start together. */
const PORT_ATTEMPT_MAX = 3;

async function startNode(attempt = 1): Promise<{ server: RedisTestServer; busPort: number }> {
  const busPort = await freePort();
  const cluster = `--cluster-enabled yes --cluster-port ${busPort} --cluster-node-timeout ${NODE_TIMEOUT_MS}`;
  const args = [...cluster.split(' '), ...PROMPT_REPLICATION];
  try {
    return { server: await startRedisServer({ args }), busPort };
  } catch (error) {
    if (!(error instanceof ServerStartError) || attempt === PORT_ATTEMPT_MAX) throw error;
    return startNode(attempt + 1);
  }
}

/** The nodes of a cluster; see `startRedisCluster`. */
export class ClusterTestGroup implements AsyncDisposable {
  /** `redis+cluster://host:port,host:port,host:port` */
  readonly url: string;
  /** All nodes; the initial masters come first. */
  readonly servers: readonly RedisTestServer[];
  readonly #nodes: readonly ClusterNode[];

  constructor(nodes: readonly ClusterNode[]) {
    this.#nodes = nodes;
    this.servers = nodes.map(({ server }) => server);
    this.url = `redis+cluster://${this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** The node that serves this key's slot, if all nodes that answer agree. */
  async masterOf(key: string): Promise<RedisTestServer> {
    return (await this.#holders(key)).master.server;
  }

  /**
   * kill -9 of the key's master; resolves with its successor as soon as every live node routes writes there.
   *
   * @throws Error if that master has no replica
   */
  async killMasterOf(key: string): Promise<RedisTestServer> {
    const { master, replicas } = await this.#holders(key);
    if (replicas.length === 0) {
      throw new Error(`The master of ${key} has no replica; start the cluster with replicasPerMaster: 1`);
    }
    await master.server.kill();
    return this.#successorOf(master, key);
  }

  /** Restarts a killed node with its data and waits until it replicates from its successor and every node lists it. */
  async rejoin(server: RedisTestServer): Promise<void> {
    await server.restart();
    await untilLinked(this.#nodeOn(server.port).client);
    const isListed = async () => {
      const views = await this.#views(({ client }) => slotRanges(client));
      return views.every((ranges) => ranges.some(({ ports }) => ports.includes(server.port)));
    };
    await until(isListed, { what: `The node on port ${server.port} in every view` });
  }

  /** Ends all processes. Can be called twice. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Master and replicas of the key's slot, if all nodes that answer name the same master. */
  async #holders(key: string): Promise<{ master: ClusterNode; replicas: ClusterNode[] }> {
    const views = await this.#views(({ client }) => holderPorts(client, key));
    const [masterPort, ...replicaPorts] = views[0] ?? [];
    if (masterPort === undefined || views.some((view) => view[0] !== masterPort)) {
      throw new Error(
        `The nodes do not agree on who serves ${key}: ${views.map((view) => view[0]).join(', ')}`,
      );
    }
    return { master: this.#nodeOn(masterPort), replicas: replicaPorts.map((port) => this.#nodeOn(port)) };
  }

  async #successorOf(old: ClusterNode, key: string): Promise<RedisTestServer> {
    let successor = old;
    const isReady = async () => {
      successor = (await this.#holders(key)).master;
      return successor !== old && (await isMaster(successor.client));
    };
    await until(isReady, { what: `A successor of the master of ${key}` });
    return successor.server;
  }

  /** The results from all nodes that answer. */
  async #views<View>(ask: (node: ClusterNode) => Promise<View>): Promise<View[]> {
    const answers = await Promise.allSettled(this.#nodes.map(ask));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  #nodeOn(port: number): ClusterNode {
    const node = this.#nodes.find(({ server }) => server.port === port);
    if (node === undefined) throw new Error(`No node of this cluster is on port ${port}`);
    return node;
  }
}

/** Ports of the key's master and its replicas as one node sees them; fails while that node reports the cluster down. */
async function holderPorts(client: Redis, key: string): Promise<readonly number[]> {
  const slot = Number(await client.cluster('KEYSLOT', key));
  const info = String(await client.cluster('INFO'));
  if (!info.includes('cluster_state:ok')) throw new Error('This node reports the cluster down');
  const range = (await slotRanges(client)).find(({ first, last }) => first <= slot && slot <= last);
  return range?.ports ?? [];
}
