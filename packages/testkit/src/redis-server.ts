import type { Redis, RedisOptions } from 'ioredis';

export interface RedisServerOptions {
  /** `aof` (default) loses nothing in a kill; `none` is empty after every restart. */
  readonly persistence?: 'aof' | 'none';
  /** More arguments of redis-server, such as `['--maxmemory', '1mb']`. */
  readonly args?: readonly string[];
}

/** A copy of a server's data at one moment, to be restarted from. */
export interface RedisSnapshot {
  readonly directory: string;
}

/** A Redis of the test's own, on one port for its whole life, for faults that would disturb others. */
export interface RedisTestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** A new client; the server disconnects it when it stops. */
  client(options?: RedisOptions): Redis;
  /** kill -9. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, nobody answers. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
  /** The data of this moment. */
  takeSnapshot(): Promise<RedisSnapshot>;
  /** Starts again on the same port, whether it runs or was killed: with its data (default), empty, or from a snapshot. */
  restart(options?: { keepData?: boolean; snapshot?: RedisSnapshot }): Promise<void>;
  stop(): Promise<void>;
}
