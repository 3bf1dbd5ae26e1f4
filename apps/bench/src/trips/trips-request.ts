import type pg from 'pg';
import type { Answer } from '../measuring/recorder.js';
import type { Facts, Subject, SubjectSetup } from '../workers/subject.js';

/** Longer than any run: an offer that expires under load would be a different experiment. */
export const OFFER_TTL_MS = 600_000;

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

function tripsRun(facts: Facts): TripsRun {
  return {
    firstTripId: Number(facts.firstTripId),
    tripCount: Number(facts.tripCount),
    driversPerTrip: Number(facts.driversPerTrip),
    firstDriverId: Number(facts.firstDriverId),
    driverPool: Number(facts.driverPool),
  };
}

/**
 * A subject whose callers are drivers who each accept a trip of the run.
 *
 * @param pool its connections are all opened before a burst; otherwise the first callers would pay for it
 */
export function tripsSubject(
  setup: SubjectSetup,
  accept: (trip: number, driver: number) => Promise<TripAnswer['kind']>,
  pool?: pg.Pool,
) {
  let run: TripsRun | undefined;
  return {
    prepare: async (_round, facts) => {
      run = tripsRun(facts);
      if (pool === undefined || pool.totalCount >= setup.poolSize) return;
      const clients = await Promise.all(Array.from({ length: setup.poolSize }, () => pool.connect()));
      for (const client of clients) client.release();
    },
    request: async ({ sequence }) => {
      if (run === undefined) throw new Error('no run was prepared');
      const { trip, driver } = tripRequest(run, sequence, setup);
      return { kind: await accept(trip, driver), trip, driver };
    },
  } satisfies Partial<Subject>;
}

/** The driver and the trip of the k-th request of worker `worker` of `workerCount`, trips one after the other. */
function tripRequest(
  run: TripsRun,
  sequence: number,
  { worker, workerCount }: SubjectSetup,
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
