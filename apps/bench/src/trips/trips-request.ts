import type { Answer } from '../measuring/recorder.js';

/**
 * One run of trips: `tripCount` trips from `firstTripId` on, each offered to `driversPerTrip` drivers who all accept.
 * With a `driverPool` they are picked at random from that many drivers, so that some are already on another trip; with
 * 0, every request is from a different driver.
 */
export interface TripsRun {
  readonly firstTripId: number;
  readonly tripCount: number;
  readonly driversPerTrip: number;
  readonly firstDriverId: number;
  readonly driverPool: number;
}

/**
 * The answer to a driver. `lost`: another driver has the trip permanently. `behind`: another driver is ahead, but might
 * not get it. `busy`: the driver has another trip. `refused`: the trip is not open.
 */
export interface TripAnswer extends Answer {
  readonly kind: 'won' | 'lost' | 'behind' | 'busy' | 'refused';
  readonly trip: number;
  readonly driver: number;
}

export type TripFacts = Readonly<Record<keyof TripsRun, number>>;

export function tripsRun(facts: Readonly<Record<string, string | number>>): TripsRun {
  return {
    firstTripId: Number(facts.firstTripId),
    tripCount: Number(facts.tripCount),
    driversPerTrip: Number(facts.driversPerTrip),
    firstDriverId: Number(facts.firstDriverId),
    driverPool: Number(facts.driverPool),
  };
}

/** The driver and the trip of the k-th request of worker `worker` of `workerCount`, trips one after the other. */
export function tripRequest(
  run: TripsRun,
  sequence: number,
  { worker, workerCount }: { readonly worker: number; readonly workerCount: number },
): { readonly trip: number; readonly driver: number } {
  const index = sequence * workerCount + worker;
  const trip = run.firstTripId + (Math.floor(index / run.driversPerTrip) % run.tripCount);
  return {
    trip,
    driver: run.firstDriverId + (run.driverPool === 0 ? index : scattered(index, run.driverPool)),
  };
}

/** A hash of the request's index: the same choice for every subject and worker, without communication. */
function scattered(index: number, pool: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % pool;
}
