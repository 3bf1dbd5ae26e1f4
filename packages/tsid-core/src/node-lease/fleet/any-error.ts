import type { ErrorBase, ErrorOf } from '../../codec/error-identity.js';
import type * as errors from './lease-error.js';
import { NodeLeaseError as Base } from './lease-error.js';

/**
 * Any error of a node lease. A check of `code` gives the compiler its class, and so its facts, such as the `liveCount` of
 * NODES_EXHAUSTED. `retryable`: the same call can succeed later without a change of configuration.
 */
export type NodeLeaseError = ErrorOf<typeof errors, Base>;

/** `instanceof NodeLeaseError` also matches errors of another copy of this package; `code` distinguishes them. */
export const NodeLeaseError = Base as object as ErrorBase<NodeLeaseError>;
