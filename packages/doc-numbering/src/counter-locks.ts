import { randomBytes } from 'node:crypto';
import { CircuitBreaker, type RedisConnection } from '@solegate/redis-infra';
import type { Standing } from './batch.js';
import { DoubtfulLocks } from './doubtful-locks.js';
import { type GivenLock, KeptLocks } from './kept-locks.js';
import type { LockKey } from './lock-key.js';
import { type HandedLock, readHint, readLockMessage } from './lock-message.js';
import { giveLocks, takeLocks } from './lock-scripts.js';
import { LockWaits } from './lock-waits.js';
import type { NumberingEvents } from './numbering-options.js';
import { within } from './within.js';

/** A lock in hand. The hint tells where the counter stood when its last holder gave it back. */
export interface HeldLock {
  readonly key: LockKey;
  readonly token: string;
  readonly hint: Standing | undefined;
  /** When Redis gave it, on the clock of `now`; it keeps others away for `lockTtlMs` from then. */
  readonly takenMs: number;
}

/** What a counter goes on with: its lock, or without one for a reason. */
export type Pass =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  | { readonly kind: 'bare'; readonly reason: 'busy' | 'unavailable' | 'circuit_open' };

/** The answer for one counter: a pass at once, or one that comes with the hand-over or with the end of the wait. */
export type LockAnswer = Pass | { readonly kind: 'queued'; readonly pass: Promise<Pass> };

export interface CounterLocksOptions {
  readonly decision: RedisConnection;
  readonly subscriber: RedisConnection;
  readonly lockTtlMs: number;
  readonly lockWaitMs: number;
  readonly now: () => number;
  readonly events: NumberingEvents;
}

const channelPrefix = 'doc_num:inbox:';

/** How long a hint is remembered after the last number of its counter: 30 days. */
const stateTtlMs = 30 * 24 * 3_600_000;

/** How long other processes are expected again after one of them was met. */
const crowdMs = 1000;

/** Two unanswered calls open the circuit; half a second later one call tries again. */
const circuitOptions = { failureMax: 2, openMs: 500 };

/**
 * The Redis half of the double lock: it keeps other processes from crowding a counter's row, and decides nothing.
 *
 * One script takes all free locks of a batch, in redlock's protocol (a string with a random value and an expiry), queues
 * for the busy ones, and tells their holders. Whoever gives a lock back hands it to the first in its queue by a message to
 * that process's inbox, together with where the counter stands; while nobody wants it, the holder keeps it for its next
 * flight. A wait ends after `lockWaitMs` whatever happens; a hand-over that comes later is passed on at once. The lock of a
 * process that has died is taken over, because nobody listens to its inbox. Redis away, hung or emptied: every counter passes bare and PostgreSQL's row lock keeps order.
 */
export class CounterLocks {
  readonly #options: CounterLocksOptions;
  readonly #circuit: CircuitBreaker;
  readonly #inbox = randomBytes(12).toString('hex');
  readonly #waits: LockWaits;
  readonly #knowsSubscribers: '0' | '1';
  readonly #kept: KeptLocks;
  readonly #doubtful = new DoubtfulLocks();
  #crowdedUntilMs = 0;
  #tokenCount = 0;
  #isSubscribed = false;

  constructor(options: CounterLocksOptions) {
    this.#options = options;
    this.#circuit = new CircuitBreaker({ ...circuitOptions, now: options.now });
    this.#knowsSubscribers = options.decision.isCluster ? '0' : '1';
    this.#waits = new LockWaits(options.now);
    this.#kept = new KeptLocks({ ...options, giveBack: this.#giveBack });
    options.subscriber.on('ready', this.#subscribe);
    options.subscriber.on('close', this.#unsubscribed);
    options.subscriber.on('message', this.#receive);
    if (options.subscriber.status === 'ready') this.#subscribe();
  }

  /**
   * Locks of several counters: those that are kept, and an answer of Redis for the others. In a crowd all are asked for in
   * one call: whoever holds some while it waits for others then waits only for calls before its own, so that no two
   * processes wait for each other.
   */
  async take(keys: readonly LockKey[]): Promise<LockAnswer[]> {
    const names = keys.map(({ lock }) => lock);
    const kept = this.#kept.reuse(names, { allOrNone: this.#isCrowd });
    const missing = keys.filter(({ lock }) => !kept.has(lock));
    const answers = new Map<LockKey, LockAnswer>();
    await Promise.all(
      this.#bySlot(missing, (key) => key).map(async (group) => {
        const asked = await this.#ask(group);
        for (const [index, key] of group.entries()) {
          const answer = asked[index];
          if (answer) answers.set(key, answer);
        }
      }),
    );
    return keys.map((key) => {
      const lock = kept.get(key.lock);
      return lock ? { kind: 'held', lock } : (answers.get(key) ?? { kind: 'bare', reason: 'unavailable' });
    });
  }

  /** After a flight: keeps locks or gives them back, without making anybody wait. */
  give(given: readonly GivenLock[]): void {
    if (given.length > 0) this.#kept.keepOrGive(given, { isCrowd: this.#isCrowd });
  }

  /** Whether other processes want the same counters these days. */
  get #isCrowd(): boolean {
    return this.#options.now() < this.#crowdedUntilMs;
  }

  async #ask(keys: readonly LockKey[]): Promise<LockAnswer[]> {
    if (!this.#circuit.allows()) return keys.map(() => ({ kind: 'bare', reason: 'circuit_open' }));
    const { lockWaitMs, now } = this.#options;
    this.#tokenCount += 1;
    const token = `${this.#inbox}.${this.#tokenCount}`;
    const takenMs = now();
    const handedOver = this.#waits.expect(token);
    const asked = this.#runTake(keys, token);
    try {
      const reply = await within(asked, lockWaitMs, () => new Error(`no answer in ${lockWaitMs} ms`));
      this.#circuit.succeeded();
      this.#giveBack(this.#doubtful.takeAll());
      return keys.map((key, index) => {
        const [held, version, last] = reply.slice(index * 3, index * 3 + 3);
        if (held === 1) {
          return { kind: 'held', lock: { key, token, hint: readHint(version, last), takenMs } };
        }
        this.#crowdedUntilMs = now() + crowdMs;
        const lock = handedOver.find((handed) => handed.key.lock === key.lock);
        if (lock) return { kind: 'held', lock };
        if (!this.#isSubscribed) return { kind: 'bare', reason: 'busy' };
        return { kind: 'queued', pass: this.#waits.wait(key, token, takenMs + lockWaitMs) };
      });
    } catch {
      this.#circuit.failed();
      this.#doubtful.add(keys.map((key) => ({ key, token, hint: undefined, takenMs })));
      asked.then(
        () => this.#giveBack(this.#doubtful.takeAll()),
        () => undefined,
      );
      this.#giveBack(handedOver.map((lock) => ({ lock, standing: undefined })));
      return keys.map(() => ({ kind: 'bare', reason: 'unavailable' }));
    } finally {
      this.#waits.expectNoMore(token);
    }
  }

  #runTake(keys: readonly LockKey[], token: string): Promise<readonly unknown[]> {
    const names = keys.flatMap(({ lock, state }) => [lock, state]);
    const { decision, lockTtlMs } = this.#options;
    const queues = this.#isSubscribed ? '1' : '0';
    const args = [token, lockTtlMs, queues, channelPrefix, this.#knowsSubscribers];
    return takeLocks(names.length).run(decision, names, args);
  }

  /** Gives locks back; a failure is only told, and mended at the next sign of life. */
  readonly #giveBack = (given: readonly GivenLock[]): void => {
    for (const group of this.#bySlot(given, ({ lock }) => lock.key)) this.#giveGroup(group);
  };

  /** One call for all; in a cluster one for each number space, whose keys share a slot. */
  #bySlot<Item>(items: readonly Item[], keyOf: (item: Item) => LockKey): Item[][] {
    if (items.length === 0) return [];
    if (!this.#options.decision.isCluster) return [[...items]];
    const groups = new Map<string, Item[]>();
    for (const item of items) {
      const { lock } = keyOf(item);
      const slot = lock.slice(0, lock.indexOf('}'));
      groups.set(slot, [...(groups.get(slot) ?? []), item]);
    }
    return [...groups.values()];
  }

  #giveGroup(given: readonly GivenLock[]): void {
    const names = given.flatMap(({ lock }) => [lock.key.lock, lock.key.state]);
    const args = given.flatMap(({ lock, standing }) => [
      lock.token,
      standing?.version ?? '',
      standing?.last ?? '',
    ]);
    const head = [this.#options.lockTtlMs, stateTtlMs, channelPrefix, this.#knowsSubscribers];
    giveLocks(names.length)
      .run(this.#options.decision, names, [...head, ...args])
      .catch((error: unknown) => {
        this.#doubtful.add(given.map(({ lock }) => lock));
        this.#options.events.releaseFailed?.(error);
      });
  }

  /** The high-water marks that Redis remembers, 0 for none. @throws RedisFailure's cause when Redis does not answer */
  async remembered(keys: readonly LockKey[]): Promise<number[]> {
    const marks = keys.map(({ state }) => this.#options.decision.hget(state, 'last'));
    return (await Promise.all(marks)).map((mark) => Number(mark ?? 0));
  }

  close(): void {
    this.#kept.close();
    const { subscriber } = this.#options;
    subscriber.off('ready', this.#subscribe);
    subscriber.off('close', this.#unsubscribed);
    subscriber.off('message', this.#receive);
    if (this.#isSubscribed) subscriber.unsubscribe(channelPrefix + this.#inbox).catch(() => undefined);
  }

  readonly #subscribe = (): void => {
    this.#options.subscriber.subscribe(channelPrefix + this.#inbox).then(
      () => {
        this.#isSubscribed = true;
      },
      () => undefined,
    );
  };

  readonly #unsubscribed = (): void => {
    this.#isSubscribed = false;
  };

  readonly #receive = (channel: string, message: string): void => {
    if (channel !== channelPrefix + this.#inbox) return;
    const told = readLockMessage(message);
    if (told.kind === 'yours') {
      this.#receiveLocks(told.locks);
      return;
    }
    this.#kept.want(told.wanted);
    this.#giveBack(this.#doubtful.takeWanted(told.wanted));
  };

  #receiveLocks(locks: readonly HandedLock[]): void {
    const takenMs = this.#options.now();
    const late: GivenLock[] = [];
    for (const { isWanted, ...handed } of locks) {
      const held = { ...handed, takenMs };
      if (!this.#waits.deliver(held)) late.push({ lock: held, standing: undefined });
      else if (isWanted) this.#kept.want([{ lock: held.key.lock, token: held.token }]);
    }
    this.#giveBack(late);
  }
}
