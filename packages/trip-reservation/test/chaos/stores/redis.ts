import {
  type ClusterTestGroup,
  type RedisTestServer,
  type SentinelTestGroup,
  startRedisCluster,
  startRedisServer,
  startSentinel,
  until,
} from '@solegate/testkit';
import { Redis } from 'ioredis';

/** The shared Redis, and its faults. */
export interface ChaosRedis extends AsyncDisposable {
  readonly url: string;
  pauseFor(ms: number): Promise<void>;
  /** Kills Redis and restarts it, or promotes a replica, without the last writes. */
  lose(): Promise<void>;
}

export const CHAOS_REDIS = ['single', 'sentinel', 'cluster'] as const;
export type ChaosRedisName = (typeof CHAOS_REDIS)[number];

export const openChaosRedis: Readonly<Record<ChaosRedisName, () => Promise<ChaosRedis>>> = {
  single: async () => new SingleRedis(await startRedisServer({ persistence: 'none' })),
  sentinel: async () => new WatchedRedis(await startSentinel({ replicas: 1, sentinels: 3 })),
  cluster: async () => new ReshardedCluster(await startRedisCluster({ masters: 3, replicasPerMaster: 1 })),
};

const aMoment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function pauseServer(server: RedisTestServer, ms: number): Promise<void> {
  server.pause();
  await aMoment(ms);
  server.resume();
}

class SingleRedis implements ChaosRedis {
  readonly #server: RedisTestServer;

  constructor(server: RedisTestServer) {
    this.#server = server;
  }

  get url(): string {
    return this.#server.url;
  }

  pauseFor(ms: number): Promise<void> {
    return pauseServer(this.#server, ms);
  }

  async lose(): Promise<void> {
    await this.#server.kill();
    await this.#server.restart({ keepData: false });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
  }
}

/** A master and a replica, which Sentinels promote when the master is killed or paused for long. */
class WatchedRedis implements ChaosRedis {
  readonly #group: SentinelTestGroup;

  constructor(group: SentinelTestGroup) {
    this.#group = group;
  }

  get url(): string {
    return this.#group.url;
  }

  async pauseFor(ms: number): Promise<void> {
    await pauseServer(await this.#group.master(), ms);
  }

  async lose(): Promise<void> {
    const lost = await this.#group.master();
    await this.#group.killMaster();
    await this.#group.rejoin(lost);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#group.stop();
  }
}

/** Pause between two slot migrations, in milliseconds. */
const RESHARD_PAUSE_MS = 20;
/** Gate keys spread over all slots; this one selects the master for a fault. */
const KEY = 'trip_lock:1:1';

/** Length of a range of CLUSTER SLOTS: the first and the last slot, the master and a replica. */
const SLOTS_WITH_REPLICA = 4;

interface Master {
  readonly client: Redis;
  readonly id: string;
}

/** A slot with keys of any master, and another master. */
async function chosenMove(masters: readonly Master[]) {
  const [from, to] = masters.toSorted(() => Math.random() - 0.5);
  const key = await from?.client.randomkey();
  if (!from || !to || !key) return undefined;
  return { slot: await from.client.cluster('KEYSLOT', key), toId: to.id };
}

/** A cluster that keeps moving slots that hold keys. */
class ReshardedCluster implements ChaosRedis {
  readonly #group: ClusterTestGroup;
  readonly #clients: readonly Redis[];
  readonly #moving: Promise<void>;
  /** The slot whose move began last, until it has ended. A part of its keys may be at each end. */
  #halfMoved: { readonly slot: number; readonly toId: string } | undefined;
  #isEnded = false;
  #movedCount = 0;

  constructor(group: ClusterTestGroup) {
    this.#group = group;
    this.#clients = group.servers.map(({ url }) => {
      const client = new Redis(url, { commandTimeout: 1000, maxRetriesPerRequest: 0 });
      client.on('error', () => {});
      return client;
    });
    this.#moving = this.#reshard();
  }

  get url(): string {
    return this.#group.url;
  }

  async pauseFor(ms: number): Promise<void> {
    await this.#untilWhole();
    await pauseServer(await this.#group.masterOf(KEY), ms);
  }

  async lose(): Promise<void> {
    await this.#untilWhole();
    const master = await this.#group.masterOf(KEY);
    await this.#group.killMasterOf(KEY);
    await this.#group.rejoin(master);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#moving;
    process.stderr.write(`${this.#movedCount} slots with keys in them moved\n`);
    for (const client of this.#clients) client.disconnect();
    await this.#group.stop();
  }

  /** On a busy machine, nodes that were silent for a moment are taken for dead until they are heard again. */
  async #untilWhole(): Promise<void> {
    const isWhole = async () => {
      const views = await Promise.all(this.#clients.map((client) => client.cluster('SLOTS')));
      return views.flat().every((range) => range.length >= SLOTS_WITH_REPLICA);
    };
    await until(isWhole, { what: 'A replica for each master in every view' });
  }

  async #reshard(): Promise<void> {
    while (!this.#isEnded) {
      // A node that dies or is paused leaves the slot half moved, as in a real resharding, until it can be moved.
      await this.#moveOne().catch(() => {});
      await aMoment(RESHARD_PAUSE_MS);
    }
  }

  async #moveOne(): Promise<void> {
    const masters = await this.#masters();
    this.#halfMoved ??= await chosenMove(masters);
    const ownerId = await this.#ownerOf(this.#halfMoved?.slot);
    const from = masters.find(({ id }) => id === ownerId);
    const to =
      masters.find(({ id }) => id === this.#halfMoved?.toId) ?? masters.find(({ id }) => id !== ownerId);
    if (!this.#halfMoved || !from || !to) return;
    if (from !== to) await this.#move(this.#halfMoved.slot, from, [to, from, ...masters]);
    this.#halfMoved = undefined;
  }

  async #move(slot: number, from: Master, [to, ...others]: readonly [Master, ...Master[]]): Promise<void> {
    await to.client.cluster('SETSLOT', slot, 'IMPORTING', from.id);
    await from.client.cluster('SETSLOT', slot, 'MIGRATING', to.id);
    const keys = await from.client.cluster('GETKEYSINSLOT', slot, 1000);
    const port = to.client.options.port ?? 0;
    // Meanwhile, this master redirects clients to the other one.
    await aMoment(RESHARD_PAUSE_MS);
    if (keys.length > 0)
      await from.client.call('MIGRATE', '127.0.0.1', port, '', 0, 1000, 'REPLACE', 'KEYS', ...keys);
    for (const { client } of [to, ...others]) await client.cluster('SETSLOT', slot, 'NODE', to.id);
    this.#movedCount += 1;
  }

  async #ownerOf(slot: number | undefined): Promise<string | undefined> {
    const views = await Promise.any(this.#clients.map((client) => client.cluster('SLOTS')));
    const range = views.find(([first, last]) => slot !== undefined && first <= slot && slot <= last);
    return range?.[2]?.[2];
  }

  async #masters(): Promise<Master[]> {
    const nodes = await Promise.allSettled(
      this.#clients.map(async (client) => {
        const [role] = (await client.call('ROLE')) as string[];
        return { client, id: String(await client.cluster('MYID')), role };
      }),
    );
    return nodes.flatMap((node) =>
      node.status === 'fulfilled' && node.value.role === 'master' ? [node.value] : [],
    );
  }
}
