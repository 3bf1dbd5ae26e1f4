import type { NodeLeaseEvent } from './lease-event.js';
import type { NodeLeaseHealth } from './lease-health.js';

type Measured = Pick<
  NodeLeaseHealth,
  'clockDifferenceMs' | 'renewLatencyMs' | 'failedRenewalCount' | 'freeNodeCount' | 'lastFailure'
>;

/** What can be seen of a lease from outside: its events as they happen and its last measurements. */
export class LeaseSigns {
  private readonly nodeCount: number;
  private readonly listeners = new Set<(event: NodeLeaseEvent) => void>();
  private clockDifferenceMs: number | undefined;
  private renewLatencyMs: number | undefined;
  private freeNodeCount: number | undefined;
  private failedRenewalCount = 0;
  private lastFailure: string | undefined;

  constructor(nodeCount: number, listener: ((event: NodeLeaseEvent) => void) | undefined) {
    this.nodeCount = nodeCount;
    if (listener !== undefined) this.listeners.add(listener);
  }

  subscribe(listener: (event: NodeLeaseEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Redis answered: its clock and its count of live leases. */
  answered(clockDifferenceMs: number, liveCount: number): void {
    this.clockDifferenceMs = clockDifferenceMs;
    this.freeNodeCount = this.nodeCount - liveCount;
    this.failedRenewalCount = 0;
    this.lastFailure = undefined;
  }

  /** Tells everybody. A listener that throws is its own problem, not that of the lease. */
  tell(event: NodeLeaseEvent): void {
    if (event.kind === 'renewed') this.renewLatencyMs = event.latencyMs;
    if (event.kind === 'renewalFailed') this.failedRenewalCount++;
    if ('cause' in event) {
      this.lastFailure = event.cause instanceof Error ? event.cause.message : String(event.cause);
    }
    for (const listener of this.listeners) {
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
    const { clockDifferenceMs, renewLatencyMs, failedRenewalCount, freeNodeCount, lastFailure } = this;
    return { clockDifferenceMs, renewLatencyMs, failedRenewalCount, freeNodeCount, lastFailure };
  }
}
