import type { TsidLayout } from '../codec/layout.js';
import type { NodeUnavailableReason } from '../codec/tsid-error.js';

/** A node and the timestamps that may be minted on it: floorMs <= time < ceilingMs, in Unix milliseconds. */
export interface NodeWindow {
  readonly node: number;
  readonly floorMs: number;
  readonly ceilingMs: number;
}

/** A generator, as seen by its node source. */
export interface NodeUser {
  /** The window was replaced, extended or revoked: read it again before the next ID. */
  windowChanged(): void;
  /** The highest timestamp minted, in Unix milliseconds, or undefined if there is none. */
  lastMintedMs(): number | undefined;
}

/**
 * Where a generator gets its node. `@solegate/tsid-core/node-lease` leases it from Redis; any other source works if the
 * windows of timestamps that it grants on one node never overlap.
 */
export interface NodeSource {
  readonly layout: TsidLayout;
  /** Nodes are unique within a namespace. Also the key in the process registry. */
  readonly namespace: string;
  /** How far borrowing may run ahead of the clock, in milliseconds. */
  readonly runAheadMaxMs: number;
  /** The current window, or why there is none. */
  window(): NodeWindow | Exclude<NodeUnavailableReason, 'CLOSED'>;
  /** Registers the only generator that mints in these windows. Returns a function that unregisters it. */
  attach(user: NodeUser): () => void;
}
