export { type AnyNodeLease, type DevelopmentNodeOptions, developmentNode } from './development-node.js';
export {
  type ListedNodeLease,
  type ListNodeLeasesOptions,
  listNodeLeases,
  type NodeLeaseList,
} from './fleet/list-node-leases.js';
export {
  ClockDifferenceError,
  DevelopmentNodeRefusedError,
  InvalidLeaseOptionsError,
  LeasePinMismatchError,
  NodeLeaseError,
  type NodeLeaseErrorCode,
  NodeLeaseQuarantinedError,
  NodeLeaseUnavailableError,
  NodesExhaustedError,
} from './lease-error.js';
export type { NodeLeaseEvent } from './lease-event.js';
export type { NodeLeaseHealth } from './lease-health.js';
export type { NodeLeaseOptions } from './lease-options.js';
export { nextWhenReady } from './next-when-ready.js';
export { leaseNode, type NodeLease } from './node-lease.js';
