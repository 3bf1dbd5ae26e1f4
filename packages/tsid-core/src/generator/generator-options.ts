import type { TsidLayout } from '../codec/layout.js';
import type { NodeSource } from './node-source.js';

/** What to do when the sequence of a millisecond is spent. */
export type OverflowPolicy =
  /** Read the clock until it moves on. Blocks for under a millisecond. */
  | 'wait'
  /** Go on in the next millisecond at once, at most this far ahead of the clock, then wait. 1 … 60,000. */
  | { readonly borrowMaxMs: number };

/** What to do when the clock reads less than it did before. */
export type ClockBackPolicy =
  /** Throw ClockMovedBackwardsError until the clock has caught up. */
  | 'throw'
  /** Read the clock until it has caught up, if that is at most this far; else throw. Blocks. 1 … 1,000. */
  | { readonly waitMaxMs: number }
  /** Stay at the last time and count on, if the clock is at most this far behind; else throw. 1 … 3,600,000. */
  | { readonly holdMaxMs: number };

/** The end of the layout is less than five years away. */
export interface HorizonWarning {
  readonly layout: TsidLayout;
  readonly nowMs: number;
  readonly horizonMs: number;
}

/** The sequence of a millisecond was spent, and more IDs were asked for. */
export interface Overflow {
  /** That millisecond, Unix. */
  readonly timeMs: number;
  /** How many milliseconds were spent so far. */
  readonly overflowCount: number;
}

/** Hears what a generator meets. Called in the middle of minting: must be quick and must not throw. */
export interface TsidObserver {
  /** Once, within five years of the horizon. */
  horizonNear?(warning: HorizonWarning): void;
  /** Once for each millisecond, before the generator waits or borrows. */
  overflowed?(overflow: Overflow): void;
}

interface CommonOptions {
  /** Unix milliseconds; read for every ID. Default: `Date.now`, read once in 16 IDs of a synchronous run. */
  readonly now?: () => number;
  /** Default: `wait`. */
  readonly overflow?: OverflowPolicy;
  /** Default: `throw`. */
  readonly clockBack?: ClockBackPolicy;
  /**
   * Start a millisecond at a random sequence of the lower half, so that the next ID cannot be guessed from the time and
   * the low bits are even; at 0 after one whose sequence was spent, so that the full rate is reached. IDs of one
   * millisecond follow one another either way: an ID is no secret. False: always at 0. Default: true.
   */
  readonly randomStart?: boolean;
  /** A whole number of 0 … below - 1. Default: from `crypto.getRandomValues`. */
  readonly random?: (below: number) => number;
  /** One generator a node and namespace in a process. Default: the source's, or `default`. */
  readonly namespace?: string;
  readonly observer?: TsidObserver;
}

/** A node that the caller guarantees to be unique. */
export interface StaticNodeOptions extends CommonOptions {
  readonly node: number;
  /**
   * The caller guarantees that no other thread of this process has the node either: a thread cannot see the generators of
   * the others. Default: false, and a static node is refused in a worker. Threads that should mint on one node share a
   * generator, see `createSharedTsidGenerator`.
   */
  readonly allowOffMainThread?: boolean;
  readonly lease?: undefined;
  /** Default: TSID_42_10_12. */
  readonly layout?: TsidLayout;
}

/** A node that a lease grants, window by window. */
export interface LeasedNodeOptions extends CommonOptions {
  readonly lease: NodeSource;
  readonly node?: undefined;
  /** Only for clarity: must be the lease's layout when given. */
  readonly layout?: TsidLayout;
}

/** What {@link createTsidGenerator} takes: a node or a lease, and policies. */
export type TsidGeneratorOptions = StaticNodeOptions | LeasedNodeOptions;
