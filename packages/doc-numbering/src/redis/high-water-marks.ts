import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type LuaScript, loadScript } from '@solegate/redis-infra/calls';
import type { Position } from '../request/resolved-request.js';
import { askRedis, type RedisOptions } from './crowd-locks.js';
import { ERA, raiseMarksText } from './raise-marks.js';

/** Longest wait for a reply from Redis. */
const READ_MS = 100;
/** How long marks are asked for again and again where no other answer will do. */
export const PATIENCE_MS = 1000;
const PATIENT_PAUSE_MS = 20;
/** How long a mark is kept after the last number of its counter: 30 days. */
export const MARK_DAYS = 30;
const LIFE_MS = MARK_DAYS * 24 * 3_600_000;
/** Marks raised within this time are written by one call. */
const GATHER_MS = 20;
/** Pause before marks that Redis refused or did not confirm are written again. */
const RETRY_MS = 1000;
/** Most marks in one call: a script blocks other commands. */
const CALL_MAX = 1000;
/** Counters whose positions a process remembers; beyond that, those that rose longest ago are dropped. */
const KNOWN_MAX = 50_000;

const raisingByCount = new Map<number, LuaScript<unknown>>();

/** Whether a counter was at one position before it was at another: in an earlier era, or at a lower number. */
export function isBefore(one: Position, other: Position): boolean {
  const eras = Math.floor(one.version / ERA) - Math.floor(other.version / ERA);
  return eras < 0 || (eras === 0 && one.last < other.last);
}

/**
 * Redis remembers the last number of each counter, so that a PostgreSQL that has lost its last commits (an asynchronous
 * failover, a restored backup) is detected before it issues a number again.
 *
 * Marks only rise, and only to positions that PostgreSQL has reported as committed. They are written after the commit,
 * and nothing waits for that: numbers of the last few milliseconds before a process ends might not be marked.
 *
 * | what happens | what this process does |
 * |---|---|
 * | Redis is away, or refuses | keeps the positions, and writes them when it is ready again, or after a second |
 * | Redis is back, perhaps empty or with older data | writes all positions that this process knows, its own and read ones |
 * | this process ends while Redis is away | nothing: its last positions are lost, until marks are raised from rows (marks-from-rows.ts) |
 */
export class HighWaterMarks {
  readonly #options: RedisOptions;
  /** What Redis should remember, the counter that rose last at the end. */
  readonly #known = new Map<string, Position>();
  /** Keys of positions to be written. */
  readonly #unwritten = new Set<string>();
  /** Those, and what was written without a confirmation yet. */
  readonly #unconfirmed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #onReady = (): void => undefined;

  constructor(options: RedisOptions) {
    this.#options = options;
  }

  /** Writes what this process knows whenever Redis is ready, then calls `onReady`: now, and after each reconnect. */
  start(onReady: () => void): void {
    const { redis } = this.#options;
    this.#onReady = () => {
      for (const key of this.#known.keys()) this.#want(key);
      void this.flush();
      onReady();
    };
    // Many numberings can share a connection; Node warns of more than ten listeners, unless the limit is 0.
    redis.setMaxListeners(redis.getMaxListeners() && redis.getMaxListeners() + 1);
    redis.on('ready', this.#onReady);
    if (redis.status === 'ready') this.#onReady();
  }

  /**
   * Reads marks, in the order of the keys; returns `undefined` if one of the calls got no reply in time.
   *
   * @param patience until when to ask again, then also while the circuit is open. Default: asks once
   */
  async read(keys: readonly string[], patience?: Deadline): Promise<(Position | undefined)[] | undefined> {
    let found = await this.#readOnce(keys, false);
    while (!found && patience?.hasPassed === false) {
      await pause(PATIENT_PAUSE_MS);
      found = await this.#readOnce(keys, true);
    }
    return found;
  }

  /** How many marks wait to be sent, for the first time or again, or for a reply. */
  get waitingCount(): number {
    return this.#unconfirmed.size;
  }

  /** Schedules the mark of a counter to be written soon, and again until Redis has confirmed it. */
  raise(key: string, position: Position): void {
    const known = this.#known.get(key);
    if (known && isBefore(position, known)) return;
    // Set again, it is the last to be dropped.
    this.#known.delete(key);
    this.#known.set(key, position);
    this.#want(key);
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  /**
   * Writes positions now, none below the recorded one; they are not remembered.
   *
   * @throws RedisFailure; some of them might be written
   */
  async write(positions: readonly (readonly [key: string, position: Position])[]): Promise<void> {
    const groups = this.#groups(positions, ([key]) => key);
    await Promise.all(
      groups.map((group) => {
        const args = group.flatMap(([, { version, last }]) => [version, last]);
        const keys = group.map(([key]) => key);
        return this.#raising(keys.length).run(this.#options.redis, keys, [LIFE_MS, ...args]);
      }),
    );
  }

  /** Sends the gathered marks, ahead of anything sent to Redis afterwards; resolves when they have settled. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dropOldest();
    if (this.#options.redis.status !== 'ready') return;
    const keys = [...this.#unwritten];
    this.#unwritten.clear();
    await Promise.all(this.#groups(keys, (key) => key).map((group) => this.#send(group)));
  }

  /** Writes what is left, if Redis is ready, and forgets the connection. */
  async close(): Promise<void> {
    this.#options.redis.off('ready', this.#onReady);
    await this.flush();
    clearTimeout(this.#timer);
  }

  /** @param isUrgent whether to ask although the circuit is open */
  async #readOnce(keys: readonly string[], isUrgent: boolean): Promise<(Position | undefined)[] | undefined> {
    const { circuit, redis } = this.#options;
    if (keys.length === 0) return [];
    if (!isUrgent && !circuit.allows()) return undefined;
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
      return keys.map((key) => this.#agree(key, found.get(key)));
    });
  }

  #want(key: string): void {
    this.#unwritten.add(key);
    this.#unconfirmed.add(key);
  }

  async #send(keys: readonly string[]): Promise<void> {
    const sent = keys.map((key) => [key, this.#known.get(key)] as [string, Position]);
    try {
      await this.write(sent);
      for (const [key, position] of sent)
        if (this.#known.get(key) === position) this.#unconfirmed.delete(key);
    } catch (error) {
      this.#options.observer.releaseFailed?.(error);
      for (const key of keys) if (this.#known.has(key)) this.#unwritten.add(key);
      this.#timer ??= setTimeout(() => void this.flush(), RETRY_MS);
    }
  }

  #dropOldest(): void {
    for (const key of this.#known.keys()) {
      if (this.#known.size <= KNOWN_MAX) return;
      this.#known.delete(key);
      this.#unwritten.delete(key);
      this.#unconfirmed.delete(key);
    }
  }

  /** Redis might lack what was just written. A mark that is gone was removed by a person. */
  #agree(key: string, mark: Position | undefined): Position | undefined {
    const known = this.#known.get(key);
    if (known && (mark ? isBefore(mark, known) : this.#unconfirmed.has(key))) return known;
    this.#unconfirmed.delete(key);
    if (!mark) this.#known.delete(key);
    // Whoever reads many marks pushes none out.
    else if (known || this.#known.size < KNOWN_MAX) this.#known.set(key, mark);
    return mark;
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
