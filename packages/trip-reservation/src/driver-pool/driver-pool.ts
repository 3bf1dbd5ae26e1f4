import { Deadline, settleBy } from '@solegate/postgres-infra';
import { type LuaScript, loadScript, type RedisConnection, redisFailure } from '@solegate/redis-infra';
import { DriverPoolUnavailableError, InvalidTripInputError } from '../trip/errors.js';
import { assertId, assertPosition, assertWhole, RADIUS_MAX_METERS } from '../trip/input.js';
import type { Place } from '../trip/trip.js';
import { nearestDriversText } from './lua/nearest-drivers.js';
import { updatePositionText } from './lua/update-position.js';

/** Where positions are kept, and for how long. */
export interface DriverPoolOptions {
  /** Best a connection of purpose `decision`; a plain `new Redis()` or `new Cluster()` works too. */
  readonly redis: RedisConnection;
  /** How long a position counts after it was reported, 1,000 to 3,600,000 ms. Default 30,000. */
  readonly positionTtlMs?: number;
  /** Every call settles within it, 1 to 60,000 ms. Default 250. */
  readonly timeoutMs?: number;
}

/** Where a driver is. */
export interface DriverPosition {
  readonly driverId: bigint;
  /** Latitude -85 to 85, longitude -180 to 180, both in degrees (WGS 84). */
  readonly place: Pick<Place, 'latitude' | 'longitude'>;
}

/** How far and how many. */
export interface NearestOptions {
  /** In metres, 1 to 1,000,000. */
  readonly radiusMeters: number;
  /** Drivers at most, 1 to 1,000. */
  readonly countMax: number;
}

/** A driver, and how far away they are. */
export interface NearbyDriver {
  readonly driverId: bigint;
  readonly distanceMeters: number;
}

/** One slot of a Redis Cluster, so that each script finds both. */
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
 * Where drivers are, in Redis: the last position of each, for as long as it counts. Nothing here decides anything. A
 * position that is lost or late makes an offer reach others, and PostgreSQL decides who has the trip.
 *
 * A position belongs to its driver: it comes out of here as a distance only.
 */
export class DriverPool {
  readonly #redis: RedisConnection;
  /** How long a position counts after it was reported, in milliseconds. */
  readonly positionTtlMs: number;
  readonly #timeoutMs: number;

  /** Use `createDriverPool`. */
  constructor({ redis, positionTtlMs = 30_000, timeoutMs = 250 }: DriverPoolOptions) {
    if (typeof redis?.evalsha !== 'function') {
      throw new InvalidTripInputError('redis', 'must be a connection of ioredis');
    }
    assertWhole('positionTtlMs', positionTtlMs, 1000, 3_600_000);
    assertWhole('timeoutMs', timeoutMs, 1, 60_000);
    this.#redis = redis;
    this.positionTtlMs = positionTtlMs;
    this.#timeoutMs = timeoutMs;
  }

  /** The driver is here now and may be offered trips. @throws InvalidTripInputError, DriverPoolUnavailableError */
  async updatePosition({ driverId, place }: DriverPosition): Promise<void> {
    assertId('driverId', driverId);
    assertPosition('place', place);
    const { longitude, latitude } = place;
    await this.#run(updatePosition, [String(driverId), longitude, latitude, this.positionTtlMs]);
  }

  /** The driver is offered nothing more by where they are. @throws InvalidTripInputError, DriverPoolUnavailableError */
  async forgetPosition(driverId: bigint): Promise<void> {
    assertId('driverId', driverId);
    const member = String(driverId);
    await this.#settled(() => Promise.all(KEYS.map((key) => this.#redis.zrem(key, member))));
  }

  /** Nearest first. @throws InvalidTripInputError, DriverPoolUnavailableError */
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

  /** A connection that is not ready is not asked: it may queue without end. */
  async #settled<Reply>(command: () => Promise<Reply>): Promise<Reply> {
    const redis = this.#redis;
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    if (redis.status !== 'ready') throw new DriverPoolUnavailableError(`it is in state "${redis.status}"`);
    try {
      const late = () => new Error(`no answer within ${this.#timeoutMs} ms`);
      return await settleBy(command(), Deadline.after(this.#timeoutMs), late);
    } catch (error) {
      const { message } = redisFailure(error);
      throw new DriverPoolUnavailableError(message, { cause: error });
    }
  }
}

/**
 * Positions of drivers, for `drivers` of `createTripReservation` and for the place where drivers report. It opens no
 * connection.
 *
 * @throws InvalidTripInputError for an option out of range
 */
export function createDriverPool(options: DriverPoolOptions): DriverPool {
  return new DriverPool(options);
}
