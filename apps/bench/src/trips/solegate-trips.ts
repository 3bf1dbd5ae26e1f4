import { connectRedis, createPubSub } from '@solegate/redis-infra';
import {
  type AcceptOutcome,
  createTripReservation,
  type SqlPool,
  type SqlStatement,
} from '@solegate/trip-reservation';
import type { Call } from '../measuring/load.js';
import { openPool } from '../running/database-pool.js';
import { forgetfulPool } from '../running/forgetful-pool.js';
import { besideHeldRow } from '../running/held-row.js';
import type { OpenSubject, SubjectTable } from '../workers/subject.js';
import { MovingDrivers } from './beside/moving-drivers.js';
import { OFFER_TTL_MS, type TripAnswer, tripsSubject } from './trips-request.js';

/** The offer that every driver of the bench saw. */
const OFFER_EPOCH = 1;
/** First of the IDs of trips whose row is held, which no run reaches. */
const HELD_IDS = 9_000_000_000_000_000n;

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
    const moving = driversMove ? new MovingDrivers(setup) : undefined;
    const accept = async (trip: number, driver: number) => {
      const asked = { tripId: BigInt(trip), driverId: BigInt(driver), offerEpoch: OFFER_EPOCH };
      return KINDS[(await reservation.acceptTrip(asked)).kind];
    };
    const trips = tripsSubject(setup, accept, pool);
    const subject = {
      ...trips,
      request: (call: Call) => {
        if (call.sequence === 0) moving?.start();
        return trips.request(call);
      },
      counts: () => ({ sqlCount, positionCount: moving?.keptCount ?? 0 }),
      finish: async () => moving?.stop(),
      close: async () => {
        await reservation.close();
        pubSub.close();
        subscriber.disconnect();
        redis.disconnect();
        moving?.close();
        await pool.end();
      },
    };
    if (!oneRowHeld) return subject;
    const heldTrip = (round: number) => HELD_IDS + BigInt(round);
    return besideHeldRow(subject, setup, {
      create: async (round) => {
        const tripId = heldTrip(round);
        await reservation.requestTrip({ tripId, riderId: tripId, offerTtlMs: OFFER_TTL_MS });
        return ['SELECT FROM trips WHERE id = $1', [tripId]];
      },
      // Drivers of the runs have higher IDs; one who has got such a trip would be busy in the next round.
      want: (round) => accept(Number(heldTrip(round)), round * 100 + setup.worker),
    });
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
