import { hostname } from 'node:os';
import type { RedisConnection } from '@solegate/redis-infra';
import { createTsidGenerator, type TsidGenerator } from '@solegate/tsid-core';
import { leaseNode, type NodeLease, type NodeLeaseEvent } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { leaseFromPinned } from './allocator-pin.js';

export interface NodeOptions {
  readonly redis: RedisConnection;
  readonly pool: Pool;
  readonly windowMs: number;
  /** The Redis is this gateway's own, so no other process can be alive that it has forgotten. */
  readonly trustEmptyRedis: boolean;
  readonly logger: Logger;
}

/** The node of this process and the one generator that mints on it. */
export interface Node {
  readonly lease: NodeLease;
  readonly generator: TsidGenerator;
  /** Ends minting and gives the node back. */
  release(): Promise<void>;
}

/** @throws NodeLeaseError: with what to do, and with nothing held */
export async function leaseOwnNode({
  redis,
  pool,
  windowMs,
  trustEmptyRedis,
  logger,
}: NodeOptions): Promise<Node> {
  const lease = await leaseFromPinned(pool, ({ id, isNew }) =>
    leaseNode({
      redis,
      windowMs,
      trustEmptyRedis: trustEmptyRedis || isNew,
      holder: `${hostname()}:${process.pid}`,
      onEvent: (event) => report(event, logger),
      ...(id !== undefined && { allocatorId: id }),
    }),
  );
  const generator = createTsidGenerator({ lease, clockBack: { waitMaxMs: 20 } });
  return {
    lease,
    generator,
    async release() {
      generator.close();
      await lease.release();
    },
  };
}

function report(event: NodeLeaseEvent, logger: Logger): void {
  const { kind, ...facts } = event;
  if (kind === 'lost') logger.error(facts, 'the node was lost; another one is claimed');
  else if (kind === 'warning') logger.warn(facts, 'node lease');
  else if (kind === 'renewalFailed' || kind === 'claimFailed' || kind === 'quarantined') {
    logger.warn({ ...facts, kind }, 'node lease');
  } else logger.debug({ ...facts, kind }, 'node lease');
}
