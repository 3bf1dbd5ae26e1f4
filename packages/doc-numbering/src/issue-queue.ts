import { CounterLine } from './counter-line.js';
import type { FlightOptions } from './issue-flight.js';
import { IssueFlight } from './issue-flight.js';
import { counterKey } from './open-counters.js';
import type { DrawnNumbers, PendingIssue } from './pending-issue.js';
import type { CounterAddress } from './resolved-request.js';

/**
 * How numbers are issued: callers queue in the process, and one flight serves everyone who waits, across counters.
 *
 * Who decides. PostgreSQL: one statement raises the counters and writes the ledger (draw-statement.ts), and its unique
 * keys and triggers hold even against this code. The Redis lock only keeps other processes from crowding the rows; a
 * holder whose lock has ended is stopped by the version check.
 *
 * A flight (issue-flight.ts), in order:
 *   1. the lines (one a counter) that are ready, first come first served, all of one writer or of none;
 *   2. rows of counters that are new to this process are found or created;
 *   3. one Redis call takes their free locks and queues for the busy ones, which are waited for; a line whose lock has
 *      not come after 60 ms leaves the flight and comes back with the hand-over, or without a lock after 100 ms;
 *   4. everybody who waits in these lines *now* is drawn for, in one statement and one commit;
 *   5. locks are given back with where the counters stand, and callers are answered in order of arrival.
 *
 * What can go wrong, and what then:
 *   - version moved: once again at once from where the counter stands. Moved again under a living lock: somebody works
 *     without Redis, so for half a second the row keeps order under the lock, which cannot conflict. Under an ended
 *     lock: pauses of up to 200, 400 and 800 ms, then the row as well.
 *   - rules changed: the requests are resolved again. Counter below what was issued: COUNTER_REGRESSION, nothing drawn.
 *   - statement failed, connection lost, reply lost: commit-batch.ts.
 *   - a value that PostgreSQL refuses: each request of the batch is drawn alone, and only the guilty one fails.
 *
 * This is no buffer. Only requests that wait already share a commit, so numbers are gapless and in order of commit.
 */
export class IssueQueue {
  readonly #options: FlightOptions;
  readonly #lines = new Map<string, CounterLine>();
  readonly #ready = new Set<CounterLine>();
  #flightCount = 0;
  #isScheduled = false;

  constructor(options: FlightOptions) {
    this.#options = options;
  }

  /** Numbers for one request. @throws NumberingError */
  issue({ resolved, facts, count, attached, resolveAgain }: QueuedRequest): Promise<DrawnNumbers> {
    const arrivedMs = this.#options.now();
    return new Promise((settle, fail) => {
      this.#join({ resolved, facts, count, attached, resolveAgain, arrivedMs, settle, fail });
    });
  }

  /** What this process knows of a counter. */
  line(address: CounterAddress): CounterLine {
    const key = counterKey(address);
    const known = this.#lines.get(key);
    if (known) return known;
    if (this.#lines.size >= lineMax) this.#forgetIdleLines();
    const line = new CounterLine(address, key);
    this.#lines.set(key, line);
    return line;
  }

  #join(issue: PendingIssue): void {
    const line = this.line(issue.resolved);
    line.waiting.push(issue);
    if (line.state === 'idle') this.#makeReady(line);
  }

  async #resolveAgain(issue: PendingIssue): Promise<void> {
    try {
      issue.resolved = await issue.resolveAgain();
      this.#join(issue);
    } catch (error) {
      issue.fail(error);
    }
  }

  #makeReady(line: CounterLine): void {
    line.state = 'ready';
    this.#ready.add(line);
    this.#schedule();
  }

  /** Behind everything that can run now: requests of one turn of the event loop share a flight. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#flightCount < flightMax && this.#ready.size > 0) {
      const [first] = this.#ready;
      const writer = first?.waiting[0]?.attached?.writer;
      // Lines that hold their lock already never wait with lines that ask for theirs.
      const hasPass = first?.pass !== undefined;
      const lines = [...this.#ready].filter(
        (line) => line.waiting[0]?.attached?.writer === writer && (line.pass !== undefined) === hasPass,
      );
      for (const line of lines.slice(0, this.#options.batchMax)) {
        this.#ready.delete(line);
        line.state = 'flying';
      }
      void this.#fly(lines.slice(0, this.#options.batchMax), writer);
    }
  }

  async #fly(lines: readonly CounterLine[], writer: string | undefined): Promise<void> {
    this.#flightCount += 1;
    const flight = new IssueFlight(this.#options, {
      writer,
      comeBack: (line) => this.#makeReady(line),
      resolveAgain: (issue) => void this.#resolveAgain(issue),
    });
    const landing = await flight.run(lines);
    this.#flightCount -= 1;
    for (const line of landing) this.#land(line);
    this.#schedule();
  }

  #land(line: CounterLine): void {
    line.state = 'idle';
    if (line.waiting.length > 0) this.#makeReady(line);
  }

  #forgetIdleLines(): void {
    for (const [key, line] of this.#lines) {
      if (line.state === 'idle') this.#lines.delete(key);
    }
  }
}

/** What a request brings to the queue. */
export type QueuedRequest = Omit<PendingIssue, 'arrivedMs' | 'settle' | 'fail'>;

/** Two: while PostgreSQL works for one, the other is prepared or answered. */
const flightMax = 2;

/** Counters remembered; beyond that, all that nobody waits for are forgotten. */
const lineMax = 50_000;
