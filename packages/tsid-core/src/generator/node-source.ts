import type { TsidLayout } from '../codec/layout.js';
import type { NodeUnavailableReason } from '../codec/tsid-error.js';

/** A node and the timestamps that may be minted on it: floorMs <= time < ceilingMs, in Unix milliseconds. */
export interface NodeWindow {
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
}

/** The generator as its source of nodes sees it. */
export interface NodeUser {
  /** The window was replaced, extended or taken away: read it again before the next ID. */
  windowChanged(): void;
  /** Highest timestamp minted so far in Unix milliseconds, or undefined while there is none. */
  lastMintedMs(): number | undefined;
}

/**
 * Where a generator gets its node from. `@solegate/tsid-core/node-lease` leases it from Redis; anything else that
 * grants windows of timestamps which never overlap on one node will do.
 */
export interface NodeSource {
  readonly layout: TsidLayout;
  /** Nodes are unique within a namespace; the process registry uses it. */
  readonly namespace: string;
  /** How far IDs may run ahead of the clock by borrowing, in milliseconds. */
  readonly runAheadMaxMs: number;
  /** The window in force, or why there is none. */
  window(): NodeWindow | Exclude<NodeUnavailableReason, 'closed'>;
  /** Registers the one generator that mints in these windows. Returns the function that unregisters it. */
  attach(user: NodeUser): () => void;
}
