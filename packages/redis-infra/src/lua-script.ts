import { createHash } from 'node:crypto';

import type { RedisConnection } from './connect-redis.js';
import { mightSend, redisFailure } from './redis-failure.js';

/** What {@link loadScript} needs to know of one Lua script. */
export interface LoadScriptOptions<Reply> {
  /** What the script is called in errors, such as `hold-trip`. */
  readonly name: string;
  /** The Lua code. It stands in a module, so that bundlers take it along. */
  readonly text: string;
  /** How many keys each run takes. In a cluster they must share one slot (a hash tag). */
  readonly keyCount: number;
  /** Turns the raw reply (number, string, null, or nested arrays of them) into the caller's value. */
  readonly decode: (reply: unknown) => Reply;
}

/**
 * One Lua script as a typed call. It is sent by its hash, and with its text only when the server does not know it
 * yet, so a restarted or failed-over server costs one more round trip, once.
 */
export interface LuaScript<Reply> {
  readonly name: string;
  /**
   * Runs the script once; it is never repeated after it may have run. Settles within twice the connection's
   * command timeout (a server that does not know the script is asked twice).
   *
   * @throws {@link RedisFailure}: unavailable (surely not applied), unknown (asked, no answer), or script
   */
  run(
    connection: RedisConnection,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<Reply>;
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
    connection: RedisConnection,
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

  /** Runs the script by its text, after which the server knows it. */
  async #teach(connection: RedisConnection, keysAndArgs: (string | number)[]): Promise<unknown> {
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

/** Turns a Lua text into the call that runs it. Asks nothing of Redis until then. */
export function loadScript<Reply>(options: LoadScriptOptions<Reply>): LuaScript<Reply> {
  return new HashedScript(options);
}
