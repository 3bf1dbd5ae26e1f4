import type { RedisTestServer } from './redis-server.js';

export interface ClusterOptions {
  /** Masters, each with its share of the 16,384 slots; default and least 3. */
  readonly masters?: number;
  /** Replicas of each master; default 0. */
  readonly replicasPerMaster?: number;
}

/** A Redis Cluster of plain processes; ready when every slot is served and every replica has its master's data. */
export interface ClusterTestGroup extends AsyncDisposable {
  /** `redis+cluster://host:port,host:port,host:port` */
  readonly url: string;
  readonly servers: readonly RedisTestServer[];
  /** The master that serves this key's slot now. */
  masterOf(key: string): Promise<RedisTestServer>;
  /** kill -9 of the key's master; resolves with its successor as soon as that takes writes. Needs a replica. */
  killMasterOf(key: string): Promise<RedisTestServer>;
  /** Orderly CLUSTER FAILOVER to a replica of the key's master; resolves with the new master. */
  failoverOf(key: string): Promise<RedisTestServer>;
  stop(): Promise<void>;
}
