/*
 * The mint path. Authority: the window. A generator owns one node for the timestamps floor <= t < ceiling only, and
 * windows on one node never overlap, so no two owners of a node mint the same (time, node, sequence), whatever any clock
 * reads. A static node is a window without end. (timeMs, sequence), the last position minted, only ever grows. A step
 * that throws has minted nothing. An ID in the same millisecond as the previous one needs only the same clock reading
 * (clock-reader.ts decides when to read again) and `sequence < max`. All else is checked once a millisecond, in `advance`:
 *
 *   window revoked or replaced?      use the new one, or throw NodeUnavailableError if there is none
 *   clock behind its last reading?   throw, wait for it, or hold: keep the last time and continue its sequence
 *   clock beyond the last position?  begin its millisecond
 *   sequence left?                   use the next one
 *   sequence exhausted               borrow the next millisecond if the bound allows it, else read the clock again
 *
 * A millisecond starts at a random sequence in the lower half, or at 0 after an exhausted one, so a sustained burst
 * gets all IDs of a millisecond from the second one on. Milliseconds below the floor of a window count as exhausted,
 * and so do those minted on a previous node: an ID of a smaller node in the same millisecond would break the order.
 */
import { writeCrockford } from '../codec/crockford.js';
import { DecimalWriter } from '../codec/decimal.js';
import { explain, range, type TsidParts, type TsidRange } from '../codec/explain.js';
import { joinHalves, wordsOf, writeRun } from '../codec/id-cell.js';
import { checkField } from '../codec/id-range.js';
import type { TsidLayout } from '../codec/layout.js';
import { baseHigh, baseLow } from '../codec/millisecond-base.js';
import {
  ClockMovedBackwardsError,
  HorizonPassedError,
  InvalidGeneratorOptionsError,
  NodeUnavailableError,
  type NodeUnavailableReason,
} from '../codec/tsid-error.js';
import { ClockReader } from './clock-reader.js';
import type { TsidGeneratorOptions } from './generator-options.js';
import { checkOption, type GeneratorRules, generatorRules } from './generator-rules.js';
import { GuardedObserver } from './guarded-observer.js';
import { MintLimit } from './mint-limit.js';
import { RegisteredNode } from './node-registry.js';
import type { NodeWindow } from './node-source.js';
import { randomStart } from './secure-random.js';

/** Longest wait for the clock to pass milliseconds that are already exhausted. */
const SPENT_WAIT_MAX_MS = 1_000;

/** Creates a generator. Use one per process and node, and keep it for the life of the process. */
export function createTsidGenerator(options: TsidGeneratorOptions): TsidGenerator {
  return new TsidGenerator(options);
}

/** Mints IDs in strictly ascending order. */
export class TsidGenerator implements AsyncDisposable {
  readonly layout: TsidLayout;
  readonly #rules: GeneratorRules;
  readonly #options: TsidGeneratorOptions;
  readonly #clock: ClockReader;
  readonly #limit: MintLimit;
  readonly #observer: GuardedObserver;
  readonly #decimal = new DecimalWriter();
  readonly #source: () => NodeWindow | NodeUnavailableReason;
  readonly #detach: () => void;
  readonly #sequenceMax: number;
  readonly #registered: RegisteredNode;

  #window: NodeWindow | undefined;
  #timeMs: number;
  #sequence: number;
  /** Both halves of the ID at timeMs and sequence 0, as signed 32-bit numbers. */
  #high = 0;
  #low = 0;
  /** The unrounded clock reading at the last ID, or NaN when the next ID must run all checks. */
  #seenMs = Number.NaN;
  #overflowCount = 0;
  /** The highest clock reading at which an ID was minted. */
  #clockMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @internal Use createTsidGenerator. */
  constructor(options: TsidGeneratorOptions) {
    this.#rules = generatorRules(options);
    this.#options = options;
    this.layout = this.#rules.layout;
    this.#clock = new ClockReader(options.now);
    this.#observer = new GuardedObserver(options.observer);
    this.#limit = new MintLimit(this.layout, this.#observer);
    this.#sequenceMax = this.layout.sequenceMax;
    this.#timeMs = this.layout.epochMs - 1;
    this.#sequence = this.#sequenceMax;
    this.#registered = new RegisteredNode(this.#rules.namespace, this.#rules.kind);
    const { lease, node = 0, startAfterMs = this.#timeMs } = options;
    const always = { node, floorMs: startAfterMs + 1, ceilingMs: this.layout.horizonMs };
    this.#source = () => lease?.window() ?? always;
    const lastMintedMs = () => (this.#clockMs > 0 ? this.#timeMs : undefined);
    this.#detach = lease?.attach({ windowChanged: () => this.#invalidate(), lastMintedMs }) ?? (() => {});
    try {
      if (typeof this.#source() !== 'string') this.#takeWindow();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** How many milliseconds ran out of IDs, so that a caller waited or borrowed from the next one. */
  get overflowCount(): number {
    return this.#overflowCount;
  }

  /** Returns the next ID, greater than all before it. */
  next(): bigint {
    this.#step();
    return joinHalves(this.#high, this.#low | this.#sequence);
  }

  /** Returns the next ID as a safe integer. @throws InvalidGeneratorOptionsError if the layout has more than 53 bits. */
  nextNumber(): number {
    if (this.layout.bits > 53)
      throw new InvalidGeneratorOptionsError(`${this.layout.name} exceeds 53 bits: use TSID_53.`);
    this.#step();
    return (this.#high >>> 0) * 2 ** 32 + ((this.#low | this.#sequence) >>> 0);
  }

  /** Returns the next ID as text: `decimal` for JSON and SQL, or `crockford`, 13 characters that sort. */
  nextString(form: 'decimal' | 'crockford' = 'decimal'): string {
    if (form !== 'decimal' && form !== 'crockford')
      throw new InvalidGeneratorOptionsError(`form is ${form}: use decimal or crockford.`);
    this.#step();
    const low = this.#low | this.#sequence;
    return form === 'crockford' ? writeCrockford(this.#high, low) : this.#decimal.write(this.#high, low);
  }

  /** Returns the next `count` IDs, 0 … 1,000,000, ascending. Waits like {@link next} when the rate is exhausted. */
  nextMany(count: number): bigint[] {
    checkOption('count', count, [0, 1_000_000]);
    return [...this.fill(new BigUint64Array(count))];
  }

  /** Fills the array with the next IDs, ascending, and returns it. The fastest method. After a throw, all written are unique. */
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

  /** Stops minting and frees the node for another generator of this process. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#invalidate();
    this.#registered.leave(this.#timeMs);
    this.#detach();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #step(): void {
    const clock = this.#clock;
    if (clock.unread > 0 && this.#sequence < this.#sequenceMax) {
      clock.unread--;
      this.#sequence++;
    } else {
      const now = clock.read();
      if (now === this.#seenMs && this.#sequence < this.#sequenceMax) {
        this.#sequence++;
        clock.readSame();
      } else this.#advance(now);
    }
  }

  #advance(firstReading: number): void {
    this.#observer.refuseMinting();
    if (this.#window === undefined) this.#takeWindow();
    this.#clock.readOther();
    const isSpent = this.#sequence === this.#sequenceMax && Math.floor(firstReading) <= this.#timeMs;
    if (isSpent) this.#observer.overflowed({ timeMs: this.#timeMs, overflowCount: ++this.#overflowCount });
    let reading = firstReading;
    while (!this.#moveOn(Math.floor(reading), isSpent)) reading = this.#clock.readUntilOther(reading);
    this.#seenMs = reading;
  }

  /** Advances to the next free position as of `now`. Returns false if the clock must be read again first. */
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
    if (timeMs >= this.#limit.ms) this.#limit.pass(timeMs);
    const { randomStart: isWanted = true, random } = this.#options;
    const isAfterSpent = isSpent || (this.#sequence === this.#sequenceMax && timeMs === this.#timeMs + 1);
    this.#sequence = isWanted && !isAfterSpent ? randomStart(this.#sequenceMax, random) : 0;
    const elapsedMs = timeMs - this.layout.epochMs;
    this.#high = baseHigh(this.layout, elapsedMs);
    this.#low = baseLow(this.layout, elapsedMs, this.#registered.node);
    this.#timeMs = timeMs;
  }

  #takeWindow(): void {
    const window = this.#closed ? 'CLOSED' : this.#source();
    if (typeof window === 'string') throw new NodeUnavailableError(window);
    if (window.node !== this.#registered.node) {
      checkField('node', window.node, 0, this.layout.nodeMax);
      const floorMs = this.#registered.enter(window.node, this.#timeMs);
      this.#spendBelow(Math.max(floorMs, this.#timeMs + 1));
    }
    this.#spendBelow(window.floorMs);
    this.#limit.setCeiling(window.ceilingMs);
    this.#window = window;
  }

  #spendBelow(floorMs: number): void {
    if (this.#timeMs < floorMs) [this.#timeMs, this.#sequence] = [floorMs - 1, this.#sequenceMax];
  }

  #invalidate(): void {
    // At once: another lease of this process may be granted the node before this generator mints again.
    if (typeof this.#source() === 'string') this.#registered.leave(this.#timeMs);
    this.#window = undefined;
    this.#seenMs = Number.NaN;
    this.#clock.unread = 0;
  }
}
