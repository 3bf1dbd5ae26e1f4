import type { Numbering } from '@solegate/doc-numbering';
import { createPubSub, type PubSub } from '@solegate/redis-infra';
import type { NearestOffer } from '@solegate/trip-reservation';
import { Cell } from '../cells/cell.js';
import { cellMetrics } from '../cells/cell-metrics.js';
import { Cells } from '../cells/cells.js';
import { CorrespondenceStore } from '../correspondences/correspondence-store.js';
import { MasterData } from '../master-data/master-data.js';
import { cellNumbering } from '../numbering/cell-numbering.js';
import { leaseObserver, registerLeaseMetrics } from '../operations/lease-metrics.js';
import { numberingMetrics } from '../operations/numbering-metrics.js';
import { tripMetrics } from '../operations/trip-metrics.js';
import type { RedisConnections } from '../stores/redis-connections.js';
import { cellTrips, type Trips } from '../trips/cell-trips.js';
import { TripAttempts } from '../trips/trip-attempts.js';
import { type FleetList, listFleet, listRedisFleet, type Node } from '../tsid/node.js';
import { type ServiceOptions, startCell } from './cell-start.js';

/** The domain services of a gateway, on open stores. */
export interface Services {
  readonly cells: Cells;
  readonly redis: RedisConnections;
  /** The node of the first cell that started. */
  readonly node: Node;
  /** Lists the leases of all nodes, in whatever store they are. */
  readonly listFleet: () => Promise<FleetList>;
  readonly data: MasterData;
  readonly correspondences: CorrespondenceStore;
  readonly numbering: Numbering;
  readonly trips: Trips;
  /** How an offer to the nearest drivers widens. */
  readonly nearest: NearestOffer;
  readonly tripAttempts: TripAttempts;
  readonly pubSub: PubSub;
  /** Rejects new calls, waits for pending ones, then releases the nodes. */
  close(): Promise<void>;
}

/** Starts the services. @throws the first cell's error if no cell starts; nothing is left running */
export async function startServices(options: ServiceOptions): Promise<Services> {
  const { config, redis, registry } = options;
  const pubSub = createPubSub({ subscriber: redis.subscriber, publisher: redis.background });
  const cells = cellsOf({ ...options, pubSub }, () => data);
  const minting = () => cells.running[0]?.node ?? cells.first.running.node;
  const data = new MasterData(cells, () => minting().mint(), config.cells?.projects);
  await cells.start().catch(async (error: unknown) => {
    pubSub.close();
    await cells.close();
    throw error;
  });
  registerLeaseMetrics(registry, () => cells.running.map(({ node }) => node));
  const { numbering, trips } =
    cells.first.hasStarted && cells.isOne
      ? cells.first.running
      : { numbering: cellNumbering(cells, data), trips: cellTrips(cells) };
  return {
    cells,
    redis,
    node: minting(),
    listFleet: () =>
      config.nodeStore === 'postgres' ? listFleet(cells.all) : listRedisFleet(redis.background),
    data,
    correspondences: new CorrespondenceStore(cells, data),
    numbering,
    trips,
    nearest: config.nearest,
    tripAttempts: new TripAttempts(cells),
    pubSub,
    async close() {
      pubSub.close();
      await cells.close();
    },
  };
}

/** Creates one cell, or one for each entry of the list. */
function cellsOf(
  { databaseUrl, logger, registry, ...options }: ServiceOptions & Pick<Services, 'pubSub'>,
  data: () => MasterData,
): Cells {
  const all = {
    lease: leaseObserver(registry, logger),
    numbering: numberingMetrics(registry, logger),
    trips: tripMetrics(registry, logger),
  };
  const start = (place: Parameters<typeof startCell>[0], isFirst: boolean, observers: typeof all) =>
    startCell(place, {
      ...options,
      data: data(),
      logger,
      observers,
      // A store of its own holds nothing of other cells.
      trustsNewDatabase: isFirst || options.config.nodeStore === 'postgres',
    });
  const list = options.config.cells;
  if (list === undefined) {
    const only = () => start({ url: databaseUrl }, true, all);
    return new Cells([new Cell({ name: 'only', nodes: undefined, start: only, logger })]);
  }
  const byCell = cellMetrics(registry, () => cells.all);
  const cellOf = (place: (typeof list.cells)[number], isFirst: boolean): Cell => {
    const { name, nodes } = place;
    const numbering = byCell.numbering(name, all.numbering);
    const trips = byCell.trips(name, all.trips);
    return new Cell({
      name,
      nodes,
      start: () => start(place, isFirst, { ...all, numbering, trips }),
      logger,
    });
  };
  const [first, ...others] = list.cells;
  const cells = new Cells(
    [cellOf(first, true), ...others.map((place) => cellOf(place, false))],
    list.regions,
  );
  return cells;
}
