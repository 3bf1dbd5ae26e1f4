import type { Redis } from 'ioredis';

/**
 * One logical database of the shared Redis, empty when taken. Channels, scripts and configuration belong to the whole
 * server: publish on channel names of your own, and use `startRedisServer()` for whatever disturbs others. Redis Cluster
 * has no logical databases: use `startRedisCluster()`.
 */
export interface TestRedis extends AsyncDisposable {
  /** `redis://host:port/number` */
  readonly url: string;
  readonly client: Redis;
  /**
   * Closes the client, empties the database and gives it back.
   *
   * @throws ConnectionLeakError when another connection to the database is still open
   */
  drop(): Promise<void>;
}
