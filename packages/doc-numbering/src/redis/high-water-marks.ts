import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type LuaScript, loadScript } from '@solegate/redis-infra';
import type { Position } from '../request/resolved-request.js';
import { askRedis, type RedisOptions } from './crowd-locks.js';
import { raiseMarksText } from './raise-marks.js';

/** Longest wait for an answer of Redis. */
const READ_MS = 100;
/** How long a mark is remembered after the last number of its counter: 30 days. */
const LIFE_MS = 30 * 24 * 3_600_000;
/** What is drawn in this time is written by one call. */
const GATHER_MS = 5;
/** Marks in one call: a script keeps other commands waiting. */
const CALL_MAX = 1000;

const raisingByCount = new Map<number, LuaScript<unknown>>();

/**
 * Redis remembers of each counter how far it was drawn from, so that a PostgreSQL which has lost its last commits (an
 * asynchronous fail-over, a restored backup) is found out before it issues a number again.
 *
 * Marks only rise, and only to where PostgreSQL said that a counter stands. They are written after the commit and never
 * waited for: numbers of the last few milliseconds before a crash may be unmarked. Best effort in both directions: while
 * Redis is away nothing is remembered, and nothing waits.
 */
export class HighWaterMarks {
  readonly #options: RedisOptions;
  readonly #raised = new Map<string, Position>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RedisOptions) {
    this.#options = options;
  }

  /** What Redis remembers, in the order of the keys; `undefined` when one of its calls gave no answer in time. */
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

  /** Remembers where a counter stands, soon. */
  raise(key: string, position: Position): void {
    this.#raised.set(key, position);
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Remembers nothing of a counter any more. @throws when Redis gave no answer in time */
  async forget(key: string): Promise<void> {
    this.#raised.delete(key);
    await settleBy(this.#options.redis.del(key), Deadline.after(READ_MS), () => new Error('no answer'));
  }

  /** Writes what is gathered now; whatever is sent to Redis afterwards comes after it. */
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

  /** Calls of a bounded size; in a cluster one number space each, whose keys share a slot. */
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

  /** A script for each number of keys that was ever passed, because Redis wants to know how many there are. */
  #raising(keyCount: number): LuaScript<unknown> {
    const decode = (reply: unknown) => reply;
    const known = raisingByCount.get(keyCount);
    const script = known ?? loadScript({ name: 'raise-marks', text: raiseMarksText, keyCount, decode });
    raisingByCount.set(keyCount, script);
    return script;
  }
}
