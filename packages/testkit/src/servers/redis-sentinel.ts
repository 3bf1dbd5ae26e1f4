import type { Redis } from 'ioredis';
import { until } from '../judging/until.js';
import { asker, isMaster, PROMPT_REPLICATION, untilLinked } from './redis-replication.js';
import { type RedisTestServer, startRedisServer, startSentinelServer } from './redis-server.js';

export interface SentinelOptions {
  /** Replicas of the single master, at least 1; default 1. */
  readonly replicas?: number;
  /** Sentinels, each with one vote, at least 1; a majority decides. Default 3. */
  readonly sentinels?: number;
}

/** The name of the group in the sentinels' configuration. */
const MASTER_NAME = 'solegate';

/** How long a dead master goes unnoticed. The sentinels then need one to two seconds to agree and to promote. */
const DOWN_AFTER_MS = 500;
/** Time between two failover attempts, if the first one fails. */
const FAILOVER_TIMEOUT_MS = 5_000;

/**
 * Starts one master, its replicas and their sentinels as plain processes, and resolves when every replica has its data and
 * every sentinel knows the whole group. End it with `await using` or `stop()`.
 */
export async function startSentinel(options: SentinelOptions = {}): Promise<SentinelTestGroup> {
  const { replicas = 1, sentinels = 3 } = options;
  const master = await startRedisServer({ args: PROMPT_REPLICATION });
  const args = [...PROMPT_REPLICATION, '--replicaof', '127.0.0.1', String(master.port)];
  const configuration = [
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master.port} ${Math.floor(sentinels / 2) + 1}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER_NAME} ${FAILOVER_TIMEOUT_MS}`,
  ];
  const followers = await Promise.all(Array.from({ length: replicas }, () => startRedisServer({ args })));
  const watchers = Array.from({ length: sentinels }, () => startSentinelServer(configuration));
  const group = new SentinelTestGroup([master, ...followers], await Promise.all(watchers));
  try {
    await group.untilComplete();
  } catch (error) {
    await group.stop();
    throw error;
  }
  return group;
}

/** A master with replicas, monitored by sentinels; see `startSentinel`. */
export class SentinelTestGroup implements AsyncDisposable {
  /** `redis+sentinel://host:port,host:port/masterName/0` */
  readonly url: string;
  readonly masterName = MASTER_NAME;
  /** All data servers; the initial master comes first. */
  readonly servers: readonly RedisTestServer[];
  /** The sentinels, which can be killed and paused like servers. */
  readonly sentinels: readonly RedisTestServer[];
  readonly #serverAskers: ReadonlyMap<RedisTestServer, Redis>;
  readonly #sentinelAskers: readonly Redis[];

  constructor(servers: readonly RedisTestServer[], sentinels: readonly RedisTestServer[]) {
    this.servers = servers;
    this.sentinels = sentinels;
    this.url = `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${MASTER_NAME}/0`;
    this.#serverAskers = new Map(servers.map((server) => [server, asker(server)]));
    this.#sentinelAskers = sentinels.map(asker);
  }

  /** The server that a majority of the sentinels currently reports as master. */
  async master(): Promise<RedisTestServer> {
    const answers = await Promise.allSettled(this.#sentinelAskers.map(askMaster));
    const ports = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'no answer'));
    const votes = (server: RedisTestServer) => ports.filter((port) => port === server.port).length;
    const master = this.servers.find((server) => votes(server) > ports.length / 2);
    if (master === undefined) throw new Error(`The sentinels do not agree on a master: ${ports.join(', ')}`);
    return master;
  }

  /** kill -9 of the current master; resolves with its successor as soon as that accepts writes. */
  async killMaster(): Promise<RedisTestServer> {
    const old = await this.master();
    await old.kill();
    return this.#successorOf(old);
  }

  /** Manual failover; resolves with the new master as soon as it accepts writes. */
  async failover(): Promise<RedisTestServer> {
    const old = await this.master();
    const begin = () =>
      Promise.any(this.#sentinelAskers.map((sentinel) => sentinel.call('SENTINEL', 'FAILOVER', MASTER_NAME)));
    await until(begin, { intervalMs: 200, what: 'SENTINEL FAILOVER' });
    return this.#successorOf(old);
  }

  /**
   * Restarts a killed server with its old data and makes it a replica of the current master. With `restart()` alone it
   * would run as a second master until the sentinels notice it, after some ten seconds.
   */
  async rejoin(server: RedisTestServer): Promise<void> {
    const { port } = await this.master();
    await server.restart();
    const client = this.#askerOf(server);
    await until(() => client.replicaof('127.0.0.1', port), { what: 'REPLICAOF' });
    await untilLinked(client);
  }

  /** Ends all processes. Can be called twice. */
  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((server) => server.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Resolves when every replica has its data, and every sentinel knows all replicas and all other sentinels. */
  async untilComplete(): Promise<void> {
    await Promise.all(this.servers.slice(1).map((replica) => untilLinked(this.#askerOf(replica))));
    const isKnown = async () => {
      const facts = await Promise.all(this.#sentinelAskers.map(askFacts));
      return facts.every(
        ({ replicas, sentinels }) =>
          replicas === this.servers.length - 1 && sentinels === this.sentinels.length - 1,
      );
    };
    await until(isKnown, { what: 'Sentinels that know the whole group' });
  }

  async #successorOf(old: RedisTestServer): Promise<RedisTestServer> {
    let successor = old;
    const isReady = async () => {
      successor = await this.master();
      return successor !== old && (await isMaster(this.#askerOf(successor)));
    };
    await until(isReady, { what: `A successor of the master on port ${old.port}` });
    return successor;
  }

  #askerOf(server: RedisTestServer): Redis {
    const client = this.#serverAskers.get(server);
    if (client === undefined) throw new Error(`The server on port ${server.port} is not of this group`);
    return client;
  }
}

async function askMaster(sentinel: Redis): Promise<number> {
  const address = (await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER_NAME)) as string[];
  return Number(address[1]);
}

async function askFacts(sentinel: Redis): Promise<{ replicas: number; sentinels: number }> {
  const facts = (await sentinel.call('SENTINEL', 'MASTER', MASTER_NAME)) as string[];
  const fact = (name: string) => Number(facts[facts.indexOf(name) + 1]);
  return { replicas: fact('num-slaves'), sentinels: fact('num-other-sentinels') };
}
