import { createNumbering, type Numbering } from '@solegate/doc-numbering';
import { createPubSub, type PubSub } from '@solegate/redis-infra';
import { createTripReservation, type NearestOffer, type TripReservation } from '@solegate/trip-reservation';
import { createDriverPool, type DriverPool } from '@solegate/trip-reservation/driver-pool';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { GatewayConfig } from '../config.js';
import { Correspondence } from '../correspondences/correspondence.js';
import { CorrespondenceStore } from '../correspondences/correspondence-store.js';
import { callTimeoutOf } from '../graphql/request-context.js';
import { MasterData } from '../master-data/master-data.js';
import { MasterDataCodes } from '../numbering/series/code-directory.js';
import { leaseObserver, registerLeaseMetrics } from '../operations/lease-metrics.js';
import { numberingMetrics } from '../operations/numbering-metrics.js';
import { tripMetrics } from '../operations/trip-metrics.js';
import type { Stores } from '../stores/stores.js';
import { TripAttempts } from '../trips/trip-attempts.js';
import { leaseOwnNode, type Node } from '../tsid/node.js';

/** The three guarantees and what they report to the world, on open stores. */
export interface Services {
  readonly node: Node;
  readonly data: MasterData;
  readonly correspondences: CorrespondenceStore;
  readonly numbering: Numbering;
  readonly trips: TripReservation;
  readonly drivers: DriverPool;
  /** How an offer to the nearest drivers widens. */
  readonly nearest: NearestOffer;
  readonly tripAttempts: TripAttempts;
  readonly pubSub: PubSub;
  /** Lets what is under way finish, then gives the node back. Refuses new calls from the start. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: GatewayConfig;
  readonly trustEmptyRedis: boolean;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** @throws what the node lease says when there is no node; nothing runs then */
export async function startServices(stores: Stores, options: ServiceOptions): Promise<Services> {
  const { config, logger, registry } = options;
  const { pool, redis, dataSource } = stores;
  const node = await leaseOwnNode({
    redis: redis.decision,
    pool,
    windowMs: config.nodeLeaseWindowMs,
    trustEmptyRedis: options.trustEmptyRedis,
    isDevelopment: config.developmentNode,
    production: config.production,
    observer: leaseObserver(registry, logger),
  });
  registerLeaseMetrics(registry, node);
  const data = new MasterData(dataSource, () => node.mint());
  const numbering = createNumbering({
    database: pool,
    redis: { decision: redis.decision },
    lock: config.numberLock,
    codes: new MasterDataCodes(data),
    observer: numberingMetrics(registry, logger),
    requestTimeoutMs: callTimeoutOf(config.requestTimeoutMs),
  });
  const drivers = createDriverPool({ redis: redis.background, positionTtlMs: config.driverPositionTtlMs });
  const trips = createTripReservation({
    database: pool,
    redis: redis.decision,
    drivers,
    observer: tripMetrics(registry, logger),
    requestTimeoutMs: callTimeoutOf(config.requestTimeoutMs),
  });
  trips.startSweeper();
  trips.startOutboxRelay({ redis: redis.background });
  const pubSub = createPubSub({ subscriber: redis.subscriber, publisher: redis.background });

  return {
    node,
    data,
    correspondences: new CorrespondenceStore(dataSource.getRepository(Correspondence)),
    numbering,
    trips,
    drivers,
    nearest: config.nearest,
    tripAttempts: new TripAttempts(dataSource),
    pubSub,
    async close() {
      pubSub.close();
      await Promise.all([numbering.close(), trips.close()]);
      await node.release();
    },
  };
}
