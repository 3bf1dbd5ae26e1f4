import { connectRedis, type RedisConnection } from '@solegate/redis-infra';
import { createDriverPool, type DriverPool } from '@solegate/trip-reservation/driver-pool';
import type { SubjectSetup } from '../../workers/subject.js';

/** Ten thousand drivers on the road, each of whom reports a position every four seconds. */
const DRIVER_COUNT = 10_000;
const REPORT_EVERY_MS = 4_000;
/** A city, in degrees. */
const CENTRE = { latitude: 13.75, longitude: 100.5 };
const EXTENT = 0.2;

const TICK_MS = 5;
/** The most reports in progress; further ones are skipped rather than queued. */
const UNDER_WAY_MAX = 500;

/** This process's share of the drivers who report positions during a run. */
export class MovingDrivers {
  readonly #redis: RedisConnection;
  readonly #pool: DriverPool;
  readonly #ratePerMs: number;
  readonly #firstDriver: number;
  #timer: NodeJS.Timeout | undefined;
  #underWay = 0;
  /** The number of positions that Redis has stored. */
  keptCount = 0;

  constructor({ redisUrl, worker, workerCount }: Pick<SubjectSetup, 'redisUrl' | 'worker' | 'workerCount'>) {
    this.#redis = connectRedis({ url: redisUrl, purpose: 'background' });
    this.#pool = createDriverPool({ redis: this.#redis, namespace: 'bench' });
    this.#ratePerMs = DRIVER_COUNT / REPORT_EVERY_MS / workerCount;
    this.#firstDriver = 1 + worker * DRIVER_COUNT;
  }

  start(): void {
    const beganAt = performance.now();
    let sentCount = 0;
    this.#timer = setInterval(() => {
      const dueCount = Math.floor((performance.now() - beganAt) * this.#ratePerMs);
      for (; sentCount < dueCount && this.#underWay < UNDER_WAY_MAX; sentCount += 1) this.#report(sentCount);
    }, TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  close(): void {
    this.#redis.disconnect();
  }

  #report(sequence: number): void {
    const driverId = BigInt(this.#firstDriver + (sequence % DRIVER_COUNT));
    const place = {
      latitude: CENTRE.latitude + ((sequence * 7) % 1000) * (EXTENT / 1000),
      longitude: CENTRE.longitude + ((sequence * 13) % 1000) * (EXTENT / 1000),
    };
    this.#underWay += 1;
    this.#pool
      .updatePosition({ driverId, place })
      .then(
        () => {
          this.keptCount += 1;
        },
        () => undefined,
      )
      .finally(() => {
        this.#underWay -= 1;
      });
  }
}
