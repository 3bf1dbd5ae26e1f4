import { poolOf, refuseUnknownOptions, type SqlDatabase, type SqlPool } from '@solegate/postgres-infra';
import type { PubSub, RedisConnection } from '@solegate/redis-infra';
import type { DriverPositions } from './moves/nearest-search.js';
import { InvalidRequestError } from './trip/errors.js';
import { assertWhole, OFFER_TTL_MAX_MS } from './trip/input.js';
import { guardedObserver, type TripObserver } from './trip/observer.js';

/** Stores, offer timing, and the limits of every call. */
export interface TripReservationOptions {
  /**
   * `pg.Pool`, `postgres()`, or the instance of TypeORM, Drizzle, Knex or Sequelize. The primary, never a replica. Two
   * of its connections serve all accepts of a process.
   */
  readonly database: SqlDatabase;
  /** Maximum number of `database` connections in use at a time, 1 to 1,000. Default 10, as in `pg`. */
  readonly connectionMax?: number;
  /**
   * Whether to use named prepared statements, which each connection plans once. Turned off automatically at the first
   * sign of a pooler without support for them. Default true.
   */
  readonly namedStatements?: boolean;
  /** Every call settles within this plus one second, even if a store hangs, 100 to 600,000 ms. Default 5,000. */
  readonly requestTimeoutMs?: number;
  /**
   * Preferably a connection of purpose `decision`; a plain `new Redis()` or `new Cluster()` works too. Without it, each
   * accept goes straight to PostgreSQL: slower, but just as safe.
   */
  readonly redis?: RedisConnection;
  /**
   * Delivers events to watches, decisions of other processes to waiting drivers, and to relays that others write, at once;
   * it can be shared. Default: none; watches and idle relays read PostgreSQL once a second, and drivers who wait look at
   * Redis again after 1, 2, 4 ms and so on.
   */
  readonly pubSub?: PubSub;
  /**
   * Part of every Redis key and channel: 1 to 64 letters, digits, `_` or `-`. Default: read from the database once, so
   * that no two databases share one. Give one to a physical copy that uses the same Redis as its original.
   */
  readonly namespace?: string;
  /**
   * How long an accept waits for Redis before it continues without, 1 to 60,000 ms, and at most half of `requestTimeoutMs`.
   * Default 60.
   */
  readonly gateTimeoutMs?: number;
  /**
   * How long an accept waits for the decision of another process before it returns UNDECIDED, 0 to 1,000 ms. With 0, all
   * drivers who are not first hear UNDECIDED at once and watch the trip. Default 50.
   */
  readonly patienceMs?: number;
  /** How long an offer lasts unless the trip says otherwise, 1 to 3,600,000 ms. Default 15,000. */
  readonly offerTtlMs?: number;
  /** Number of consecutive offers that expire before the trip is EXPIRED, 1 to 100. Default 1. */
  readonly offerRoundMax?: number;
  /** A driver who has not started within this time is removed from the trip, 1 to 86,400,000 ms. Default 1,800,000. */
  readonly startTimeoutMs?: number;
  /**
   * Driver positions for `nearest` of `requestTrip`, from `createDriverPool`. Give them to every process that serves
   * drivers: it marks who is on a trip. Default: no positions.
   */
  readonly drivers?: DriverPositions;
  /** How long a driver waits at the pickup before they can report a no-show, 0 to 86,400,000 ms. Default 300,000. */
  readonly noShowAfterMs?: number;
  /** Whether accepts are also counted in `trip_attempts`, by offer and outcome, for queries. Default: false. */
  readonly countAttempts?: boolean;
  readonly observer?: TripObserver;
  /** For the circuit breaker, caches and measurements, never for a decision. Default: `performance`. */
  readonly clock?: {
    /** Milliseconds of a monotonic clock. */
    now(): number;
  };
  /** Returns 0 <= x < 1; spreads retries and background work across gateways. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Each number with its default, minimum and maximum. */
const NUMBERS = {
  connectionMax: [10, 1, 1000],
  requestTimeoutMs: [5_000, 100, 600_000],
  gateTimeoutMs: [60, 1, 60_000],
  patienceMs: [50, 0, 1000],
  offerTtlMs: [15_000, 1, OFFER_TTL_MAX_MS],
  offerRoundMax: [1, 1, 100],
  startTimeoutMs: [1_800_000, 1, 86_400_000],
  noShowAfterMs: [300_000, 0, 86_400_000],
} as const satisfies Partial<Record<keyof TripReservationOptions, readonly [number, number, number]>>;

type NumberName = keyof typeof NUMBERS;

const OPTIONS: Readonly<Record<keyof TripReservationOptions, unknown>> = {
  ...NUMBERS,
  database: true,
  namedStatements: true,
  redis: true,
  pubSub: true,
  namespace: true,
  drivers: true,
  countAttempts: true,
  observer: true,
  clock: true,
  random: true,
};

/** Options with all defaults applied. */
export interface ReservationSettings extends Readonly<Record<NumberName, number>> {
  readonly pool: SqlPool;
  readonly observer: TripObserver;
  readonly now: () => number;
  readonly random: () => number;
  /** Where a relay publishes unless it is given another connection. */
  readonly relay: { readonly redis?: RedisConnection };
}

/** @throws InvalidRequestError */
export function settingsOf(options: TripReservationOptions): ReservationSettings {
  refuseUnknownOptions(options, OPTIONS, (name, problem) => new InvalidRequestError(name, problem));
  const pool = poolOf(options.database, (problem) => new InvalidRequestError('database', problem));
  const numbers = (Object.keys(NUMBERS) as NumberName[]).map((name) => {
    const [usual, min, max] = NUMBERS[name];
    const { [name]: value = usual } = options;
    assertWhole(name, value, min, max);
    return [name, value] as const;
  });
  const clock = options.clock ?? performance;
  return {
    ...(Object.fromEntries(numbers) as Record<NumberName, number>),
    pool,
    observer: options.observer ? guardedObserver(options.observer) : {},
    now: () => clock.now(),
    random: options.random ?? Math.random,
    relay: options.redis ? { redis: options.redis } : {},
  };
}
