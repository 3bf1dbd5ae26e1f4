/*
 * The mint path.
 *
 * Authority: the window. A generator owns one node for the timestamps floor <= t < ceiling and for no others, and
 * windows on one node never overlap; so no two owners of a node can make the same (time, node, sequence), whatever any
 * clock says. A static node is a window without end. Only this class writes (timeMs, sequence), the last position
 * minted, and it only ever grows.
 *
 * Speed: reading the clock costs three times as much as all the rest. Calls that follow one another without a pause get
 * one reading for RUN_LENGTH of them; a microtask ends such a run, so no reading outlives the synchronous code it was made
 * in. An older reading makes an older ID, never a wrong one: it was inside the window when it was made, and windows are
 * timestamps. A clock that the caller passed in is read for every ID.
 *
 * An ID in the millisecond of the one before needs the same reading and `sequence < max` and nothing more. Everything else
 * is looked at once a millisecond in `advance`, in this order:
 *
 *   window taken away or replaced?   take the new one, throw NodeUnavailableError if there is none
 *   clock behind its last reading?   throw, wait for it, or hold: stay at the last time and count on
 *   clock beyond the last position?  begin its millisecond
 *   sequence left?                   count on
 *   sequence spent                   borrow the next millisecond if the bound allows it, else read the clock again
 *
 * A millisecond begins at a random sequence of the lower half, but at 0 after one that was spent: whoever needs all IDs of
 * a millisecond gets them from the second one on.
 *
 * `begin` compares the time with `limitMs`, the nearest of ceiling, horizon and the day of the horizon's warning. The
 * milliseconds below the floor of a window count as spent, and so do those minted on the node before: an ID of a smaller
 * node in the same millisecond would break the order.
 *
 * Failure: whatever is thrown, nothing was minted.
 */

import { writeCrockford } from '../codec/crockford.js';
import { DecimalWriter } from '../codec/decimal.js';
import { explain, range, type TsidParts, type TsidRange } from '../codec/explain.js';
import { joinHalves, wordsOf, writeRun } from '../codec/id-cell.js';
import { checkField, wholeFault } from '../codec/id-range.js';
import type { TsidLayout } from '../codec/layout.js';
import { baseHigh, baseLow } from '../codec/millisecond-base.js';
import {
  ClockMovedBackwardsError,
  HorizonPassedError,
  InvalidGeneratorOptionsError,
  NodeUnavailableError,
  type NodeUnavailableReason,
} from '../codec/tsid-error.js';
import { changedReading } from './changed-reading.js';
import type { TsidGeneratorOptions } from './generator-options.js';
import { type GeneratorRules, generatorRules } from './generator-rules.js';
import { occupyNode, vacateNode } from './node-registry.js';
import type { NodeWindow } from './node-source.js';
import { randomStart } from './secure-random.js';

/** Longest wait for the clock to reach the end of milliseconds that are already spent. */
const SPENT_WAIT_MAX_MS = 1_000;
const FIVE_YEARS_MS = 5 * 365.25 * 24 * 3_600_000;
/** IDs for one reading of the clock in a run of calls. */
const RUN_LENGTH = 16;
/** Equal readings in a row that show a run: a microtask for each single ID would cost more than its reading. */
const RUN_SHOWN_BY = 8;

/** Makes a generator: one per process and node, kept for the life of the process. */
export function createTsidGenerator(options: TsidGeneratorOptions): TsidGenerator {
  return new TsidGenerator(options);
}

/** Mints IDs that only go up. Made by {@link createTsidGenerator}. */
export class TsidGenerator {
  readonly layout: TsidLayout;
  readonly #rules: GeneratorRules;
  readonly #options: TsidGeneratorOptions;
  readonly #clock: () => number;
  readonly #decimal = new DecimalWriter();
  readonly #source: () => NodeWindow | NodeUnavailableReason;
  readonly #detach: () => void;
  readonly #sequenceMax: number;
  readonly #startsAtRandom: boolean;
  /** False for a clock that was passed in: its owner decides what it costs and expects that it is read. */
  readonly #sparesClock: boolean;
  readonly #endRun = (): void => {
    this.#unread = 0;
    this.#sameCount = 0;
    this.#isRun = false;
  };

  #window: NodeWindow | undefined;
  /** The node this generator is registered for, -1 for none. */
  #node = -1;
  #timeMs: number;
  #sequence: number;
  /** Both halves of the ID at timeMs and sequence 0, as signed 32-bit numbers. */
  #high = 0;
  #low = 0;
  /** The clock's reading at the last ID as it was given, NaN when the next ID must look at everything. */
  #seenMs = Number.NaN;
  /** IDs that the last reading is still good for. */
  #unread = 0;
  /** Equal readings in a row while no run is known. */
  #sameCount = 0;
  #isRun = false;
  #overflowCount = 0;
  /** The clock's highest reading at which an ID was minted. */
  #clockMs = Number.NEGATIVE_INFINITY;
  /** First time that must not simply be minted. */
  #limitMs = 0;
  #warned = false;
  #closed = false;

  /** @internal Use createTsidGenerator. */
  constructor(options: TsidGeneratorOptions) {
    this.#rules = generatorRules(options);
    this.#options = options;
    this.layout = this.#rules.layout;
    this.#clock = options.clock ?? (() => Date.now());
    this.#sparesClock = options.clock === undefined;
    this.#startsAtRandom = options.randomStart ?? true;
    this.#sequenceMax = this.layout.sequenceMax;
    this.#timeMs = this.layout.epochMs - 1;
    this.#sequence = this.#sequenceMax;
    const { lease, node = 0 } = options;
    const fixed = { node, floorMs: this.layout.epochMs, ceilingMs: this.layout.horizonMs };
    this.#source = () => lease?.window() ?? fixed;
    const windowChanged = () => this.#invalidate();
    const lastMintedMs = () => (this.#clockMs > 0 ? this.#timeMs : undefined);
    this.#detach = lease?.attach({ windowChanged, lastMintedMs }) ?? (() => {});
    try {
      if (typeof this.#source() !== 'string') this.#takeWindow();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** How many milliseconds had fewer IDs than were asked of them, so that a caller waited or borrowed from the next one. */
  get overflowCount(): number {
    return this.#overflowCount;
  }

  /** The next ID, greater than all before. */
  next(): bigint {
    this.#step();
    return joinHalves(this.#high, this.#low | this.#sequence);
  }

  /** The next ID as text: `decimal` for JSON and SQL, or `crockford`, 13 characters that sort. */
  nextString(form: 'decimal' | 'crockford' = 'decimal'): string {
    this.#step();
    const low = this.#low | this.#sequence;
    return form === 'crockford' ? writeCrockford(this.#high, low) : this.#decimal.write(this.#high, low);
  }

  /** The next `count` IDs, ascending. 0 … 1,000,000; waits like {@link next} when the rate is spent. */
  nextMany(count: number): bigint[] {
    const fault = wholeFault('count', count, [0, 1_000_000]);
    if (fault) throw new InvalidGeneratorOptionsError(fault);
    return [...this.fill(new BigUint64Array(count))];
  }

  /**
   * Fills the whole array with the next IDs, ascending, and returns it. Makes no bigint, so it is the fastest way. When
   * it throws, what it had written by then are IDs that nobody else has.
   */
  fill<Target extends BigUint64Array | BigInt64Array>(target: Target): Target {
    const words = wordsOf(target);
    for (let index = 0; index < words.length; ) {
      this.#step();
      const count = Math.min((words.length - index) / 2, this.#sequenceMax - this.#sequence + 1);
      index = writeRun(words, index, { count, high: this.#high, low: this.#low | this.#sequence });
      this.#sequence += count - 1;
    }
    return target;
  }

  /** {@link explain} in this generator's layout. */
  explain(id: bigint): TsidParts {
    return explain(id, this.layout);
  }

  /** {@link range} in this generator's layout. */
  range(from: Date | number, to: Date | number): TsidRange {
    return range(from, to, this.layout);
  }

  /** Ends minting and frees the node for another generator of this process. May be called twice. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#invalidate();
    this.#leaveNode();
    this.#detach();
  }

  #step(): void {
    if (this.#unread > 0 && this.#sequence < this.#sequenceMax) {
      this.#unread--;
      this.#sequence++;
      return;
    }
    const now = this.#clock();
    if (now === this.#seenMs && this.#sequence < this.#sequenceMax) {
      this.#sequence++;
      if (this.#isRun) this.#unread = RUN_LENGTH - 1;
      else if (this.#sparesClock) this.#lookForRun();
    } else this.#advance(now);
  }

  #lookForRun(): void {
    if (++this.#sameCount < RUN_SHOWN_BY) return;
    this.#isRun = true;
    queueMicrotask(this.#endRun);
  }

  #advance(firstReading: number): void {
    if (this.#window === undefined) this.#takeWindow();
    this.#sameCount = 0;
    const isSpent = this.#sequence === this.#sequenceMax && Math.floor(firstReading) <= this.#timeMs;
    if (isSpent) this.#overflowCount++;
    let reading = firstReading;
    while (!this.#moveOn(Math.floor(reading), isSpent)) reading = changedReading(this.#clock, reading);
    this.#seenMs = reading;
  }

  /** Moves to the next free position as of `now`; false when the clock must be read again first. */
  #moveOn(now: number, isSpent: boolean): boolean {
    if (!Number.isFinite(now)) throw new InvalidGeneratorOptionsError(`The clock reads ${now}.`);
    const behindMs = this.#clockMs - now;
    if (behindMs > this.#rules.behindMaxMs) throw new ClockMovedBackwardsError(this.#clockMs, now);
    const isBehind = behindMs > 0;
    if (isBehind && !this.#rules.holds) return false;
    const aheadMaxMs = isBehind ? this.#rules.behindMaxMs : this.#rules.borrowMaxMs;
    if (now > this.#timeMs) this.#begin(now, isSpent);
    else if (this.#sequence < this.#sequenceMax) this.#sequence++;
    else if (this.#timeMs + 1 - now <= aheadMaxMs) this.#begin(this.#timeMs + 1, isSpent);
    else if (!isBehind && this.#timeMs - now < SPENT_WAIT_MAX_MS) return false;
    else if (now < this.layout.epochMs) throw new HorizonPassedError(now, this.layout);
    else throw new ClockMovedBackwardsError(this.#timeMs, now);
    if (!isBehind) this.#clockMs = now;
    return true;
  }

  #begin(timeMs: number, isSpent: boolean): void {
    if (timeMs >= this.#limitMs) this.#passLimit(timeMs);
    const isAfterSpent = isSpent || (this.#sequence === this.#sequenceMax && timeMs === this.#timeMs + 1);
    const isRandom = this.#startsAtRandom && !isAfterSpent;
    const sequence = isRandom ? randomStart(this.#sequenceMax, this.#options.random) : 0;
    const elapsedMs = timeMs - this.layout.epochMs;
    this.#high = baseHigh(this.layout, elapsedMs);
    this.#low = baseLow(this.layout, elapsedMs, this.#node);
    this.#timeMs = timeMs;
    this.#sequence = sequence;
  }

  /** Refuses times beyond the horizon or the ceiling; lets the first one near the horizon pass with a warning. */
  #passLimit(timeMs: number): void {
    const { layout } = this;
    if (timeMs >= layout.horizonMs) throw new HorizonPassedError(timeMs, layout);
    const { ceilingMs = timeMs } = this.#window ?? {};
    if (timeMs >= ceilingMs) throw new NodeUnavailableError('ended');
    this.#warned = true;
    this.#limitMs = Math.min(layout.horizonMs, ceilingMs);
    this.#options.onHorizonNear?.({ layout, nowMs: timeMs, horizonMs: layout.horizonMs });
  }

  #takeWindow(): void {
    const window = this.#closed ? 'closed' : this.#source();
    if (typeof window === 'string') {
      this.#leaveNode();
      throw new NodeUnavailableError(window);
    }
    if (window.node !== this.#node) this.#enterNode(window.node);
    this.#spendBelow(window.floorMs);
    const { horizonMs } = this.layout;
    this.#limitMs = Math.min(window.ceilingMs, this.#warned ? horizonMs : horizonMs - FIVE_YEARS_MS);
    this.#window = window;
  }

  #enterNode(node: number): void {
    checkField('node', node, 0, this.layout.nodeMax);
    const floorMs = occupyNode(this.#rules.namespace, node);
    this.#leaveNode();
    this.#node = node;
    this.#spendBelow(Math.max(floorMs, this.#timeMs + 1));
  }

  #leaveNode(): void {
    if (this.#node >= 0) vacateNode(this.#rules.namespace, this.#node, this.#timeMs);
    this.#node = -1;
  }

  #spendBelow(floorMs: number): void {
    if (this.#timeMs >= floorMs) return;
    this.#timeMs = floorMs - 1;
    this.#sequence = this.#sequenceMax;
  }

  #invalidate(): void {
    this.#window = undefined;
    this.#seenMs = Number.NaN;
    this.#unread = 0;
  }
}
