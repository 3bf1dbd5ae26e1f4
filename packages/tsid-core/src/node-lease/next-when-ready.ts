import { TsidError } from '../codec/tsid-error.js';
import type { AnyNodeLease } from './development-node.js';

/**
 * Returns the next ID. While a lost node is being replaced, waits for the new one, where `next()` would throw.
 * @param timeoutMs Longest wait in milliseconds. Default: 5,000.
 * @throws NodeUnavailableError when there is no node by then, or never will be; anything else that `next()` throws.
 */
export async function nextWhenReady(
  generator: { next(): bigint },
  lease: Pick<AnyNodeLease, 'ready'>,
  timeoutMs = 5_000,
): Promise<bigint> {
  try {
    return generator.next();
  } catch (error) {
    // By its code: the generator may come from another copy of this package.
    const heals = error instanceof TsidError && error.code === 'NODE_UNAVAILABLE' && error.retryable;
    if (!heals) throw error;
    await lease.ready(timeoutMs);
    return generator.next();
  }
}
