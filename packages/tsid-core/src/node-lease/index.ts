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
export type {
  ListedNodeLease,
  ListNodeLeases,
  ListNodeLeasesOptions,
  NodeLeaseList,
} from './list-node-leases.js';
