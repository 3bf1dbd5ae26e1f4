import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type LuaScript, loadScript, type RedisConnection, redisFailure } from '@solegate/redis-infra';
import { DriverPoolUnavailableError, InvalidTripInputError } from '../trip/errors.js';
import { assertId, assertPosition, assertWhole, RADIUS_MAX_METERS } from '../trip/input.js';
import type { Place } from '../trip/trip.js';
import { nearestDriversText } from './lua/nearest-drivers.js';
import { updatePositionText } from './lua/update-position.js';

/** Where positions are stored, and for how long. */
export interface DriverPoolOptions {
  /** Preferably a connection of purpose `decision`; a plain `new Redis()` or `new Cluster()` works too. */
  readonly redis: RedisConnection;
  /** How long a position is valid after it was reported, 1,000 to 3,600,000 ms. Default 30,000. */
  readonly positionTtlMs?: number;
  /** Every call settles within this time, 1 to 60,000 ms. Default 250. */
  readonly timeoutMs?: number;
}

/** The position of a driver. */
export interface DriverPosition {
  readonly driverId: bigint;
  /** Latitude -85 to 85, longitude -180 to 180, both in degrees (WGS 84). */
  readonly place: Pick<Place, 'latitude' | 'longitude'>;
}

/** Limits of a search. */
export interface NearestOptions {
  /** Search radius in metres, 1 to 1,000,000. */
  readonly radiusMeters: number;
  /** Maximum number of drivers, 1 to 1,000. */
  readonly countMax: number;
}

/** A driver and their distance. */
export interface NearbyDriver {
  readonly driverId: bigint;
  readonly distanceMeters: number;
}

/** Both in one slot of a Redis Cluster, so that one script can use them. */
const KEYS = ['{driver_pool}:places', '{driver_pool}:heard'];
const NEAREST_MAX = 1000;

const updatePosition = loadScript({
  name: 'update-position',
  text: updatePositionText,
  keyCount: 2,
  decode: () => undefined,
});

const nearestDrivers = loadScript({
  name: 'nearest-drivers',
  text: nearestDriversText,
  keyCount: 2,
  decode: (reply) => {
    const parts = reply as string[];
    return Array.from(
      { length: parts.length / 2 },
      (_, index): NearbyDriver => ({
        driverId: BigInt(parts[2 * index] ?? 0),
        distanceMeters: Number(parts[2 * index + 1]),
      }),
    );
  },
});

/**
 * The last known position of each driver, in Redis, until it expires. Positions decide nothing: if one is lost or late,
 * an offer reaches other drivers, and PostgreSQL decides who gets the trip.
 *
 * Positions are private: the pool returns them only as distances.
 */
export class DriverPool {
  readonly #redis: RedisConnection;
  /** How long a position is valid after it was reported, in milliseconds. */
  readonly positionTtlMs: number;
  readonly #timeoutMs: number;

  /** Use `createDriverPool`. */
  constructor({ redis, positionTtlMs = 30_000, timeoutMs = 250 }: DriverPoolOptions) {
    if (typeof redis?.evalsha !== 'function') {
      throw new InvalidTripInputError('redis', 'must be an ioredis connection');
    }
    assertWhole('positionTtlMs', positionTtlMs, 1000, 3_600_000);
    assertWhole('timeoutMs', timeoutMs, 1, 60_000);
    this.#redis = redis;
    this.positionTtlMs = positionTtlMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Stores where the driver is now. @throws InvalidTripInputError, DriverPoolUnavailableError */
  async updatePosition({ driverId, place }: DriverPosition): Promise<void> {
    assertId('driverId', driverId);
    assertPosition('place', place);
    const { longitude, latitude } = place;
    await this.#run(updatePosition, [String(driverId), longitude, latitude, this.positionTtlMs]);
  }

  /** Removes the driver from nearest offers. @throws InvalidTripInputError, DriverPoolUnavailableError */
  async forgetPosition(driverId: bigint): Promise<void> {
    assertId('driverId', driverId);
    const member = String(driverId);
    await this.#settled(() => Promise.all(KEYS.map((key) => this.#redis.zrem(key, member))));
  }

  /** Returns drivers around the place, nearest first. @throws InvalidTripInputError, DriverPoolUnavailableError */
  async nearest(
    place: Pick<Place, 'latitude' | 'longitude'>,
    { radiusMeters, countMax }: NearestOptions,
  ): Promise<readonly NearbyDriver[]> {
    assertPosition('place', place);
    assertWhole('radiusMeters', radiusMeters, 1, RADIUS_MAX_METERS);
    assertWhole('countMax', countMax, 1, NEAREST_MAX);
    return this.#run(nearestDrivers, [place.longitude, place.latitude, radiusMeters, countMax]);
  }

  #run<Reply>(script: LuaScript<Reply>, args: readonly (string | number)[]): Promise<Reply> {
    return this.#settled(() => script.run(this.#redis, KEYS, args));
  }

  /** Sends nothing on a connection that is not ready, because it might queue commands forever. */
  async #settled<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    const redis = this.#redis;
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    if (redis.status !== 'ready') throw new DriverPoolUnavailableError(`Redis is in state "${redis.status}"`);
    try {
      const late = () => new Error(`Redis did not respond within ${this.#timeoutMs} ms`);
      return await settleBy(command(), Deadline.after(this.#timeoutMs), late);
    } catch (error) {
      const { message } = redisFailure(error);
      throw new DriverPoolUnavailableError(message, { cause: error });
    }
  }
}

/**
 * Creates a pool of driver positions, for `drivers` of `createTripReservation` and for the code that reports positions.
 * Opens no connection.
 *
 * @throws InvalidTripInputError for an option out of range
 */
export function createDriverPool(options: DriverPoolOptions): DriverPool {
  return new DriverPool(options);
}
