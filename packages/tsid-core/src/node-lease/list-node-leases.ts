import type { RedisConnection } from '@solegate/redis-infra';

/** One live lease, as Redis sees it. */
export interface ListedNodeLease {
  readonly node: number;
  readonly holder: string;
  /** Until the window ends unless it is renewed. */
  readonly secondsLeft: number;
  readonly ceilingMs: number;
}

/** The fleet at one moment of the clock of Redis. */
export interface NodeLeaseList {
  readonly leases: readonly ListedNodeLease[];
  readonly freeNodeCount: number;
  readonly nodeCount: number;
  /** While above 0 no new node is granted. */
  readonly quarantineLeftMs: number;
  /** The clock of Redis, Unix milliseconds. */
  readonly nowMs: number;
  /** undefined while Redis knows of no fleet in this namespace. */
  readonly allocatorId: string | undefined;
}

/** Which fleet to list. */
export interface ListNodeLeasesOptions {
  /** Default: `sys:tsid`. */
  readonly namespace?: string;
  /** Node bits to assume while Redis knows of no fleet. Default 10. */
  readonly nodeBits?: number;
}

/** Signature of {@link listNodeLeases}. One round trip; lists live leases by node. */
export type ListNodeLeases = (
  redis: RedisConnection,
  options?: ListNodeLeasesOptions,
) => Promise<NodeLeaseList>;
