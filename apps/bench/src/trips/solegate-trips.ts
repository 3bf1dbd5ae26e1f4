import { connectRedis, createPubSub, type PubSub } from '@solegate/redis-infra';
import {
  type AcceptOutcome,
  createTripReservation,
  type SqlPool,
  type SqlStatement,
} from '@solegate/trip-reservation';
import { openPool } from '../running/database-pool.js';
import { forgetfulPool } from '../running/forgetful-pool.js';
import type { OpenSubject } from '../workers/subject.js';
import { warm } from './baseline-trips.js';
import { HeldTrip } from './beside/held-trip.js';
import { MovingDrivers } from './beside/moving-drivers.js';
import { type TripAnswer, type TripsRun, tripRequest, tripsRun } from './trips-request.js';

/** The offer that every driver of the bench saw. */
const OFFER_EPOCH = 1;

interface Form {
  readonly withRedis: boolean;
  /** Another transaction locks the row of a further trip during the run, and one driver per process wants that trip. */
  readonly oneRowHeld?: boolean;
  /** Drivers report positions during the run, over a separate connection. */
  readonly driversMove?: boolean;
}

function openReservation({ withRedis, oneRowHeld = false, driversMove = false }: Form): OpenSubject {
  return async (setup) => {
    const pool = openPool(setup.databaseUrl, setup.poolSize);
    const database = setup.sabotaged ? forgetfulPool(pool) : pool;
    const redis = connectRedis({ url: setup.redisUrl, purpose: 'decision' });
    const notices = hearNotices(setup.redisUrl);
    let sqlCount = 0;
    const reservation = createTripReservation({
      database: counting(database, () => {
        sqlCount += 1;
      }),
      ...(withRedis ? { redis, pubSub: notices.pubSub } : {}),
    });
    let run: TripsRun | undefined;
    const held = oneRowHeld ? new HeldTrip(pool, setup.worker) : undefined;
    const moving = driversMove ? new MovingDrivers(setup) : undefined;
    return {
      prepare: async (round, facts) => {
        run = tripsRun(facts);
        await warm(pool, setup.poolSize);
        await held?.hold(reservation, round);
      },
      request: async ({ sequence }) => {
        if (run === undefined) throw new Error('no run was prepared');
        if (sequence === 0) held?.want(reservation);
        if (sequence === 0) moving?.start();
        const { trip, driver } = tripRequest(run, sequence, setup);
        const outcome = await reservation.acceptTrip({
          tripId: BigInt(trip),
          driverId: BigInt(driver),
          offerEpoch: OFFER_EPOCH,
        });
        return { kind: kindOf(outcome), trip, driver };
      },
      counts: () => {
        const counts = { sqlCount, positionCount: moving?.takeCount() ?? 0 };
        sqlCount = 0;
        return counts;
      },
      finish: async () => {
        moving?.stop();
        await held?.letGo();
      },
      close: async () => {
        await reservation.close();
        notices.close();
        redis.disconnect();
        moving?.close();
        await pool.end();
      },
    };
  };
}

/** A process hears the decisions of others over a connection of its own. */
function hearNotices(url: string): { readonly pubSub: PubSub; close(): void } {
  const subscriber = connectRedis({ url, purpose: 'subscriber' });
  const pubSub = createPubSub({ subscriber, publisher: subscriber });
  const close = () => {
    pubSub.close();
    subscriber.disconnect();
  };
  return { pubSub, close };
}

function counting(database: SqlPool, counted: () => void): SqlPool {
  return {
    connect: async () => {
      const session = await database.connect();
      return {
        query: (statement: SqlStatement) => {
          counted();
          return session.query(statement);
        },
        release: (error?: Error | boolean) => session.release(error),
      };
    },
  };
}

export const openSolegateTrips = openReservation({ withRedis: true });
export const openSolegateTripsWithoutRedis = openReservation({ withRedis: false });
export const openSolegateTripsDriversMove = openReservation({ withRedis: true, driversMove: true });
export const openSolegateTripsOneRowHeld = openReservation({ withRedis: true, oneRowHeld: true });

function kindOf(outcome: AcceptOutcome): TripAnswer['kind'] {
  switch (outcome.kind) {
    case 'ACCEPTED':
      return 'won';
    case 'TAKEN':
      return 'lost';
    case 'UNDECIDED':
      return 'behind';
    case 'DRIVER_BUSY':
      return 'busy';
    case 'NOT_OPEN':
    case 'STALE_OFFER':
    case 'NOT_OFFERED':
      return 'refused';
  }
}
