import { hostname } from 'node:os';
import type { RedisConnection } from '@solegate/redis-infra';
import { createTsidGenerator, type TsidGenerator } from '@solegate/tsid-core';
import {
  type AnyNodeLease,
  developmentNode,
  leaseNode,
  type NodeLeaseEvent,
} from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import { leaseFromPinned } from './allocator-pin.js';

export interface NodeOptions {
  readonly redis: RedisConnection;
  readonly pool: Pool;
  readonly windowMs: number;
  /** First and last node that may be leased. Default: all. */
  readonly nodes: readonly [number, number] | undefined;
  /** A database that has never had an ID shows that no other process can be alive that Redis has forgotten. */
  readonly trustsNewDatabase: boolean;
  /** The Redis is this gateway's own, so no other process can be alive that it has forgotten. */
  readonly trustEmptyRedis: boolean;
  /** A random node that nothing guards, so that a developer can start without Redis. Refused in production. */
  readonly isDevelopment: boolean;
  readonly production: boolean;
  readonly observer: (event: NodeLeaseEvent) => void;
}

/** The node of this process and the one generator that mints on it. */
export interface Node {
  readonly lease: AnyNodeLease;
  readonly generator: TsidGenerator;
  /** The next ID. */
  mint(): bigint;
  /** So many IDs, ascending. */
  mintMany(count: number): bigint[];
  /** IDs that were minted so far. */
  readonly mintedCount: number;
  /** Ends minting and gives the node back. */
  release(): Promise<void>;
}

/** @throws NodeLeaseError: with what to do, and with nothing held */
export async function leaseOwnNode(options: NodeOptions): Promise<Node> {
  const lease = options.isDevelopment
    ? developmentNode({ production: options.production, observer: options.observer })
    : await leasedNode(options);
  const generator = createTsidGenerator({ lease, clockBack: { waitMaxMs: 20 } });
  let mintedCount = 0;
  return {
    lease,
    generator,
    mint() {
      const id = generator.next();
      mintedCount += 1;
      return id;
    },
    mintMany(count) {
      // Most ask for one or a few, for which the typed arrays of nextMany cost more than the IDs.
      const ids: bigint[] = [];
      while (ids.length < count) ids.push(generator.next());
      mintedCount += count;
      return ids;
    },
    get mintedCount() {
      return mintedCount;
    },
    async release() {
      generator.close();
      await lease.release();
    },
  };
}

function leasedNode({
  redis,
  pool,
  windowMs,
  nodes,
  trustsNewDatabase,
  trustEmptyRedis,
  observer,
}: NodeOptions): Promise<AnyNodeLease> {
  return leaseFromPinned(pool, ({ id, isNew }) =>
    leaseNode({
      redis,
      windowMs,
      trustEmptyRedis: trustEmptyRedis || (isNew && trustsNewDatabase),
      holder: `${hostname()}:${process.pid}`,
      observer,
      ...(id !== undefined && { allocatorId: id }),
      ...(nodes && { nodes: { first: nodes[0], last: nodes[1] } }),
    }),
  );
}
