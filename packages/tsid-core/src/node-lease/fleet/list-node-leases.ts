import type { RedisConnection } from '@solegate/redis-infra';
import { listScript } from './lease-scripts.js';
import { fleetKeys } from './node-fleet.js';

/** One lease, as Redis sees it. */
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
  /** The clock of Redis, Unix milliseconds. */
  readonly nowMs: number;
  /** undefined if Redis has no fleet in this namespace. */
  readonly allocatorId: string | undefined;
}

/** Options of {@link listNodeLeases}. */
export interface ListNodeLeasesOptions {
  /** Default: `sys:tsid`. */
  readonly namespace?: string;
  /** Node bits to assume if Redis has no fleet in this namespace. Default: 10. */
  readonly nodeBits?: number;
}

/**
 * Lists which process holds which node, for operators. Takes one round trip and needs no lease.
 * @throws RedisFailure when Redis does not reply.
 */
export async function listNodeLeases(
  redis: RedisConnection,
  options: ListNodeLeasesOptions = {},
): Promise<NodeLeaseList> {
  const row = await listScript.run(redis, fleetKeys(options.namespace ?? 'sys:tsid'), []);
  const [nowMs, safeAfterMs, layoutName, allocatorId] = [
    Number(row[0]),
    Number(row[1]),
    String(row[2]),
    row[3],
  ];
  const used: ListedNodeLease[] = [];
  for (let index = 4; index < row.length; index += 4) {
    const ceilingMs = Number(row[index + 1]);
    used.push({
      node: Number(row[index]),
      holder: String(row[index + 3]),
      secondsLeft: (ceilingMs - nowMs) / 1_000,
      floorMs: Number(row[index + 2]),
      ceilingMs,
    });
  }
  used.sort((one, other) => one.node - other.node);
  const leases = used.filter(({ ceilingMs }) => ceilingMs > nowMs);
  const nodeBits = layoutName === '' ? (options.nodeBits ?? 10) : Number(layoutName.split('/')[1]);
  const nodeCount = 2 ** nodeBits;
  return {
    leases,
    ended: used.filter(({ ceilingMs }) => ceilingMs <= nowMs),
    freeNodeCount: nodeCount - leases.length,
    nodeCount,
    quarantineLeftMs: Math.max(0, safeAfterMs - nowMs),
    nowMs,
    allocatorId: allocatorId === '' ? undefined : String(allocatorId),
  };
}
