import type { TsidLayout } from '../codec/layout.js';
import type { NodeSource } from './node-source.js';

/** What to do when the sequence of a millisecond is exhausted. */
export type OverflowPolicy =
  /** Read the clock until it advances. Blocks for under a millisecond. */
  | 'wait'
  /** Continue in the next millisecond immediately, at most this far ahead of the clock, then wait. 1 … 60,000. */
  | { readonly borrowMaxMs: number };

/** What to do when the clock moves backwards. */
export type ClockBackPolicy =
  /** Throw ClockMovedBackwardsError until the clock has caught up. */
  | 'throw'
  /** Read the clock until it has caught up, if it is at most this far behind; else throw. Blocks. 1 … 1,000. */
  | { readonly waitMaxMs: number }
  /** Keep the last time and continue its sequence, if at most this far behind; else throw. 1 … 3,600,000. */
  | { readonly holdMaxMs: number };

/** The layout's horizon is less than five years away. */
export interface HorizonWarning {
  readonly layout: TsidLayout;
  readonly nowMs: number;
  readonly horizonMs: number;
}

/** The sequence of a millisecond was exhausted while more IDs were requested. */
export interface Overflow {
  /** The exhausted millisecond, Unix. */
  readonly timeMs: number;
  /** How many milliseconds this generator has exhausted. */
  readonly overflowCount: number;
}

/** Callbacks of a generator. Called in the middle of minting: they must be quick, must not mint and must not throw. */
export interface TsidObserver {
  /** Called once, within five years of the horizon. */
  horizonNear?(warning: HorizonWarning): void;
  /** Called once per exhausted millisecond, before the generator waits or borrows. */
  overflowed?(overflow: Overflow): void;
}

interface CommonOptions {
  /** Unix milliseconds; called for every ID. Default: `Date.now`, read once per 16 IDs of a synchronous run. */
  readonly now?: () => number;
  /** Default: `wait`. */
  readonly overflow?: OverflowPolicy;
  /** Default: `throw`. */
  readonly clockBack?: ClockBackPolicy;
  /**
   * Start a millisecond at a random sequence in the lower half, so that the next ID cannot be guessed from the time and
   * the low bits are evenly spread. After an exhausted millisecond start at 0, to reach the full rate. IDs of one
   * millisecond are consecutive either way: an ID is not a secret. False: always at 0. Default: true.
   */
  readonly randomStart?: boolean;
  /** Returns a whole number from 0 to below - 1. Default: from `crypto.getRandomValues`. */
  readonly random?: (below: number) => number;
  /**
   * A process can have one generator per node and namespace. A static node without a namespace excludes leased ones in the
   * same process, which could get the same node. Default: the lease's namespace, or `default`.
   */
  readonly namespace?: string;
  readonly observer?: TsidObserver;
}

/** A node that the caller guarantees to be unique. */
export interface StaticNodeOptions extends CommonOptions {
  readonly node: number;
  /**
   * The caller guarantees that no other thread of this process has the node, since threads cannot see each other's
   * generators. Default: false, and a static node is rejected in a worker: let each thread lease its own.
   */
  readonly allowOffMainThread?: boolean;
  /**
   * The time of the last ID that any process minted on this node, Unix milliseconds, for example
   * `explain(lastId).timeMs`: all IDs of this generator are later. Until the clock is past it, `next()` waits for up to a
   * second, then throws ClockMovedBackwardsError. Required for borrowing, which can end a process ahead of the clock.
   * Default: none, so a clock that was set back between two processes leads to equal IDs.
   */
  readonly startAfterMs?: number;
  readonly lease?: undefined;
  /** Default: TSID_42_10_12. */
  readonly layout?: TsidLayout;
}

/** A node granted by a lease, window by window. */
export interface LeasedNodeOptions extends CommonOptions {
  readonly lease: NodeSource;
  readonly node?: undefined;
  readonly startAfterMs?: undefined;
  /** Optional, for clarity: must equal the lease's layout. */
  readonly layout?: TsidLayout;
}

/** Options of {@link createTsidGenerator}: a node or a lease, and policies. */
export type TsidGeneratorOptions = StaticNodeOptions | LeasedNodeOptions;
