import { connectRedis, createPubSub } from '@solegate/redis-infra';
import {
  type AcceptOutcome,
  createTripReservation,
  type SqlPool,
  type SqlStatement,
} from '@solegate/trip-reservation';
import { openPool } from '../running/database-pool.js';
import { forgetfulPool } from '../running/forgetful-pool.js';
import type { OpenSubject, SubjectTable } from '../workers/subject.js';
import { HeldTrip } from './beside/held-trip.js';
import { MovingDrivers } from './beside/moving-drivers.js';
import { type TripAnswer, tripsSubject } from './trips-request.js';

/** The offer that every driver of the bench saw. */
const OFFER_EPOCH = 1;

const KINDS: Readonly<Record<AcceptOutcome['kind'], TripAnswer['kind']>> = {
  ACCEPTED: 'won',
  TAKEN: 'lost',
  UNDECIDED: 'behind',
  DRIVER_BUSY: 'busy',
  NOT_OPEN: 'refused',
  STALE_OFFER: 'refused',
  NOT_OFFERED: 'refused',
};

interface Form {
  /** Default: true. */
  readonly withRedis?: boolean;
  /** Another transaction locks the row of a further trip during the run, and one driver per process wants that trip. */
  readonly oneRowHeld?: boolean;
  /** Drivers report positions during the run, over a separate connection. */
  readonly driversMove?: boolean;
}

function openReservation({ withRedis = true, oneRowHeld = false, driversMove = false }: Form): OpenSubject {
  return async (setup) => {
    const pool = openPool(setup.databaseUrl, setup.poolSize);
    const database = setup.sabotaged ? forgetfulPool(pool) : pool;
    const redis = connectRedis({ url: setup.redisUrl, purpose: 'decision' });
    // A process hears the decisions of others over a connection of its own.
    const subscriber = connectRedis({ url: setup.redisUrl, purpose: 'subscriber' });
    const pubSub = createPubSub({ subscriber, publisher: subscriber });
    let sqlCount = 0;
    const counted = counting(database, () => {
      sqlCount += 1;
    });
    const reservation = createTripReservation({ database: counted, ...(withRedis && { redis, pubSub }) });
    const held = oneRowHeld ? new HeldTrip(reservation, setup.databaseUrl, setup.worker) : undefined;
    const moving = driversMove ? new MovingDrivers(setup) : undefined;
    const accept = async (trip: number, driver: number) => {
      const asked = { tripId: BigInt(trip), driverId: BigInt(driver), offerEpoch: OFFER_EPOCH };
      return KINDS[(await reservation.acceptTrip(asked)).kind];
    };
    const subject = tripsSubject(setup, accept, pool);
    return {
      prepare: async (round, facts) => {
        await subject.prepare(round, facts);
        await held?.hold(round);
      },
      request: (call) => {
        if (call.sequence === 0) held?.want();
        if (call.sequence === 0) moving?.start();
        return subject.request(call);
      },
      counts: () => ({ sqlCount, positionCount: moving?.keptCount ?? 0 }),
      finish: async () => {
        moving?.stop();
        await held?.letGo();
      },
      close: async () => {
        await reservation.close();
        pubSub.close();
        subscriber.disconnect();
        redis.disconnect();
        moving?.close();
        await pool.end();
      },
    };
  };
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

export const solegateTrips = {
  solegate: openReservation({}),
  'solegate without Redis': openReservation({ withRedis: false }),
  'solegate, one row held': openReservation({ oneRowHeld: true }),
  'solegate, drivers report positions': openReservation({ driversMove: true }),
} satisfies SubjectTable;
