import type { QuarantineReason } from './fleet/lease-error.js';

/** What happens to a lease, in the order in which it happens. */
export type NodeLeaseEvent =
  | {
      readonly kind: 'leased';
      readonly node: number;
      readonly floorMs: number;
      readonly ceilingMs: number;
    }
  | {
      readonly kind: 'renewed';
      readonly node: number;
      readonly ceilingMs: number;
      readonly latencyMs: number;
    }
  /** The window stays in force until its ceiling; renewing is tried again. */
  | {
      readonly kind: 'renewalFailed';
      readonly node: number;
      readonly windowLeftMs: number;
      readonly cause: unknown;
    }
  /** This clock and that of Redis began to differ by more than skewMaxMs: minting ends with the window, see health(). */
  | { readonly kind: 'clockDifference'; readonly differenceMs: number; readonly limitMs: number }
  /** The node was dropped; another one is being claimed. */
  | {
      readonly kind: 'lost';
      readonly node: number;
      readonly reason: 'lost' | 'ended';
      readonly detail: string;
    }
  /** Claiming another node failed; it is tried again. */
  | { readonly kind: 'claimFailed'; readonly retryInMs: number; readonly cause: unknown }
  /** Redis may have forgotten leases; claims wait. */
  | { readonly kind: 'quarantined'; readonly leftMs: number; readonly reason: QuarantineReason }
  | { readonly kind: 'released'; readonly node: number }
  /** Something an operator should change; minting goes on. */
  | { readonly kind: 'warning'; readonly message: string };

/** The lease at one moment, made without asking Redis. Durations in milliseconds. */
export interface NodeLeaseHealth {
  /**
   * `held`: may mint. `clockDifference`: held, but this clock and that of Redis differ by more than skewMaxMs, so the
   * window may not be reached or not be extended. `waiting`: lost or ended, another node is being claimed. `released`:
   * final. `development`: a random node that nothing guards.
   */
  readonly state: 'held' | 'clockDifference' | 'waiting' | 'released' | 'development';
  /** May IDs be minted now? False also while the clock is outside the window. */
  readonly healthy: boolean;
  readonly namespace: string;
  /** The node in force; undefined while there is none. */
  readonly node: number | undefined;
  /** Who holds it, as other processes see it. */
  readonly holder: string;
  readonly floorMs: number | undefined;
  readonly ceilingMs: number | undefined;
  /** How long the window still reaches beyond the clock: the Redis outage that would be survived. */
  readonly windowLeftMs: number;
  /** How far the last ID is ahead of the clock; 0 when it is not. */
  readonly runAheadMs: number;
  /** This clock minus the clock of Redis at the last answer, as far as the way of the answer leaves no doubt. */
  readonly clockDifferenceMs: number | undefined;
  /** How long the last renewal took. */
  readonly renewLatencyMs: number | undefined;
  /** Renewals in a row that failed. */
  readonly failedRenewalCount: number;
  /** Nodes nobody held at the last answer of Redis. */
  readonly freeNodeCount: number | undefined;
  /** Message of the last failure, until something succeeds. */
  readonly lastFailure: string | undefined;
}

type Measured = Pick<
  NodeLeaseHealth,
  'clockDifferenceMs' | 'renewLatencyMs' | 'failedRenewalCount' | 'freeNodeCount' | 'lastFailure'
>;

/** Publishes the events of one lease and keeps what was measured last. */
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

  /** Were the clocks too far apart at the last answer? */
  get clocksDiffer(): boolean {
    return Math.abs(this.#clockDifferenceMs ?? 0) > this.#skewMaxMs;
  }

  subscribe(listener: (event: NodeLeaseEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Redis granted or renewed, with this many leases alive. */
  succeeded(liveCount: number): void {
    this.#freeNodeCount = this.#nodeCount - liveCount;
    this.#failedRenewalCount = 0;
    this.#lastFailure = undefined;
  }

  /** Redis answered and said what its clock reads; publishes when the clocks begin to differ. */
  compareClocks(differenceMs: number): void {
    const differedBefore = this.clocksDiffer;
    this.#clockDifferenceMs = differenceMs;
    if (!this.clocksDiffer || differedBefore) return;
    this.publish({ kind: 'clockDifference', differenceMs, limitMs: this.#skewMaxMs });
  }

  /** Calls every listener. One that throws does not concern the lease. */
  publish(event: NodeLeaseEvent): void {
    if (event.kind === 'renewed') this.#renewLatencyMs = event.latencyMs;
    if (event.kind === 'renewalFailed') this.#failedRenewalCount++;
    if ('cause' in event) {
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
      freeNodeCount: this.#freeNodeCount,
      lastFailure: this.#lastFailure,
    };
  }
}

/**
 * What a reading of a remote clock says about this one: how far it is surely ahead (above 0) or behind. The remote clock
 * was read at some moment between the question and the answer.
 */
export function clockDifference(askedMs: number, remoteMs: number, answeredMs: number): number {
  if (askedMs > remoteMs) return askedMs - remoteMs;
  return Math.min(0, answeredMs - remoteMs);
}
