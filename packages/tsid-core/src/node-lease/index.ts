import type * as lease from './node-lease.js';

export { type AnyNodeLease, type DevelopmentNodeOptions, developmentNode } from './development-node.js';
export { NodeLeaseError } from './fleet/any-error.js';
export {
  ClockDifferenceError,
  DevelopmentNodeRefusedError,
  InvalidLeaseOptionsError,
  LeasePinMismatchError,
  type NodeLeaseErrorCode,
  NodeLeaseQuarantinedError,
  NodeLeaseUnavailableError,
  NodesExhaustedError,
  type QuarantineReason,
} from './fleet/lease-error.js';
export type { LeaseStore, NodeRange } from './fleet/lease-store.js';
export type { NodeLeaseEvent, NodeLeaseHealth } from './lease-monitor.js';
export type { NodeLeaseOptions } from './lease-options.js';
export {
  type ListedNodeLease,
  type ListNodeLeasesOptions,
  listNodeLeases,
  type NodeLeaseList,
} from './list-node-leases.js';
export { nextWhenReady } from './next-when-ready.js';
export { leaseNode } from './node-lease.js';

/**
 * A leased node; created by {@link leaseNode}. A type without its class: a class with private members is a different
 * type in each module format.
 */
export type NodeLease = Pick<lease.NodeLease, keyof lease.NodeLease>;
