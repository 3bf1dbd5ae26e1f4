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
  /** First and last node that can be leased. Default: all. */
  readonly nodes: readonly [number, number] | undefined;
  /** Treats a database that has never had an ID as proof that Redis has forgotten no running process. */
  readonly trustsNewDatabase: boolean;
  /** The Redis belongs to this gateway alone, so it has forgotten no other running process. */
  readonly trustEmptyRedis: boolean;
  /** Uses a random, unguarded node, so that a developer can start without Redis. Refused in production. */
  readonly isDevelopment: boolean;
  readonly production: boolean;
  readonly observer: (event: NodeLeaseEvent) => void;
}

/** The node of this process and the one generator that mints on it. */
export interface Node {
  readonly lease: AnyNodeLease;
  readonly generator: TsidGenerator;
  /** Returns the next ID. */
  mint(): bigint;
  /** Returns `count` IDs in ascending order. */
  mintMany(count: number): bigint[];
  /** IDs minted since the lease was acquired. */
  readonly mintedCount: number;
  /** Stops minting and releases the node. */
  release(): Promise<void>;
}

/** @throws NodeLeaseError, which states what to do; no node is held then */
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
      // Most callers want one or a few, for which the typed arrays of nextMany cost more than the IDs.
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
      trustEmptyStore: trustEmptyRedis || (isNew && trustsNewDatabase),
      holder: `${hostname()}:${process.pid}`,
      observer,
      ...(id !== undefined && { allocatorId: id }),
      ...(nodes && { nodes: { first: nodes[0], last: nodes[1] } }),
    }),
  );
}
