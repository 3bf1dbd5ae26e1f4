import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type LuaScript, loadScript } from '@solegate/redis-infra';
import type { Position } from '../request/resolved-request.js';
import { askRedis, type RedisOptions } from './crowd-locks.js';
import { raiseMarksText } from './raise-marks.js';

/** Longest wait for a reply from Redis. */
const READ_MS = 100;
/** How long a mark is kept after the last number of its counter: 30 days. */
const LIFE_MS = 30 * 24 * 3_600_000;
/** Marks raised within this time are written by one call. */
const GATHER_MS = 5;
/** Most marks in one call: a script blocks other commands. */
const CALL_MAX = 1000;

const raisingByCount = new Map<number, LuaScript<unknown>>();

/**
 * Redis remembers the last number of each counter, so that a PostgreSQL that has lost its last commits (an asynchronous
 * failover, a restored backup) is detected before it issues a number again.
 *
 * Marks only rise, and only to positions that PostgreSQL has reported. They are written after the commit, and nothing
 * waits for that: numbers of the last few milliseconds before a crash might not be marked. Best effort in both
 * directions: while Redis is down, nothing is remembered, and nothing waits.
 */
export class HighWaterMarks {
  readonly #options: RedisOptions;
  readonly #raised = new Map<string, Position>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RedisOptions) {
    this.#options = options;
  }

  /** Reads marks, in the order of the keys; returns `undefined` if one of the calls got no reply in time. */
  async read(keys: readonly string[]): Promise<(Position | undefined)[] | undefined> {
    const { circuit, redis } = this.#options;
    if (keys.length === 0) return [];
    if (!circuit.allows()) return undefined;
    return askRedis(this.#options, async () => {
      const found = new Map<string, Position>();
      for (const group of this.#groups(keys, (key) => key)) {
        const pipeline = redis.pipeline();
        for (const key of group) pipeline.hmget(key, 'version', 'last');
        const asked = settleBy(pipeline.exec(), Deadline.after(READ_MS), () => new Error('no answer'));
        const replies = (await asked) ?? [];
        replies.forEach(([failure, reply], index) => {
          if (failure) throw failure;
          const [version, last] = reply as (string | null)[];
          if (last) found.set(group[index] ?? '', { version: Number(version), last: Number(last) });
        });
      }
      return keys.map((key) => found.get(key));
    });
  }

  /** Schedules the mark of a counter to be written soon. */
  raise(key: string, position: Position): void {
    this.#raised.set(key, position);
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Removes the mark of a counter. @throws if Redis does not reply in time */
  async forget(key: string): Promise<void> {
    this.#raised.delete(key);
    await settleBy(this.#options.redis.del(key), Deadline.after(READ_MS), () => new Error('no answer'));
  }

  /** Writes the gathered marks now, ahead of anything sent to Redis afterwards. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const raised = [...this.#raised];
    this.#raised.clear();
    if (this.#options.redis.status !== 'ready') return;
    for (const group of this.#groups(raised, ([key]) => key)) {
      const args = group.flatMap(([, { version, last }]) => [version, last]);
      const keys = group.map(([key]) => key);
      this.#raising(keys.length)
        .run(this.#options.redis, keys, [LIFE_MS, ...args])
        .catch((error: unknown) => this.#options.observer.releaseFailed?.(error));
    }
  }

  /** Splits items into calls of bounded size; in a cluster, one number space each, whose keys share a slot. */
  #groups<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
    const groups: Item[][] = [];
    const open = new Map<string, Item[]>();
    for (const item of items) {
      const key = keyOf(item);
      const slot = this.#options.redis.isCluster ? key.slice(0, key.indexOf('}')) : '';
      let group = open.get(slot);
      if (!group || group.length === CALL_MAX) {
        group = [];
        groups.push(group);
      }
      open.set(slot, group);
      group.push(item);
    }
    return groups;
  }

  /** One script for each number of keys that was ever passed, because Redis needs to know how many there are. */
  #raising(keyCount: number): LuaScript<unknown> {
    const decode = (reply: unknown) => reply;
    const known = raisingByCount.get(keyCount);
    const script = known ?? loadScript({ name: 'raise-marks', text: raiseMarksText, keyCount, decode });
    raisingByCount.set(keyCount, script);
    return script;
  }
}
