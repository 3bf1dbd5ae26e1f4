/**
 * The last known position of each driver, in Redis, until it expires, and which drivers to skip.
 *
 * Authority. None: positions and marks are hints. If one is lost, late or wrong, an offer reaches other drivers; the row
 * in PostgreSQL decides who gets the trip, and whether a driver is free.
 *
 * Marks. A mark hides a driver from searches for other trips until a time: one step of an offer after the driver was
 * found for it, or a minute after they accepted a trip. It is removed earlier when the trip is over for them. Nothing is
 * ever counted, so whatever is lost corrects itself: a free driver is hidden until then at most, or until they report
 * again; a busy one is found and marked again. Positions of hidden drivers are kept apart: however many stand nearer, a
 * search looks at free ones.
 *
 * Cost. Redis runs one command at a time, so none may take long. A search looks at `SCAN_MAX` free and as many hidden
 * positions at most, however many there are, and every command removes a bounded number of expired positions and marks.
 * A search continues outward, or closer to the place if there are too many positions to rank, as separate commands.
 */
import { BoundedDatabase, Deadline, poolOf, type SqlDatabase } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import { assertRedisConnection } from '@solegate/redis-infra/calls';
import { Namespace } from '../sql/namespace.js';
import { InvalidRequestError } from '../trip/errors.js';
import {
  assertId,
  assertPosition,
  assertWhole,
  FOUND_DRIVERS_MAX,
  RADIUS_MAX_METERS,
} from '../trip/input.js';
import type { Place } from '../trip/trip.js';
import { type NearbyDriver, PoolCommands, type ReservedDriver } from './pool-commands.js';

/** Where positions are stored, and for how long. One of `database` and `namespace` is required. */
export interface DriverPoolOptions {
  /** Preferably a connection of purpose `background`; a plain `new Redis()` or `new Cluster()` works too. */
  readonly redis: RedisConnection;
  /** The database of the trips: it has its own drivers, even if several share one Redis. */
  readonly database?: SqlDatabase;
  /** The namespace that the reservation was given, if it was given one. Default: read from `database` once. */
  readonly namespace?: string;
  /** How long a position is valid after it was measured, 1,000 to 3,600,000 ms. Default 30,000. */
  readonly positionTtlMs?: number;
  /** Every call settles within this time, 1 to 60,000 ms. Default 250. */
  readonly timeoutMs?: number;
}

/** The position of a driver. */
export interface DriverPosition {
  readonly driverId: bigint;
  /** Latitude -85 to 85, longitude -180 to 180, both in degrees (WGS 84). */
  readonly place: Pick<Place, 'latitude' | 'longitude'>;
  /** By the driver's own clock. A time in the future counts as now. Default: when Redis receives it. */
  readonly measuredAt?: Date;
}

/** Limits of a search. */
export interface NearestOptions {
  /** Search radius in metres, 1 to 1,000,000. */
  readonly radiusMeters: number;
  /** Maximum number of drivers, 1 to 100. */
  readonly countMax: number;
}

/** A search that reserves the drivers whom it finds. */
export interface ReserveOptions extends NearestOptions {
  readonly tripId: bigint;
  /** Drivers to leave out. */
  readonly except: ReadonlySet<bigint>;
  /** How long searches for other trips skip them, in milliseconds. */
  readonly forMs: number;
}

/** Where the first search begins, in metres; later ones begin where the last one ended. */
const FIRST_RADIUS_METERS = 1000;
const FIRST_RADIUS_MIN_METERS = 250;
/** By how much it grows while there are few positions. */
const GROWTH = 4;
/** Maximum number of commands of a search; the last one takes drivers wherever there are still too many to rank. */
const ROUND_MAX = 8;
/** How long a driver who has a trip is skipped, in milliseconds; who is found later and still has it is marked again. */
const BUSY_MS = 60_000;

export class DriverPool {
  readonly #commands: PoolCommands;
  #firstRadius = FIRST_RADIUS_METERS;
  /** How long a position is valid after it was measured, in milliseconds. */
  readonly positionTtlMs: number;
  readonly #timeoutMs: number;

  /** Use `createDriverPool`. */
  constructor({ redis, database, namespace, positionTtlMs = 30_000, timeoutMs = 250 }: DriverPoolOptions) {
    assertRedisConnection(redis, (problem) => new InvalidRequestError('redis', problem));
    if (database === undefined && namespace === undefined) {
      throw new InvalidRequestError(
        'database',
        'or namespace must be given: each database has its own drivers',
      );
    }
    assertWhole('positionTtlMs', positionTtlMs, 1000, 3_600_000);
    assertWhole('timeoutMs', timeoutMs, 1, 60_000);
    const refuse = (problem: string) => new InvalidRequestError('database', problem);
    const bounded = database && new BoundedDatabase({ pool: poolOf(database, refuse), connectionMax: 1 });
    this.#commands = new PoolCommands(redis, new Namespace(namespace, bounded));
    this.positionTtlMs = positionTtlMs;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Stores where the driver is now. Resolves with how long the position is valid, in milliseconds: 0 if it was not
   * stored, because a newer one is or because it is too old.
   *
   * @throws InvalidRequestError, DriverPoolUnavailableError
   */
  async updatePosition({ driverId, place, measuredAt }: DriverPosition): Promise<number> {
    assertId('driverId', driverId);
    assertPosition('place', place);
    if (measuredAt !== undefined && Number.isNaN(measuredAt.getTime())) {
      throw new InvalidRequestError('measuredAt', 'must be a valid Date');
    }
    return this.#commands.update(
      [String(driverId), place.longitude, place.latitude, this.positionTtlMs, measuredAt?.getTime() ?? ''],
      this.#deadline(),
    );
  }

  /** Removes the driver from nearest offers until they report again. @throws InvalidRequestError, DriverPoolUnavailableError */
  async forgetPosition(driverId: bigint): Promise<void> {
    assertId('driverId', driverId);
    await this.#commands.forget(driverId, this.#deadline());
  }

  /** Returns free drivers around the place, nearest first. @throws InvalidRequestError, DriverPoolUnavailableError */
  async nearest(
    place: Pick<Place, 'latitude' | 'longitude'>,
    options: NearestOptions,
  ): Promise<readonly NearbyDriver[]> {
    const found = await this.reserveNearest(place, { ...options, tripId: 0n, except: new Set(), forMs: 0 });
    return found.map(({ driverId, distanceMeters }) => ({ driverId, distanceMeters }));
  }

  /**
   * Like `nearest`, and reserves the drivers for the trip, so that trips at one place get different drivers. Used by
   * reservations.
   */
  async reserveNearest(
    place: Pick<Place, 'latitude' | 'longitude'>,
    { radiusMeters, countMax, tripId, except, forMs }: ReserveOptions,
  ): Promise<readonly ReservedDriver[]> {
    assertPosition('place', place);
    assertWhole('radiusMeters', radiusMeters, 1, RADIUS_MAX_METERS);
    assertWhole('countMax', countMax, 1, FOUND_DRIVERS_MAX);
    const found: ReservedDriver[] = [];
    try {
      await this.#searchOutward(place, { radiusMeters, countMax, tripId, except, forMs }, found);
    } catch (error) {
      // The trip is not offered to them; whoever the failed command reserved is found again when that expires.
      if (forMs > 0) void this.giveBack(tripId, found).catch(() => undefined);
      throw error;
    }
    return found;
  }

  /** Adds to `found`, so that what was reserved is known even if a later command fails. */
  async #searchOutward(
    place: Pick<Place, 'latitude' | 'longitude'>,
    { radiusMeters, countMax, tripId, except, forMs }: ReserveOptions,
    found: ReservedDriver[],
  ): Promise<void> {
    const deadline = this.#deadline();
    // All positions within `near` were ranked; within `far` there are too many.
    let [near, far] = [0, Number.POSITIVE_INFINITY];
    let radius = Math.min(radiusMeters, this.#firstRadius);
    for (let round = 1; round <= ROUND_MAX && found.length < countMax; round += 1) {
      const drivers = await this.#commands.search(
        { ...place, radius, count: countMax - found.length, isLast: round === ROUND_MAX, tripId, forMs },
        [...except, ...found.map(({ driverId }) => driverId)],
        deadline,
      );
      if (drivers === 'MORE') far = radius;
      else {
        found.push(...drivers);
        this.#firstRadius = Math.max(radius, FIRST_RADIUS_MIN_METERS);
        if (radius >= radiusMeters) return;
        near = radius;
      }
      const [isLast, isCrowded] = [round === ROUND_MAX - 1, far <= radiusMeters];
      if (isLast) radius = Math.min(far, radiusMeters);
      else radius = isCrowded ? (near + far) / 2 : Math.min(radiusMeters, GROWTH * radius);
    }
  }

  /** The driver has this trip: searches skip them. Used by reservations. */
  markBusy(tripId: bigint, driverId: bigint): Promise<void> {
    return this.#commands.mark(tripId, [driverId], BUSY_MS, this.#deadline());
  }

  /** The trip is over for these drivers: searches find them again. Used by reservations. */
  async release(tripId: bigint, driverIds: readonly bigint[]): Promise<void> {
    if (driverIds.length > 0) await this.#commands.mark(tripId, driverIds, 0, this.#deadline());
  }

  /** The trip does not need them: searches find them again, unless it has reserved them once more. Used by reservations. */
  async giveBack(tripId: bigint, drivers: readonly ReservedDriver[]): Promise<void> {
    const reservations = drivers.map(({ driverId, reservedUntilMs }) => `${driverId}:${reservedUntilMs}`);
    if (drivers.length > 0) await this.#commands.mark(tripId, reservations, 0, this.#deadline());
  }

  #deadline(): Deadline {
    return Deadline.after(this.#timeoutMs);
  }
}

/**
 * Creates a pool of driver positions, for `drivers` of `createTripReservation` and for the code that reports positions.
 * Opens no connection.
 *
 * @throws InvalidRequestError for an option out of range
 */
export function createDriverPool(options: DriverPoolOptions): DriverPool {
  return new DriverPool(options);
}
