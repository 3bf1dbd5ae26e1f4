import { createHash } from 'node:crypto';

import type { RedisCalls } from './redis-calls.js';
import { mightSend, redisFailure } from './redis-failure.js';

/** Options of {@link loadScript}. */
export interface LoadScriptOptions<Reply> {
  /** The name of the script in errors, such as `hold-trip`. */
  readonly name: string;
  /** The Lua code. Keep it in a module, so that bundlers include it. */
  readonly text: string;
  /** The number of keys of each run. In a cluster they must share one slot (a hash tag). */
  readonly keyCount: number;
  /** Turns the raw reply (number, string, null, or nested arrays of them) into the caller's value. */
  readonly decode: (reply: unknown) => Reply;
}

/**
 * A Lua script as a typed call. It is sent by hash, and with its text only if the server does not know it yet, so a
 * restart or failover of the server costs one extra round trip, once.
 */
export interface LuaScript<Reply> {
  readonly name: string;
  /**
   * Runs the script once. It is never retried if it might have run. Settles within twice the connection's command
   * timeout (a server that does not know the script is called twice).
   *
   * @throws {@link RedisFailure}: unavailable (certainly not applied), unknown (sent, no reply), or script
   */
  run(connection: RedisCalls, keys: readonly string[], args: readonly (string | number)[]): Promise<Reply>;
}

class HashedScript<Reply> implements LuaScript<Reply> {
  readonly name: string;
  readonly #text: string;
  readonly #hash: string;
  readonly #keyCount: number;
  readonly #decode: (reply: unknown) => Reply;

  constructor(options: LoadScriptOptions<Reply>) {
    this.name = options.name;
    this.#text = options.text;
    this.#hash = createHash('sha1').update(this.#text).digest('hex');
    this.#keyCount = options.keyCount;
    this.#decode = options.decode;
  }

  async run(
    connection: RedisCalls,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<Reply> {
    if (keys.length !== this.#keyCount) {
      throw new TypeError(`Script ${this.name} takes ${this.#keyCount} keys, not ${keys.length}.`);
    }
    const isSendable = mightSend(connection);
    const keysAndArgs = [...keys, ...args];
    let reply: unknown;
    try {
      reply = await connection.evalsha(this.#hash, this.#keyCount, ...keysAndArgs);
    } catch (error) {
      if (!isUnknownScript(error)) throw redisFailure(error, isSendable);
      reply = await this.#teach(connection, keysAndArgs);
    }
    return this.#decode(reply);
  }

  /** Runs the script by its text, which also caches it on the server. */
  async #teach(connection: RedisCalls, keysAndArgs: (string | number)[]): Promise<unknown> {
    const isSendable = mightSend(connection);
    try {
      return await connection.eval(this.#text, this.#keyCount, ...keysAndArgs);
    } catch (error) {
      throw redisFailure(error, isSendable);
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Turns a Lua text into a typed call. Sends nothing to Redis until the call is made. */
export function loadScript<Reply>(options: LoadScriptOptions<Reply>): LuaScript<Reply> {
  return new HashedScript(options);
}
