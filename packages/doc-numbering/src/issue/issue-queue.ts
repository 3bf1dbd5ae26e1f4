import {
  CounterQueue,
  type DrawnNumbers,
  type PendingIssue,
  type QueuedRequest,
} from '../draw/counter-queue.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress } from '../request/resolved-request.js';
import { CommitRounds, type RoundOptions } from './commit-round.js';

export interface QueueOptions extends RoundOptions {
  readonly resolver: RequestResolver;
}

/** Two: while PostgreSQL works on one, the other is prepared or answered. */
const SHARED_MAX = 2;
/** Wait for the rows of several counters in one statement: one of them might be locked for long. */
const SHORT_WAIT_MS = 50;
/** Wait for one row, on a connection that nothing else needs. */
const LONG_WAIT_MS = 1000;
/** With fewer connections, a long wait would block those that others need. */
const FEW_CONNECTIONS = 4;
const PAUSE_MS = 20;
/** Counters kept in memory; beyond that, all idle ones are dropped. */
const COUNTER_MAX = 50_000;

/**
 * How numbers are issued: callers wait in the process, and one commit round serves all that wait, across counters.
 *
 * Who decides. PostgreSQL: one statement raises the counters and writes the ledger (draw-statement.ts), and its unique
 * keys and triggers hold even against this code. The Redis lock only keeps other processes from crowding a row; a
 * holder whose lock has expired is stopped by the version check.
 *
 * | round | for | a locked row |
 * |---|---|---|
 * | shared, two at a time | all waiting requests of one writer, or of none | is skipped |
 * | waiting, on half of the connections | counters that were skipped, together | is waited for, 50 ms |
 * | | one counter: the only one with waiting requests, or one whose row wait timed out | is waited for, 1 s |
 *
 * So a locked row delays only the requests that need it, and ties up at most half of the connections. If none is left
 * to wait, its counter pauses and then joins a shared round. A counter whose row wait timed out is crowded: for a
 * while, its Redis lock comes first, so that only one process waits for the row. With `lock: 'always'`, all do so.
 *
 * What can go wrong, and what happens then:
 *   - version changed under the lock: retried, and the row lock alone keeps order for half a second.
 *   - rules changed: requests are resolved again. Counter below an issued number: COUNTER_REGRESSION, nothing drawn.
 *   - statement failed, connection lost, reply lost: commit-batch.ts.
 *   - a value that PostgreSQL refuses: the batch is halved until only the faulty request fails.
 *   - no number before a request's deadline: BUSY.
 *
 * This is not a buffer. Only requests that already wait share a commit, so numbers are gapless and in commit order.
 */
export class IssueQueue {
  readonly #options: QueueOptions;
  readonly #rounds: CommitRounds;
  readonly #counters = new Map<string, CounterQueue>();
  readonly #ready = new Set<CounterQueue>();
  readonly #waitingMax: number;
  readonly #longWaitMs: number;
  #sharedCount = 0;
  #waitingCount = 0;
  #isScheduled = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#rounds = new CommitRounds(options, (issue) => void this.#resolveAgain(issue));
    this.#waitingMax = Math.max(1, Math.floor(options.connectionMax / 2));
    this.#longWaitMs = options.connectionMax < FEW_CONNECTIONS ? SHORT_WAIT_MS : LONG_WAIT_MS;
  }

  /** Issues the numbers of one request. @throws NumberingError */
  issue({ request, resolved, facts, count, attached, deadline }: QueuedRequest): Promise<DrawnNumbers> {
    const { now, observer } = this.#options;
    const arrivedMs = now();
    const origin = observer.requestQueued?.();
    return new Promise((settle, fail) => {
      // Field by field: an object built by spread is slow to read everywhere.
      this.#join({
        request,
        resolved,
        facts,
        count,
        attached,
        deadline,
        arrivedMs,
        origin,
        position: 1,
        waitedMs: 0,
        settle,
        fail,
      });
    });
  }

  /** Returns what this process knows about a counter. */
  counter(address: CounterAddress): CounterQueue {
    const known = this.#counters.get(address.key);
    if (known) return known;
    if (this.#counters.size >= COUNTER_MAX) {
      for (const [key, { state }] of this.#counters) if (state === 'idle') this.#counters.delete(key);
    }
    const counter = new CounterQueue(address);
    this.#counters.set(address.key, counter);
    return counter;
  }

  #join(issue: PendingIssue): void {
    const counter = this.#counters.get(issue.resolved.key) ?? this.counter(issue.resolved);
    counter.waiting.push(issue);
    if (counter.state === 'idle') this.#begin(counter);
  }

  async #resolveAgain(issue: PendingIssue): Promise<void> {
    try {
      issue.resolved = await this.#options.resolver.resolveAgain(issue.request, issue.resolved);
      this.#join(issue);
    } catch (error) {
      issue.fail(error);
    }
  }

  /** Acquires its Redis lock first, if it needs one. */
  #begin(counter: CounterQueue): void {
    const { lock, locks, now } = this.#options;
    const isWanted = lock === 'always' || now() < counter.crowdedUntilMs;
    if (locks && isWanted && !counter.lock?.isTrusted && !counter.isLockRefused) {
      counter.state = 'locking';
      void this.#takeLock(counter);
      return;
    }
    this.#makeReady(counter);
  }

  async #takeLock(counter: CounterQueue): Promise<void> {
    const { floors, locks } = this.#options;
    counter.lock = await locks?.take(counter.lockKey.lock);
    counter.isLockRefused = counter.lock === undefined;
    counter.mustPass = counter.isLockRefused && counter.row !== 'free';
    // The last holder has left the counter's position in Redis.
    if (counter.lock) await floors.refresh([counter]);
    this.#makeReady(counter);
  }

  #makeReady(counter: CounterQueue): void {
    counter.state = 'ready';
    this.#ready.add(counter);
    this.#schedule();
  }

  /** Runs after everything that can run now, so requests of one turn of the event loop share a round. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const counter of this.#ready) {
      if (counter.row !== 'stuck' || counter.mustPass) continue;
      if (this.#waitingCount < this.#waitingMax) void this.#run([counter], this.#longWaitMs);
      else this.#pause(counter, 'free');
    }
    const held = this.#ofOneWriter(({ row, mustPass }) => row === 'held' && !mustPass);
    if (this.#waitingCount >= this.#waitingMax) for (const counter of held) this.#pause(counter, 'free');
    else if (held.length > 0) void this.#run(held, held.length > 1 ? SHORT_WAIT_MS : this.#longWaitMs);
    while (this.#sharedCount < SHARED_MAX) {
      const free = this.#ofOneWriter(({ row, mustPass }) => row === 'free' || mustPass);
      if (free.length === 0) return;
      const isAlone = free.length === 1 && free[0]?.mustPass === false;
      void this.#run(free, isAlone && this.#waitingCount < this.#waitingMax ? this.#longWaitMs : undefined);
    }
  }

  /** Returns ready counters whose next requests have the same writer, first come, first served. */
  #ofOneWriter(belongs: (counter: CounterQueue) => boolean): CounterQueue[] {
    const counters = [...this.#ready].filter(belongs);
    const writer = counters[0]?.waiting[0]?.attached?.writer;
    return counters
      .filter(({ waiting }) => waiting[0]?.attached?.writer === writer)
      .slice(0, this.#options.batchMax);
  }

  /** Retries a locked row soon; with no connection left to wait (`free`), in a round that skips locked rows. */
  #pause(counter: CounterQueue, row: CounterQueue['row']): void {
    this.#ready.delete(counter);
    counter.state = 'pausing';
    setTimeout(() => {
      counter.row = row;
      this.#begin(counter);
    }, PAUSE_MS);
  }

  async #run(counters: readonly CounterQueue[], rowWaitMs: number | undefined): Promise<void> {
    for (const counter of counters) {
      this.#ready.delete(counter);
      counter.state = 'drawing';
    }
    const isShared = rowWaitMs === undefined;
    // At first, a lone free counter also counts as a shared round, so that requests arriving meanwhile gather.
    let isCountedShared = isShared || (counters.length === 1 && counters[0]?.row === 'free');
    if (isCountedShared) this.#sharedCount += 1;
    if (!isShared) this.#waitingCount += 1;
    const timer = setTimeout(() => {
      if (isShared || !isCountedShared) return;
      isCountedShared = false;
      this.#sharedCount -= 1;
      this.#schedule();
    }, PAUSE_MS);
    await this.#rounds.run(counters, rowWaitMs);
    clearTimeout(timer);
    if (isCountedShared) this.#sharedCount -= 1;
    if (!isShared) this.#waitingCount -= 1;
    for (const counter of counters) this.#afterRound(counter);
    this.#schedule();
  }

  #afterRound(counter: CounterQueue): void {
    const isLeft = counter.waiting.length > 0;
    // A lock is kept only while its row is waited for.
    if (counter.lock && (!isLeft || counter.row === 'free')) this.#rounds.release(counter);
    counter.isLockRefused = false;
    counter.mustPass = false;
    counter.state = 'idle';
    if (!isLeft) counter.row = 'free';
    else if (counter.row === 'stuck') this.#pause(counter, 'stuck');
    else this.#begin(counter);
  }
}
