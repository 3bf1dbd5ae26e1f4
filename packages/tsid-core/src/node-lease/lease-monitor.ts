import { NodesExhaustedError, type QuarantineReason } from './fleet/lease-error.js';

/** The events of a lease, published in order. */
export type NodeLeaseEvent =
  | {
      readonly kind: 'LEASED';
      readonly node: number;
      readonly floorMs: number;
      readonly ceilingMs: number;
    }
  | {
      readonly kind: 'RENEWED';
      readonly node: number;
      readonly ceilingMs: number;
      readonly latencyMs: number;
    }
  /** The window stays valid until its ceiling; the renewal is retried. */
  | {
      readonly kind: 'RENEWAL_FAILED';
      readonly node: number;
      readonly windowLeftMs: number;
      readonly cause: unknown;
    }
  /** This clock and that of the store now differ by more than skewMaxMs: minting ends with the window, see health(). */
  | { readonly kind: 'CLOCK_DIFFERENCE'; readonly differenceMs: number; readonly limitMs: number }
  /** The node was dropped; another one is being claimed. */
  | {
      readonly kind: 'LOST';
      readonly node: number;
      readonly reason: 'LOST' | 'ENDED';
      readonly detail: string;
    }
  /** Claiming another node failed; the claim is retried. */
  | { readonly kind: 'CLAIM_FAILED'; readonly retryInMs: number; readonly cause: unknown }
  /** The store may have lost leases; claims wait. */
  | { readonly kind: 'QUARANTINED'; readonly leftMs: number; readonly reason: QuarantineReason }
  | { readonly kind: 'RELEASED'; readonly node: number }
  /** Something an operator should change; minting continues. */
  | { readonly kind: 'WARNING'; readonly message: string };

/** The state of a lease, read without calling the store. Durations in milliseconds. */
export interface NodeLeaseHealth {
  /**
   * `HELD`: may mint. `CLOCK_DIFFERENCE`: held, but this clock and that of the store differ by more than skewMaxMs, so this
   * clock might not reach the window, or the store might not extend it. `WAITING`: lost or ended, another node is being
   * claimed. `RELEASED`: final. `DEVELOPMENT`: a random node that nothing guards.
   */
  readonly state: 'HELD' | 'CLOCK_DIFFERENCE' | 'WAITING' | 'RELEASED' | 'DEVELOPMENT';
  /** Whether IDs can be minted now. Also false while the clock is outside the window. */
  readonly healthy: boolean;
  readonly namespace: string;
  /** The current node; undefined while there is none. */
  readonly node: number | undefined;
  /** The holder's name, as other processes see it. */
  readonly holder: string;
  readonly floorMs: number | undefined;
  readonly ceilingMs: number | undefined;
  /** How much of the window is left: the longest outage of the store that minting would survive. */
  readonly windowLeftMs: number;
  /** How far the last ID is ahead of the clock; 0 when it is not. */
  readonly runAheadMs: number;
  /** This clock minus that of the store at the last reply: the part that the round trip cannot explain. */
  readonly clockDifferenceMs: number | undefined;
  /** How long the last renewal took. */
  readonly renewLatencyMs: number | undefined;
  /** Consecutive failed renewals. */
  readonly failedRenewalCount: number;
  /** How many nodes this process may be granted: those of its range. */
  readonly nodeCount: number;
  /** How many of them were free at the last reply of the store, or, of a part of all nodes in Redis, up to a second before. */
  readonly freeNodeCount: number | undefined;
  /** Message of the last failure; cleared by the next success. */
  readonly lastFailure: string | undefined;
}

type Measured = Pick<
  NodeLeaseHealth,
  | 'clockDifferenceMs'
  | 'renewLatencyMs'
  | 'failedRenewalCount'
  | 'nodeCount'
  | 'freeNodeCount'
  | 'lastFailure'
>;

/** Publishes the events of one lease and keeps the latest measurements. */
export class LeaseMonitor {
  readonly #nodeCount: number;
  readonly #skewMaxMs: number;
  readonly #listeners = new Set<(event: NodeLeaseEvent) => void>();
  #clockDifferenceMs: number | undefined;
  #renewLatencyMs: number | undefined;
  #freeNodeCount: number | undefined;
  #failedRenewalCount = 0;
  #lastFailure: string | undefined;

  constructor(nodeCount: number, skewMaxMs: number, listener: ((event: NodeLeaseEvent) => void) | undefined) {
    this.#nodeCount = nodeCount;
    this.#skewMaxMs = skewMaxMs;
    if (listener !== undefined) this.#listeners.add(listener);
  }

  /** Whether the clocks were too far apart at the last reply. */
  get clocksDiffer(): boolean {
    return Math.abs(this.#clockDifferenceMs ?? 0) > this.#skewMaxMs;
  }

  subscribe(listener: (event: NodeLeaseEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records a grant or renewal, with the number of live leases in the range. */
  succeeded(liveCount: number): void {
    this.#freeNodeCount = this.#nodeCount - liveCount;
    this.#failedRenewalCount = 0;
    this.#lastFailure = undefined;
  }

  /** Records the clock difference of a reply, and publishes an event when the clocks begin to differ. */
  compareClocks(differenceMs: number): void {
    const differedBefore = this.clocksDiffer;
    this.#clockDifferenceMs = differenceMs;
    if (!this.clocksDiffer || differedBefore) return;
    this.publish({ kind: 'CLOCK_DIFFERENCE', differenceMs, limitMs: this.#skewMaxMs });
  }

  /** Calls every listener. A listener that throws does not affect the lease. */
  publish(event: NodeLeaseEvent): void {
    if (event.kind === 'RENEWED') this.#renewLatencyMs = event.latencyMs;
    if (event.kind === 'RENEWAL_FAILED') this.#failedRenewalCount++;
    if ('cause' in event) {
      if (event.cause instanceof NodesExhaustedError) this.#freeNodeCount = 0;
      this.#lastFailure = event.cause instanceof Error ? event.cause.message : String(event.cause);
    }
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  measured(): Measured {
    return {
      clockDifferenceMs: this.#clockDifferenceMs,
      renewLatencyMs: this.#renewLatencyMs,
      failedRenewalCount: this.#failedRenewalCount,
      nodeCount: this.#nodeCount,
      freeNodeCount: this.#freeNodeCount,
      lastFailure: this.#lastFailure,
    };
  }
}

/**
 * Returns how far this clock is certainly ahead of (above 0) or behind a remote clock, which was read at some moment
 * between the request and the reply.
 */
export function clockDifference(askedMs: number, remoteMs: number, answeredMs: number): number {
  if (askedMs > remoteMs) return askedMs - remoteMs;
  return Math.min(0, answeredMs - remoteMs);
}
