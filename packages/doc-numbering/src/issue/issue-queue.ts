import type { DrawnNumbers } from '../draw/draft.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress } from '../request/resolved-request.js';
import { CommitRounds, type RoundOptions } from './commit-round.js';
import { CounterQueue, type PendingIssue, type QueuedRequest } from './counter-queue.js';
import { RoundPlaces } from './round-places.js';

export interface QueueOptions extends RoundOptions {
  readonly resolver: RequestResolver;
}

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
 * Who decides. PostgreSQL: one function locks the counters, reads their rules, raises them and writes the ledger
 * (sql/functions/draw-numbers.ts), and its unique keys hold even against this code. The Redis lock only keeps other
 * processes from crowding a row; a holder whose lock has expired is stopped by the version check.
 *
 * | round | for | a locked row |
 * |---|---|---|
 * | shared, two at a time | all waiting requests of counters that no writer is wanted for | is skipped |
 * | waiting, on half of the connections | counters that were skipped, together | is waited for, 50 ms |
 * | | one counter: the only one with waiting requests, or one whose row wait timed out | is waited for, 1 s |
 * | writing, on a third of the connections, two at a time for a writer | all waiting requests of counters that the
 *   same writers are wanted for, plain ones included | is skipped, then waited for as above |
 *
 * So a locked row delays only the requests that need it, and ties up at most half of the connections. If none is left
 * to wait, its counter pauses and then joins a shared round. A counter whose row wait timed out is crowded: for a
 * while, its Redis lock comes first, so that only one process waits for the row. With `lock: 'always'`, all do so.
 *
 * A writer's table that is locked delays only the counters that this writer is wanted for. Plain requests of such a
 * counter wait for one writing round: if its writer fails, they are drawn without it.
 *
 * What can go wrong, and what happens then:
 *   - version changed under the lock: retried, and the row lock alone keeps order for half a second.
 *   - rules changed: requests are resolved again. Counter below an issued number: COUNTER_REGRESSION, nothing drawn.
 *   - statement failed, connection lost, reply lost: commit-batch.ts.
 *   - a value that PostgreSQL or a writer refuses: the batch is halved until only the faulty request fails.
 *   - no number before a request's deadline: BUSY.
 *
 * This is not a buffer. Only requests that already wait share a commit, so numbers are gapless and in commit order.
 */
export class IssueQueue {
  readonly #options: QueueOptions;
  readonly #rounds: CommitRounds;
  readonly #places: RoundPlaces;
  readonly #counters = new Map<string, CounterQueue>();
  readonly #ready = new Set<CounterQueue>();
  readonly #longWaitMs: number;
  #isScheduled = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#rounds = new CommitRounds(options, (issue) => void this.#resolveAgain(issue));
    this.#places = new RoundPlaces(options.connectionMax);
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
      for (const [key, { isIdle }] of this.#counters) if (isIdle) this.#counters.delete(key);
    }
    const counter = new CounterQueue(address);
    this.#counters.set(address.key, counter);
    return counter;
  }

  #join(issue: PendingIssue): void {
    const counter = this.#counters.get(issue.resolved.key) ?? this.counter(issue.resolved);
    counter.join(issue);
    if (counter.isIdle) this.#begin(counter);
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
    if (locks && counter.wantsLock(lock === 'always', now())) {
      counter.startLocking();
      void this.#takeLock(counter);
      return;
    }
    this.#makeReady(counter);
  }

  async #takeLock(counter: CounterQueue): Promise<void> {
    const { floors, locks } = this.#options;
    counter.endLocking(await locks?.take(counter.lockKey.lock));
    // The last holder has left the counter's position in Redis.
    if (counter.lock) await floors.refresh([counter]);
    this.#makeReady(counter);
  }

  #makeReady(counter: CounterQueue): void {
    counter.becomeReady();
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

  /** Starts rounds for ready counters, first come, first served. */
  #dispatch(): void {
    const byWriters = new Map<string, { readonly writers: string[]; readonly counters: CounterQueue[] }>();
    for (const counter of this.#ready) {
      const { writers } = counter;
      const key = writers.join('\n');
      const group = byWriters.get(key);
      if (group) group.counters.push(counter);
      else byWriters.set(key, { writers, counters: [counter] });
    }
    for (const { writers, counters } of byWriters.values()) this.#dispatchAll(counters, writers);
  }

  #dispatchAll(counters: readonly CounterQueue[], writers: readonly string[]): void {
    const { batchMax } = this.#options;
    const stuck = counters.filter(({ row, mustSkip }) => row === 'stuck' && !mustSkip);
    for (const counter of stuck) this.#wait([counter], writers, this.#longWaitMs);
    const held = counters.filter(({ row, mustSkip }) => row === 'held' && !mustSkip).slice(0, batchMax);
    if (held.length > 0) this.#wait(held, writers, held.length > 1 ? SHORT_WAIT_MS : this.#longWaitMs);
    const free = counters.filter(({ row, mustSkip }) => row === 'free' || mustSkip);
    for (let at = 0; at < free.length; at += batchMax) {
      if (!this.#places.hasShared(writers)) return;
      const some = free.slice(at, at + batchMax);
      const isAlone = some.length === 1 && some[0]?.mustSkip === false;
      void this.#run(
        some,
        writers,
        isAlone && this.#places.hasWaiting(writers) ? this.#longWaitMs : undefined,
      );
    }
  }

  /** Waits for locked rows; without a place to wait, the counters pause and then join a round that skips them. */
  #wait(counters: readonly CounterQueue[], writers: readonly string[], rowWaitMs: number): void {
    if (this.#places.hasWaiting(writers)) void this.#run(counters, writers, rowWaitMs);
    else for (const counter of counters) this.#pause(counter, 'free');
  }

  /** Retries a locked row soon; with no connection left to wait (`free`), in a round that skips locked rows. */
  #pause(counter: CounterQueue, row: CounterQueue['row']): void {
    this.#ready.delete(counter);
    counter.startPause();
    setTimeout(() => {
      counter.endPause(row);
      this.#begin(counter);
    }, PAUSE_MS);
  }

  async #run(
    counters: readonly CounterQueue[],
    writers: readonly string[],
    rowWaitMs: number | undefined,
  ): Promise<void> {
    const isFirstFree = counters[0]?.row === 'free';
    for (const counter of counters) {
      this.#ready.delete(counter);
      counter.startDrawing();
    }
    const place = this.#places.take(writers, rowWaitMs !== undefined, counters.length === 1 && isFirstFree);
    const timer = setTimeout(() => {
      if (place.stopSharing()) this.#schedule();
    }, PAUSE_MS);
    await this.#rounds.run(counters, rowWaitMs);
    clearTimeout(timer);
    place.giveBack();
    for (const counter of counters) this.#afterRound(counter);
    this.#schedule();
  }

  #afterRound(counter: CounterQueue): void {
    // A lock is kept only while its row is waited for.
    if (counter.lock && (counter.isEmpty || counter.row === 'free')) this.#rounds.release(counter);
    counter.endDrawing();
    if (counter.isEmpty) return;
    if (counter.row === 'stuck') this.#pause(counter, 'stuck');
    else this.#begin(counter);
  }
}
