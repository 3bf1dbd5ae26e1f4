import { joinHalves, wordsOf, writeRun } from '../codec/id-cell.js';
import type { TsidLayout } from '../codec/layout.js';
import { baseHigh, baseLow } from '../codec/millisecond-base.js';
import {
  ClockMovedBackwardsError,
  ClockStalledError,
  HorizonPassedError,
  NodeUnavailableError,
} from '../codec/tsid-error.js';
import type { ClockBackPolicy } from '../generator/generator-options.js';
import { SharedCell } from './shared-cell.js';

/** A clock with this many equal consecutive readings, over 50 ms of reading, counts as stalled. */
const SAME_READS_MAX = 500_000;

/** What a thread needs to join a shared generator. Send it by `workerData` or `postMessage`. */
export interface SharedTsidHandle {
  readonly buffer: SharedArrayBuffer;
  readonly layout: TsidLayout;
  /** How far the clock may be behind before minting throws instead of waiting. */
  readonly waitMaxMs: number;
}

/** Clock-back policies of a shared generator. Holding needs more state than threads can share in one word. */
export type SharedClockBackPolicy = Exclude<ClockBackPolicy, { readonly holdMaxMs: number }>;

/** Joins a generator that another thread owns. Any number of threads can join. */
export function openSharedTsidGenerator(
  handle: SharedTsidHandle,
  options: { readonly now?: () => number } = {},
): SharedTsidGenerator {
  return new SharedTsidGenerator(handle, options.now ?? (() => Date.now()));
}

/**
 * Mints on one node together with other threads. Each thread's IDs ascend, and no two threads get the same ID. When
 * the sequence of a millisecond is exhausted, it waits for the next millisecond.
 */
export class SharedTsidGenerator {
  readonly handle: SharedTsidHandle;
  protected readonly cell: SharedCell;
  readonly #now: () => number;
  #overflowCount = 0;
  /** Both halves of the first reserved ID. */
  #high = 0;
  #low = 0;

  /** @internal Use openSharedTsidGenerator. */
  constructor(handle: SharedTsidHandle, now: () => number) {
    this.handle = handle;
    this.#now = now;
    this.cell = new SharedCell(handle.layout.sequenceBits, handle.buffer);
  }

  /** How many times this thread found a millisecond exhausted and waited for the next one. */
  get overflowCount(): number {
    return this.#overflowCount;
  }

  /** Returns the next ID. */
  next(): bigint {
    this.#reserve(1);
    return joinHalves(this.#high, this.#low);
  }

  /** Fills the whole array with IDs, ascending, and returns it. Reserves a millisecond's worth at a time. */
  fill<Target extends BigUint64Array | BigInt64Array>(target: Target): Target {
    const words = wordsOf(target);
    for (let index = 0; index < words.length; ) {
      const count = this.#reserve((words.length - index) / 2);
      index = writeRun(words, index, { count, high: this.#high, low: this.#low });
    }
    return target;
  }

  /** Reserves up to `wanted` consecutive IDs, puts the first into high and low, and returns how many it reserved. */
  #reserve(wanted: number): number {
    const { cell } = this;
    const { layout, waitMaxMs } = this.handle;
    const { epochMs, horizonMs, sequenceMax } = layout;
    for (let seenMs = 0, sameCount = 0, spentMs = 0; ; ) {
      if (!cell.read()) throw new NodeUnavailableError(cell.reason);
      // The clock is read after the position, so a smaller reading means that it really moved backwards.
      const now = Math.floor(this.#now());
      const elapsedMs = now - epochMs;
      const behindMs = cell.elapsedMs - elapsedMs;
      if (behindMs > waitMaxMs) throw new ClockMovedBackwardsError(now + behindMs, now);
      if (now >= horizonMs) throw new HorizonPassedError(now, layout);
      if (now >= cell.ceilingMs) throw new NodeUnavailableError('ended');
      const sequence = behindMs < 0 ? 0 : cell.sequence + 1;
      const count = Math.min(wanted, sequenceMax - sequence + 1);
      if (behindMs <= 0 && count > 0 && cell.move(elapsedMs, sequence + count - 1)) {
        this.#high = baseHigh(layout, elapsedMs);
        this.#low = baseLow(layout, elapsedMs, cell.node) | sequence;
        return count;
      }
      if (behindMs === 0 && count === 0 && now !== spentMs) {
        spentMs = now;
        this.#overflowCount++;
      }
      sameCount = now === seenMs ? sameCount + 1 : 0;
      seenMs = now;
      if (sameCount > SAME_READS_MAX) throw new ClockStalledError(now, sameCount);
    }
  }
}
