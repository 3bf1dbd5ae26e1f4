type Argument = string | number;

/**
 * A connection of ioredis, `Redis` or `Cluster`, as far as the packages call it. Its types compile where ioredis is not
 * installed.
 */
export interface RedisCalls {
  readonly status: string;
  readonly isCluster: boolean;
  readonly options: { readonly enableOfflineQueue?: boolean | undefined };
  /** Runs a script by its hash. */
  evalsha(hash: string, keyCount: number, ...keysAndArgs: Argument[]): Promise<unknown>;
  /** Runs a script by its text. */
  eval(text: string, keyCount: number, ...keysAndArgs: Argument[]): Promise<unknown>;
  /** Returns `PONG`. */
  ping(): Promise<string>;
  /** Calls `listener` whenever the connection can be used. */
  on(event: 'ready', listener: () => void): unknown;
}
