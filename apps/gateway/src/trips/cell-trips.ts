import { TripNotFoundError, type TripReservation } from '@solegate/trip-reservation';
import type { Cells } from '../cells/cells.js';
import { badInput } from '../errors/gateway-error.js';

/** The trip operations that resolvers use. */
export type Trips = Omit<
  TripReservation,
  | 'findTrips'
  | 'expireOffers'
  | 'namespace'
  | 'startSweeper'
  | 'startOutboxRelay'
  | 'close'
  | typeof Symbol.asyncDispose
>;

type First<Method extends keyof Trips> = Parameters<Trips[Method]>[0];

/**
 * Trips over several cells. A trip is in the cell that made its ID. A trip older than the second cell is in the first,
 * whatever its ID, so that is where missing trips are looked up. A driver can have one active trip in each cell.
 */
export class CellTrips implements Trips {
  constructor(private readonly cells: Cells) {}

  async requestTrip(options: First<'requestTrip'>) {
    return this.cells.ofId(options.tripId)[0].running.trips.requestTrip(options);
  }

  broadcastOffer(options: First<'broadcastOffer'>) {
    return this.#on(options.tripId, (trips) => trips.broadcastOffer(options));
  }

  acceptTrip(options: First<'acceptTrip'>) {
    return this.#on(options.tripId, (trips) => trips.acceptTrip(options));
  }

  rejectTrip(options: First<'rejectTrip'>) {
    return this.#on(options.tripId, (trips) => trips.rejectTrip(options));
  }

  reportArrival(options: First<'reportArrival'>) {
    return this.#on(options.tripId, (trips) => trips.reportArrival(options));
  }

  reportNoShow(options: First<'reportNoShow'>) {
    return this.#on(options.tripId, (trips) => trips.reportNoShow(options));
  }

  startTrip(options: First<'startTrip'>) {
    return this.#on(options.tripId, (trips) => trips.startTrip(options));
  }

  completeTrip(options: First<'completeTrip'>) {
    return this.#on(options.tripId, (trips) => trips.completeTrip(options));
  }

  cancelTrip(options: First<'cancelTrip'>) {
    return this.#on(options.tripId, (trips) => trips.cancelTrip(options));
  }

  async findTrip(tripId: bigint) {
    const [trip] = await this.cells.findEach([tripId], async ({ trips }) => [await trips.findTrip(tripId)]);
    return trip;
  }

  /** @throws {GatewayError} REGION_NEEDED: the pages of a list come from one cell */
  async listTrips(): Promise<never> {
    throw badInput('REGION_NEEDED', 'Name the region with "filter: { region }".');
  }

  tripHistory(options: First<'tripHistory'>) {
    return this.#on(options.tripId, (trips) => trips.tripHistory(options));
  }

  watchTrip(options: First<'watchTrip'>) {
    return this.#on(options.tripId, (trips) => trips.watchTrip(options));
  }

  async #on<Result>(tripId: bigint, call: (trips: Trips) => Promise<Result>): Promise<Result> {
    const [made, first] = this.cells.ofId(tripId);
    try {
      return await call(made.running.trips);
    } catch (error) {
      if (first === undefined || !(error instanceof TripNotFoundError)) throw error;
      return call(first.running.trips);
    }
  }
}
