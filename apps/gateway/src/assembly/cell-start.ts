import { createNumbering, type Numbering, type NumberingObserver } from '@solegate/doc-numbering';
import type { PubSub } from '@solegate/redis-infra';
import { createTripReservation, type TripObserver } from '@solegate/trip-reservation';
import { createDriverPool } from '@solegate/trip-reservation/driver-pool';
import type { NodeLeaseEvent, NodeRange } from '@solegate/tsid-core/node-lease';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { CellPlace } from '../cell-list.js';
import type { RunningCell } from '../cells/cell.js';
import type { GatewayConfig } from '../config.js';
import { callTimeoutOf } from '../graphql/request-context.js';
import type { MasterData } from '../master-data/master-data.js';
import { MasterDataCodes } from '../numbering/series/code-directory.js';
import { untraced } from '../operations/background-trace.js';
import { openDatabase } from '../stores/database.js';
import type { RedisConnections } from '../stores/redis-connections.js';
import { Node } from '../tsid/node.js';
import { GATEWAY_ENTITIES } from './entities.js';

/** About how long a reservation stays reserved after it has expired, at most. */
const EXPIRY_SWEEP_MS = 10_000;

export interface ServiceOptions {
  readonly config: GatewayConfig;
  readonly databaseUrl: string;
  readonly redis: RedisConnections;
  readonly migrates: boolean;
  readonly trustEmptyRedis: boolean;
  readonly logger: Logger;
  readonly registry: Registry;
}

export interface CellStartOptions extends Omit<ServiceOptions, 'databaseUrl' | 'registry'> {
  readonly pubSub: PubSub;
  readonly data: MasterData;
  readonly trustsNewDatabase: boolean;
  readonly observers: {
    readonly lease: (event: NodeLeaseEvent) => void;
    readonly numbering: NumberingObserver;
    readonly trips: TripObserver;
  };
}

/** Connects to one database and starts a cell on it. @throws the cause of a failed start, with nothing left open */
export async function startCell(
  { url, nodes }: Pick<CellPlace, 'url'> & Partial<Pick<CellPlace, 'nodes'>>,
  options: CellStartOptions,
): Promise<RunningCell> {
  const { config, redis, pubSub, logger, migrates, observers } = options;
  const database = await openDatabase(url, { config, logger, migrates, entities: GATEWAY_ENTITIES });
  const { pool } = database;
  const leasing = startCellNode(pool, nodes, options);
  try {
    const node = await leasing;
    const { driverPositionTtlMs: positionTtlMs } = config;
    let sweptAtMs = Number.NEGATIVE_INFINITY;
    const drivers = createDriverPool({ redis: redis.background, database: pool, positionTtlMs });
    const trips = createTripReservation({
      database: pool,
      redis: redis.decision,
      pubSub,
      drivers,
      countAttempts: true,
      observer: {
        ...observers.trips,
        sweepEnded: (report) => {
          sweptAtMs = performance.now();
          observers.trips.sweepEnded?.(report);
        },
      },
      requestTimeoutMs: callTimeoutOf(config.requestTimeoutMs),
    });
    // Last: unlike trips, it starts work at once.
    const numbering = startCellNumbering(pool, options);
    untraced(() => {
      numbering.startSweeper({ intervalMs: EXPIRY_SWEEP_MS });
      trips.startSweeper({ tripsKeptMs: config.tripsKeptMs });
      trips.startOutboxRelay({ redis: redis.background });
    });
    return {
      database,
      node,
      numbering,
      trips,
      drivers,
      hasSweptWithin: (ms) => performance.now() < sweptAtMs + ms,
      async close() {
        await Promise.all([numbering.close(), trips.close()]);
        await node.release();
        await database.close();
      },
    };
  } catch (error) {
    await leasing.then((node) => node.release()).catch(() => undefined);
    await database.close();
    throw error;
  }
}

function startCellNumbering(pool: Pool, { config, redis, data, observers }: CellStartOptions): Numbering {
  return createNumbering({
    database: pool,
    redis: redis.decision,
    lock: config.numberLock,
    codes: new MasterDataCodes(data),
    tokens: config.numberTokens.map((name) => ({ name })),
    observer: observers.numbering,
    requestTimeoutMs: callTimeoutOf(config.requestTimeoutMs),
  });
}

function startCellNode(
  pool: Pool,
  nodes: CellPlace['nodes'] | undefined,
  options: CellStartOptions,
): Promise<Node> {
  const { config, redis, observers, trustEmptyRedis, trustsNewDatabase } = options;
  return Node.start({
    config,
    redis: redis.decision,
    pool,
    nodes,
    regions: regionsOf(config),
    trustEmptyRedis,
    trustsNewDatabase,
    observer: observers.lease,
  });
}

/** The nodes of every cell, which each database records if it grants nodes itself. */
function regionsOf({ cells }: GatewayConfig): Readonly<Record<string, NodeRange>> {
  return Object.fromEntries(
    (cells?.cells ?? []).map(({ name, nodes: [first, last] }) => [name, { first, last }]),
  );
}
