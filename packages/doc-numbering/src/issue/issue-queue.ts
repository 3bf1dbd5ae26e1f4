import type { DrawnNumbers } from '../draw/draft.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress } from '../request/resolved-request.js';
import { CommitRounds, type RoundOptions } from './commit-round.js';
import { CounterQueue, type PendingIssue } from './counter-queue.js';
import { type RoundPlace, RoundPlaces } from './round-places.js';

export interface QueueOptions extends RoundOptions {
  readonly resolver: RequestResolver;
}

type QueuedRequest = Omit<PendingIssue, 'waitedMs' | 'arrivedMs' | 'origin' | 'settle' | 'fail'>;

/** Wait for the rows of several counters in one statement: one of them might be locked for long. */
const SHORT_WAIT_MS = 50;
/** Wait for one row, on a connection that nothing else needs. */
const LONG_WAIT_MS = 1000;
/** With fewer connections, a long wait would block those that others need. */
const FEW_CONNECTIONS = 4;
const PAUSE_MS = 20;
/** Pause between two looks for late requests, from the first deadline; at most, because an older request can join. */
const WATCH_MS = 50;
const WATCH_MAX_MS = 500;
/** Counters kept in memory; beyond that, all idle ones are dropped. */
const COUNTER_MAX = 50_000;

/**
 * How numbers are issued: callers wait in the process, and one commit round serves all that wait, across counters. This
 * is not a buffer: only requests that already wait share a commit, so numbers are gapless and in commit order.
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
 * So a row that is locked, or that another transaction is creating, delays only the requests that need it, and ties up
 * at most half of the connections. If none is left to wait, its counter pauses and then joins a shared round. A counter
 * whose row wait timed out is crowded: for a while, its Redis lock comes first, so that only one process waits for it.
 *
 * A writer's table that is locked delays only the counters that this writer is wanted for. Plain requests of such a
 * counter wait for the round that is running, then for their own: if its writer fails, they are drawn without it.
 *
 * What can go wrong, and what happens then:
 *   - version changed under the lock: retried, and the row lock alone keeps order for half a second.
 *   - rules changed: requests are resolved again. Counter below an issued number: COUNTER_REGRESSION, nothing drawn.
 *   - statement failed, connection lost, reply lost: commit-batch.ts.
 *   - a value that PostgreSQL or a writer refuses: the batch is halved until only the faulty request fails.
 *   - no number before a request's deadline: BUSY, also while rounds leave no place for one that would take it.
 */
export class IssueQueue {
  readonly #options: QueueOptions;
  readonly #rounds: CommitRounds;
  readonly #places: RoundPlaces;
  readonly #counters = new Map<string, CounterQueue>();
  readonly #ready = new Set<CounterQueue>();
  readonly #longWaitMs: number;
  #isScheduled = false;
  #watching: NodeJS.Timeout | undefined;

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
      for (const [key, { state }] of this.#counters) if (state.phase === 'idle') this.#counters.delete(key);
    }
    const counter = new CounterQueue(address);
    this.#counters.set(address.key, counter);
    return counter;
  }

  #join(issue: PendingIssue): void {
    const counter = this.counter(issue.resolved);
    counter.join(issue);
    if (counter.state.phase === 'idle') this.#begin(counter);
    else this.#watch();
  }

  /** Refuses late requests at the earliest deadline of all that wait: no round might be there in time to take them. */
  #watch(): void {
    if (this.#watching) return;
    let leftMs = Number.POSITIVE_INFINITY;
    for (const counter of this.#counters.values()) leftMs = Math.min(leftMs, counter.refuseLate());
    if (leftMs === Number.POSITIVE_INFINITY) return;
    const again = () => {
      this.#watching = undefined;
      this.#watch();
    };
    // Two timers and a turn: after a stall, the draw before them fails first, with the reason. Unref: an idle process may end.
    const soon = () => setTimeout(() => setImmediate(again), WATCH_MS).unref();
    this.#watching = setTimeout(soon, Math.min(leftMs, WATCH_MAX_MS)).unref();
  }

  async #resolveAgain(issue: PendingIssue): Promise<void> {
    const { deadline } = issue;
    try {
      issue.resolved = await this.#options.resolver.resolveAgain(issue.request, issue.resolved, { deadline });
      this.#join(issue);
    } catch (error) {
      issue.fail(error);
    }
  }

  /** Acquires its Redis lock first, if it needs one. */
  #begin(counter: CounterQueue): void {
    const { lock, locks, now } = this.#options;
    if (locks && counter.wantsLock(lock === 'always', now())) void this.#takeLock(counter);
    else this.#makeReady(counter);
  }

  async #takeLock(counter: CounterQueue): Promise<void> {
    const { floors, locks } = this.#options;
    counter.enter('locking');
    counter.endLocking(await locks?.take(counter.lockKey.lock));
    // The last holder has left the counter's position in Redis.
    if (counter.state.lock) await floors.refresh([counter]);
    this.#makeReady(counter);
  }

  #makeReady(counter: CounterQueue): void {
    counter.enter('ready');
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

  /** Starts rounds for ready counters, first come, first served; those that want the same writers share rounds. */
  #dispatch(): void {
    const byWriters = new Map<string, { readonly writers: string[]; readonly counters: CounterQueue[] }>();
    for (const counter of this.#ready) {
      const writers = counter.writers();
      const key = writers.join('\n');
      const group = byWriters.get(key);
      if (group) group.counters.push(counter);
      else byWriters.set(key, { writers, counters: [counter] });
    }
    for (const { writers, counters } of byWriters.values()) this.#startRounds(counters, writers);
  }

  #startRounds(counters: readonly CounterQueue[], writers: readonly string[]): void {
    const { batchMax } = this.#options;
    const free: CounterQueue[] = [];
    const held: CounterQueue[] = [];
    for (const counter of counters) {
      const { row, mustSkip } = counter.state;
      if (row === 'free' || mustSkip) free.push(counter);
      else if (row === 'held') held.push(counter);
      else this.#wait([counter], writers);
    }
    if (held.length > 0) this.#wait(held.slice(0, batchMax), writers);
    for (let at = 0; at < free.length; at += batchMax) {
      const some = free.slice(at, at + batchMax);
      const isAlone = some.length === 1 && some[0]?.state.mustSkip === false;
      const waitingPlace = isAlone ? this.#places.take('gathering', writers) : undefined;
      const place = waitingPlace ?? this.#places.take('skipping', writers);
      if (place) void this.#run(some, place, waitingPlace && this.#longWaitMs);
      else this.#watch();
    }
  }

  /** Waits for locked rows; without a place to wait, the counters pause and then join a round that skips them. */
  #wait(counters: readonly CounterQueue[], writers: readonly string[]): void {
    const place = this.#places.take('waiting', writers);
    if (place) void this.#run(counters, place, counters.length > 1 ? SHORT_WAIT_MS : this.#longWaitMs);
    else for (const counter of counters) this.#pause(counter, 'free');
  }

  /** Retries a locked row soon; with no connection left to wait (`free`), in a round that skips locked rows. */
  #pause(counter: CounterQueue, row: 'free' | 'stuck'): void {
    this.#ready.delete(counter);
    counter.enter('pausing');
    setTimeout(() => {
      counter.findRow(row);
      this.#begin(counter);
    }, PAUSE_MS);
  }

  async #run(
    counters: readonly CounterQueue[],
    place: RoundPlace,
    rowWaitMs: number | undefined,
  ): Promise<void> {
    for (const counter of counters) {
      this.#ready.delete(counter);
      counter.enter('drawing');
    }
    const timer = setTimeout(() => {
      if (place.stopSharing()) this.#schedule();
    }, PAUSE_MS);
    await this.#rounds.run(counters, rowWaitMs);
    clearTimeout(timer);
    place.giveBack();
    for (const counter of counters) {
      const { state, waiting } = counter;
      // A lock is kept only while its row is waited for.
      if (state.lock && (waiting.length === 0 || state.row === 'free')) this.#rounds.release(counter);
      counter.endDrawing();
      if (waiting.length === 0) continue;
      if (state.row === 'stuck') this.#pause(counter, 'stuck');
      else this.#begin(counter);
    }
    this.#schedule();
  }
}
