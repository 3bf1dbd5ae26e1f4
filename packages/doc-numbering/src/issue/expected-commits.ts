import type { HighWaterMarks } from '../redis/high-water-marks.js';
import { type CounterAddress, lockKey } from '../request/resolved-request.js';
import type { PublicCalls } from '../sql/public-calls.js';
import { findCounters } from './counter-floors.js';

/** Pause before the first look at a row; it doubles with each look, up to the longest. */
const LOOK_MS = 20;
const LOOK_MAX_MS = 1000;
/** Looks at one row: for half a minute and more. */
const LOOK_COUNT = 40;
/** Most rows in one statement. */
const PAGE = 1000;
/** Counters that are looked at; beyond that, those that were drawn from longest ago are dropped. */
const COUNTER_MAX = 10_000;

interface ExpectedCommit {
  readonly address: CounterAddress;
  readonly last: number;
  readonly looksLeft: number;
}

/**
 * Raises marks to what transactions commit that this process does not end itself, or whose COMMIT might get no reply: it looks
 * at the rows of their counters from a connection of its own, which sees what is committed and nothing else. A transaction
 * that commits later than its counter is looked at is marked by the next draw from the counter.
 */
export class ExpectedCommits {
  readonly #calls: PublicCalls;
  readonly #marks: HighWaterMarks;
  readonly #expected = new Map<string, ExpectedCommit>();
  #pauseMs = LOOK_MS;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param calls not closed before this */
  constructor(calls: PublicCalls, marks: HighWaterMarks) {
    this.#calls = calls;
    this.#marks = marks;
  }

  /** Called before the commit. @param last the number that the counter reaches with it */
  expect(address: CounterAddress, last: number): void {
    if (this.#isClosed) return;
    const { key } = address;
    const highest = Math.max(last, this.#expected.get(key)?.last ?? 0);
    this.#expected.delete(key);
    this.#expected.set(key, { address, last: highest, looksLeft: LOOK_COUNT });
    const [oldest = ''] = this.#expected.size > COUNTER_MAX ? this.#expected.keys() : [];
    this.#expected.delete(oldest);
    this.#pauseMs = LOOK_MS;
    this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS);
  }

  /** Looks once more at what is expected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#expected.size > 0) await this.#look();
  }

  async #look(): Promise<void> {
    const looked = [...this.#expected.values()].slice(0, PAGE);
    const addresses = looked.map(({ address }) => address);
    const found = await this.#calls
      .run((call) => findCounters(call.reading, addresses))
      // PostgreSQL does not reply: looked at again.
      .catch(() => []);
    const byKey = new Map(found.map((row) => [row.key, row]));
    for (const commit of looked) {
      const { address, last, looksLeft } = commit;
      const row = byKey.get(address.key);
      if (row) this.#marks.raise(lockKey(address).state, row);
      // Drawn from again meanwhile.
      if (this.#expected.get(address.key) !== commit) continue;
      this.#expected.delete(address.key);
      const isDone = (row && row.last >= last) || looksLeft === 1;
      if (!isDone) this.#expected.set(address.key, { ...commit, looksLeft: looksLeft - 1 });
    }
    const isNext = this.#expected.size > 0 && !this.#isClosed;
    this.#timer = isNext ? setTimeout(() => void this.#look(), this.#pauseMs) : undefined;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LOOK_MAX_MS);
  }
}
