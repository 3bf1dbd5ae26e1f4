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

/** Two: while PostgreSQL works for one, the other is prepared or answered. */
const SHARED_MAX = 2;
/** Wait for the rows of several counters in one statement: one of them may be held for long. */
const SHORT_WAIT_MS = 50;
/** Wait for one row, by a connection that nobody else needs. */
const LONG_WAIT_MS = 1000;
/** With fewer connections a wait takes those that others need. */
const FEW_CONNECTIONS = 4;
const PAUSE_MS = 20;
/** Counters remembered; beyond that, all that nobody waits for are forgotten. */
const COUNTER_MAX = 50_000;

/**
 * How numbers are issued: callers wait in the process, and one commit round serves everyone who waits, across counters.
 *
 * Who decides. PostgreSQL: one statement raises the counters and writes the ledger (draw-statement.ts), and its unique
 * keys and triggers hold even against this code. The Redis lock only keeps other processes from crowding a row; a
 * holder whose lock has ended is stopped by the version check.
 *
 * | round | for | a row that somebody holds |
 * |---|---|---|
 * | shared, two at a time | everybody who waits, all of one writer or of none | is passed by |
 * | waiting, for half of the connections | counters that were passed by, together | is waited for, 50 ms |
 * | | one counter: the only one that somebody waits for, or one that was waited for in vain | is waited for, 1 s |
 *
 * So a row that is held keeps nobody waiting but those who want it, and at most half of the connections. When none is left to
 * wait, its counter pauses and then joins a shared round. A counter that was waited for in vain is crowded: for a while its
 * Redis lock comes first, so that of all processes one waits at the row. With `lock: 'always'` each counter is.
 *
 * What can go wrong, and what then:
 *   - version moved under the lock: once more, and the row alone keeps order for half a second.
 *   - rules changed: the requests are resolved again. Counter below what was issued: COUNTER_REGRESSION, nothing drawn.
 *   - statement failed, connection lost, reply lost: commit-batch.ts.
 *   - a value that PostgreSQL refuses: the batch is halved until only the guilty one fails.
 *   - no number before a request's deadline: BUSY.
 *
 * This is no buffer. Only requests that wait already share a commit, so numbers are gapless and in order of commit.
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

  /** Numbers for one request. @throws NumberingError */
  issue({ request, resolved, facts, count, attached, deadline }: QueuedRequest): Promise<DrawnNumbers> {
    const { now, observer } = this.#options;
    const arrivedMs = now();
    const origin = observer.requestQueued?.();
    return new Promise((settle, fail) => {
      // Field by field: what is copied by spread is slow to read wherever it goes.
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

  /** What this process knows of a counter. */
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

  /** First its Redis lock, if it needs one. */
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
    // Whoever held it last has left where the counter stands.
    if (counter.lock) await floors.refresh([counter]);
    this.#makeReady(counter);
  }

  #makeReady(counter: CounterQueue): void {
    counter.state = 'ready';
    this.#ready.add(counter);
    this.#schedule();
  }

  /** Behind everything that can run now: requests of one turn of the event loop share a round. */
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

  /** Counters that are ready and whose next requests have the same writer, first come first served. */
  #ofOneWriter(belongs: (counter: CounterQueue) => boolean): CounterQueue[] {
    const counters = [...this.#ready].filter(belongs);
    const writer = counters[0]?.waiting[0]?.attached?.writer;
    return counters
      .filter(({ waiting }) => waiting[0]?.attached?.writer === writer)
      .slice(0, this.#options.batchMax);
  }

  /** Its row is held: looked at again soon; with no connection left to wait (`free`), in a round that passes it by. */
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
    // At first a round counts as shared whatever it does: requests that come meanwhile are to gather.
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
