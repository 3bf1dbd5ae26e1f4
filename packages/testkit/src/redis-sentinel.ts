import type { RedisTestServer } from './redis-server.js';

export interface SentinelOptions {
  /** Replicas of the one master; default 1. */
  readonly replicas?: number;
  /** Sentinels, each one vote; default 3. A majority decides. */
  readonly sentinels?: number;
}

/** One master, its replicas and their sentinels, as plain processes. A dead master is noticed after 500 ms. */
export interface SentinelTestGroup extends AsyncDisposable {
  /** `redis+sentinel://host:port,host:port/masterName/0` */
  readonly url: string;
  readonly masterName: string;
  /** The server that the sentinels call master now. */
  master(): Promise<RedisTestServer>;
  readonly servers: readonly RedisTestServer[];
  readonly sentinelUrls: readonly string[];
  /** kill -9 of the present master; resolves with the new one as soon as it takes writes. */
  killMaster(): Promise<RedisTestServer>;
  /** Orderly SENTINEL FAILOVER; resolves with the new master as soon as it takes writes. */
  failover(): Promise<RedisTestServer>;
  stop(): Promise<void>;
}
