import type { NodeUnavailableReason } from '../codec/tsid-error.js';
import type { LeasedNodeOptions, StaticNodeOptions } from '../generator/generator-options.js';
import { generatorRules } from '../generator/generator-rules.js';
import { occupyNode, vacateNode } from '../generator/node-registry.js';
import type { NodeWindow } from '../generator/node-source.js';
import { SHARED_BYTES } from './shared-cell.js';
import { type SharedClockBackPolicy, SharedTsidGenerator } from './shared-generator.js';

type Shareable = 'layout' | 'node' | 'lease' | 'namespace' | 'now';

/** Options of {@link createSharedTsidGenerator}: a node or a lease. Overflow always waits for the next millisecond. */
export type SharedTsidOptions = (
  | Pick<StaticNodeOptions, Shareable | 'allowOffMainThread'>
  | Pick<LeasedNodeOptions, Shareable>
) & {
  /** Default: `throw`. */
  readonly clockBack?: SharedClockBackPolicy;
};

/**
 * Creates a generator for several threads of this process. Send its `handle` to the others, which join through
 * `openSharedTsidGenerator`. This thread follows the lease, so do not block it for longer than a window.
 */
export function createSharedTsidGenerator(options: SharedTsidOptions): SharedTsidOwner {
  return new SharedTsidOwner(options);
}

/** The generator of the thread that owns the node. Created by {@link createSharedTsidGenerator}. */
export class SharedTsidOwner extends SharedTsidGenerator {
  readonly #namespace: string;
  readonly #detach: () => void;
  #node = -1;
  #floorMs = 0;

  /** @internal Use createSharedTsidGenerator. */
  constructor(options: SharedTsidOptions) {
    const { layout, namespace, behindMaxMs } = generatorRules(options);
    const buffer = new SharedArrayBuffer(SHARED_BYTES);
    super({ buffer, layout, waitMaxMs: behindMaxMs }, options.now ?? (() => Date.now()));
    this.#namespace = namespace;
    const { lease, node = 0 } = options;
    const { epochMs: floorMs, horizonMs: ceilingMs } = layout;
    const follow = () => this.#follow(lease?.window() ?? { node, floorMs, ceilingMs });
    const lastMintedMs = () => this.#lastMintedMs();
    this.#detach = lease?.attach({ windowChanged: follow, lastMintedMs }) ?? (() => {});
    try {
      follow();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Stops minting in all threads and frees the node. Idempotent. */
  close(): void {
    this.#leave('closed');
    this.#detach();
  }

  /** Publishes the current window to the threads. A different node or floor closes the position first. */
  #follow(window: NodeWindow | NodeUnavailableReason): void {
    if (typeof window === 'string') {
      this.#leave(window);
      return;
    }
    const { node, floorMs, ceilingMs } = window;
    const isSame = node === this.#node && floorMs === this.#floorMs;
    let freeFromMs = floorMs;
    if (!isSame) {
      this.#leave('lost');
      freeFromMs = Math.max(floorMs, occupyNode(this.#namespace, node));
      this.#node = node;
      this.#floorMs = floorMs;
    }
    this.cell.publish(node, ceilingMs);
    if (isSame) return;
    // Milliseconds below the window count as exhausted, and so does the last one minted on another node.
    const spentMs = Math.max(freeFromMs - 1, this.#lastMintedMs());
    this.cell.openAbove(Math.max(0, spentMs - this.handle.layout.epochMs));
  }

  #leave(reason: NodeUnavailableReason): void {
    this.cell.close(reason);
    if (this.#node >= 0) vacateNode(this.#namespace, this.#node, this.#lastMintedMs());
    this.#node = -1;
  }

  /** Across all threads, since they share the position. */
  #lastMintedMs(): number {
    this.cell.read();
    return this.cell.elapsedMs + this.handle.layout.epochMs;
  }
}
