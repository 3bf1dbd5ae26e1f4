type Argument = string | number;

/**
 * A connection of ioredis, `Redis` or `Cluster`, as far as the packages call it. Its types compile where ioredis is not
 * installed.
 */
export interface RedisCalls {
  readonly status: string;
  readonly isCluster: boolean;
  readonly options: { readonly enableOfflineQueue?: boolean | undefined };
  evalsha(hash: string, keyCount: number, ...keysAndArgs: Argument[]): Promise<unknown>;
  eval(text: string, keyCount: number, ...keysAndArgs: Argument[]): Promise<unknown>;
  ping(): Promise<string>;
  on(event: 'ready', listener: () => void): unknown;
}
