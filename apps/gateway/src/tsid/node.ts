import { hostname } from 'node:os';
import type { RedisConnection } from '@solegate/redis-infra';
import { createTsidGenerator, type TsidGenerator } from '@solegate/tsid-core';
import {
  type AnyNodeLease,
  developmentNode,
  type LeaseStore,
  leaseNode,
  type NodeLeaseEvent,
  type NodeRange,
} from '@solegate/tsid-core/node-lease';
import { postgresLeaseStore } from '@solegate/tsid-core/node-lease/postgres';
import type { Pool } from 'pg';
import { ownConnection } from '../stores/data-source.js';
import { leaseFromPinned } from './allocator-pin.js';

export interface NodeOptions {
  readonly redis: RedisConnection;
  readonly pool: Pool;
  readonly store: 'redis' | 'postgres';
  readonly windowMs: number;
  /** First and last node that can be leased. Default: all. */
  readonly nodes: readonly [number, number] | undefined;
  /** The nodes of every cell; empty if there is only one. */
  readonly regions: Readonly<Record<string, NodeRange>>;
  /** Treats a database that has never had an ID as proof that the store has forgotten no running process. */
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
  /** Where it was leased. */
  readonly source: RedisConnection | LeaseStore;
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
  const { redis, pool, store, regions } = options;
  const own = store === 'postgres' ? ownConnection(pool, () => {}) : undefined;
  const source = own === undefined ? redis : postgresLeaseStore(own, { regions });
  const lease = await (options.isDevelopment
    ? developmentNode({ production: options.production, observer: options.observer })
    : leasedNode(options, source).catch(async (error: unknown) => {
        await own?.end();
        throw error;
      }));
  const generator = createTsidGenerator({ lease, clockBack: { waitMaxMs: 20 } });
  let mintedCount = 0;
  return {
    lease,
    source,
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
      await own?.end();
    },
  };
}

function leasedNode(
  { pool, windowMs, nodes, trustsNewDatabase, trustEmptyRedis, observer }: NodeOptions,
  source: Node['source'],
): Promise<AnyNodeLease> {
  const isRedis = !('claim' in source);
  return leaseFromPinned(pool, isRedis ? 'Redis' : 'PostgreSQL', ({ id, isNew }) =>
    leaseNode({
      ...(isRedis ? { redis: source } : { store: source }),
      windowMs,
      trustEmptyStore: (isRedis && trustEmptyRedis) || (isNew && trustsNewDatabase),
      holder: `${hostname()}:${process.pid}`,
      observer,
      ...(id !== undefined && { allocatorId: id }),
      ...(nodes && { nodes: { first: nodes[0], last: nodes[1] } }),
    }),
  );
}
