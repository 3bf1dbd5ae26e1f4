import type { RedisCalls } from '@solegate/redis-infra/calls';
import { refuseUnknownOptions } from '../codec/option-names.js';
import { InvalidLeaseOptionsError } from './fleet/lease-error.js';
import type { LeaseStore } from './fleet/lease-store.js';
import { redisLeaseStore } from './redis/redis-lease-store.js';

/** One lease, as the store sees it. */
export interface ListedNodeLease {
  readonly node: number;
  readonly holder: string;
  /** Time until the window ends unless it is renewed; negative once it has ended. */
  readonly secondsLeft: number;
  /** First timestamp that its holder could mint, Unix milliseconds; 0 if unknown. */
  readonly floorMs: number;
  /** First timestamp that its holder must not mint, Unix milliseconds. */
  readonly ceilingMs: number;
}

/** A snapshot of the fleet. */
export interface NodeLeaseList {
  /** Live leases, by node. */
  readonly leases: readonly ListedNodeLease[];
  /** The last lease of each free node that was held before, by node. */
  readonly ended: readonly ListedNodeLease[];
  readonly freeNodeCount: number;
  readonly nodeCount: number;
  /** While this is above 0, no new node is granted. */
  readonly quarantineLeftMs: number;
  /** The clock of the store, Unix milliseconds. */
  readonly nowMs: number;
  /** undefined if the store has no fleet in this namespace. */
  readonly allocatorId: string | undefined;
}

/** Options of {@link listNodeLeases}. */
export interface ListNodeLeasesOptions {
  /** Default: `sys:tsid`. */
  readonly namespace?: string;
  /** Node bits to assume if there is no fleet in this namespace. Default: 10. */
  readonly nodeBits?: number;
}

/**
 * Lists which process holds which node, for operators. Takes one round trip and needs no lease.
 * @throws RedisFailure or PostgresFailure when the store does not reply, InvalidLeaseOptionsError for other options.
 */
export async function listNodeLeases(
  source: RedisCalls | LeaseStore,
  options: ListNodeLeasesOptions = {},
): Promise<NodeLeaseList> {
  refuseUnknownOptions(options, { namespace: true, nodeBits: true }, InvalidLeaseOptionsError);
  const store = 'claim' in source ? source : redisLeaseStore(source);
  const { nowMs, safeAfterMs, layout, allocatorId, nodes } = await store.list(
    options.namespace ?? 'sys:tsid',
  );
  const used = nodes
    .map(({ node, holder, floorMs, ceilingMs }) => ({
      node,
      holder,
      secondsLeft: (ceilingMs - nowMs) / 1_000,
      floorMs,
      ceilingMs,
    }))
    .sort((one, other) => one.node - other.node);
  const leases = used.filter(({ ceilingMs }) => ceilingMs > nowMs);
  const nodeBits = layout === undefined ? (options.nodeBits ?? 10) : Number(layout.split('/')[1]);
  const nodeCount = 2 ** nodeBits;
  return {
    leases,
    ended: used.filter(({ ceilingMs }) => ceilingMs <= nowMs),
    freeNodeCount: nodeCount - leases.length,
    nodeCount,
    quarantineLeftMs: Math.max(0, safeAfterMs - nowMs),
    nowMs,
    allocatorId,
  };
}
