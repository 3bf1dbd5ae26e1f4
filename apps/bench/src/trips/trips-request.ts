import type { Answer } from '../measuring/recorder.js';

/**
 * One run of trips: `tripCount` trips from `firstTripId` on, each offered to `driversPerTrip` drivers who all press
 * "accept". With a `driverPool` they are drawn from that many drivers at random, so that some are on another trip by
 * then; with 0 every request is another driver's.
 */
export interface TripsRun {
  readonly firstTripId: number;
  readonly tripCount: number;
  readonly driversPerTrip: number;
  readonly firstDriverId: number;
  readonly driverPool: number;
}

/**
 * What a driver is answered. `lost`: another driver has the trip for good. `behind`: another driver is ahead, and whether
 * that driver gets it is not known yet. `busy` and `refused` are the driver's own affair (another trip, not open).
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

/** Who asks for what: the k-th request of worker `worker` of `workerCount`, trips one after the other. */
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

/** The same draw for every subject: a hash of the request's index, so that all workers agree without talking. */
function scattered(index: number, pool: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % pool;
}
