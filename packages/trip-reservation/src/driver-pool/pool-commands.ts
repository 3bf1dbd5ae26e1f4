import { type Deadline, PostgresFailure, settleBy } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import { type LuaScript, loadScript, redisFailure } from '@solegate/redis-infra/calls';
import type { Namespace } from '../sql/namespace.js';
import { RedisClock } from '../timing/redis-clock.js';
import { DriverPoolUnavailableError } from '../trip/errors.js';
import { markDriversText } from './lua/mark-drivers.js';
import { searchDriversText } from './lua/search-drivers.js';
import { updatePositionText } from './lua/update-position.js';

/** A driver and their distance. */
export interface NearbyDriver {
  readonly driverId: bigint;
  readonly distanceMeters: number;
}

/** A driver whom a search has reserved for a trip. */
export interface ReservedDriver extends NearbyDriver {
  /** When the reservation expires, by the clock of Redis; no other one of this driver for the trip has the same. */
  readonly reservedUntilMs: number;
}

export interface PoolSearch {
  readonly longitude: number;
  readonly latitude: number;
  /** In metres. */
  readonly radius: number;
  readonly count: number;
  /** Drivers are wanted even if there are too many to rank. */
  readonly isLast: boolean;
  readonly tripId: bigint;
  /** 0: only look. */
  readonly forMs: number;
}

/** Maximum number of positions that one command looks at: about a millisecond of Redis's time. */
const SCAN_MAX = 500;
/** Maximum number of drivers per command that marks them. */
const MARK_MAX = 100;

interface TimedReply {
  readonly redisMs: number;
  readonly isLate: boolean;
  readonly parts: readonly (string | number)[];
}

const decode = (reply: unknown): TimedReply => {
  const [redisMs, ...parts] = reply as [number, ...(string | number)[]];
  return { redisMs, isLate: parts[0] === 'LATE', parts };
};

const updatePosition = loadScript({ name: 'update-position', text: updatePositionText, keyCount: 5, decode });
const searchDrivers = loadScript({ name: 'search-drivers', text: searchDriversText, keyCount: 5, decode });
const markDrivers = loadScript({
  name: 'mark-drivers',
  text: markDriversText,
  keyCount: 5,
  decode: () => undefined,
});

/** In the order in which the scripts have them. */
const KEY_NAMES = ['places', 'heard', 'marks', 'hidden', 'ends'] as const;
type PoolKeys = readonly string[];

/**
 * The commands of a driver pool. All keys are in one slot of a Redis Cluster, so that one script can use them. Each
 * command settles by its deadline. A position or search that Redis receives later does nothing; a late mark ends by itself.
 */
export class PoolCommands {
  readonly #redis: RedisConnection;
  readonly #namespace: Namespace;
  readonly #clock = new RedisClock();

  constructor(redis: RedisConnection, namespace: Namespace) {
    this.#redis = redis;
    this.#namespace = namespace;
  }

  /** Returns how long the position is valid, in milliseconds. */
  async update(args: readonly (string | number)[], deadline: Deadline): Promise<number> {
    const [, validMs] = await this.#timed(updatePosition, args, [], deadline);
    return Number(validMs);
  }

  /** Lets the position expire: the next commands remove it, and any mark stays until it ends. */
  async forget(driverId: bigint, deadline: Deadline): Promise<void> {
    await this.#settled(deadline, ([, heard = '']) => this.#redis.zadd(heard, 'XX', 0, String(driverId)));
  }

  /** Returns drivers, nearest first; `MORE` if there were too many to rank them. */
  async search(
    { longitude, latitude, radius, count, isLast, tripId, forMs }: PoolSearch,
    except: readonly bigint[],
    deadline: Deadline,
  ): Promise<ReservedDriver[] | 'MORE'> {
    const args = [longitude, latitude, radius, count, SCAN_MAX, isLast ? 1 : 0, String(tripId), forMs];
    const [kind, ...parts] = await this.#timed(searchDrivers, args, except.map(String), deadline);
    if (kind === 'MORE') return 'MORE';
    return Array.from({ length: parts.length / 3 }, (_, index) => ({
      driverId: BigInt(parts[3 * index] ?? 0),
      distanceMeters: Number(parts[3 * index + 1]),
      reservedUntilMs: Number(parts[3 * index + 2]),
    }));
  }

  /**
   * @param drivers IDs; to remove one reservation only, `<driver ID>:<reservedUntilMs>`
   * @param forMs 0 removes the marks of this trip
   */
  async mark(
    tripId: bigint,
    drivers: readonly (bigint | string)[],
    forMs: number,
    deadline: Deadline,
  ): Promise<void> {
    for (let first = 0; first < drivers.length; first += MARK_MAX) {
      const ids = drivers.slice(first, first + MARK_MAX).map(String);
      await this.#settled(deadline, (keys) =>
        markDrivers.run(this.#redis, keys, [String(tripId), forMs, ...ids]),
      );
    }
  }

  /** Runs a script that is given its deadline between `args` and `rest`. */
  #timed(
    script: LuaScript<TimedReply>,
    args: readonly (string | number)[],
    rest: readonly string[],
    deadline: Deadline,
  ): Promise<TimedReply['parts']> {
    return this.#settled(deadline, async (keys) => {
      const reply = await this.#clock.ask(deadline, (moment) =>
        script.run(this.#redis, keys, [...args, moment, ...rest]),
      );
      if (reply === undefined) throw new Error('Redis received the command too late');
      return reply.parts;
    });
  }

  /** Sends nothing on a connection that is not ready, because it might queue commands forever. */
  async #settled<Reply>(deadline: Deadline, command: (keys: PoolKeys) => Promise<Reply>): Promise<Reply> {
    const redis = this.#redis;
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
    if (redis.status !== 'ready') throw new DriverPoolUnavailableError(`Redis is in state "${redis.status}"`);
    const late = () => new Error('Redis did not respond in time');
    try {
      const namespace = await this.#namespace.read(deadline);
      const keys = KEY_NAMES.map((name) => `{driver_pool:${namespace}}:${name}`);
      return await settleBy(command(keys), deadline, late);
    } catch (error) {
      // Once per process, the namespace is read from PostgreSQL.
      const { message } = error instanceof PostgresFailure ? error : redisFailure(error);
      throw new DriverPoolUnavailableError(message, { cause: error });
    }
  }
}
