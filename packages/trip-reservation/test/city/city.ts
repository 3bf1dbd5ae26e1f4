import { connectRedis, createPubSub, type PubSub, type RedisConnection } from '@solegate/redis-infra';
import { Dice, type RedisTestServer, until } from '@solegate/testkit';
import { createDriverPool, type DriverPool } from '../../src/driver-pool/index.js';
import {
  createTripReservation,
  decodeTripEvent,
  type SqlPool,
  type TripEvent,
  type TripReservation,
  type TripReservationOptions,
  tripOfferChannel,
} from '../../src/index.js';

/** Where requests come from: most of them from one of two crowds. */
const AIRPORT = { latitude: 13.69, longitude: 100.75 };
const STADIUM = { latitude: 13.755, longitude: 100.622 };
const CENTRE = { latitude: 13.75, longitude: 100.6 };
const EXTENT = 0.3;

export const EVERY_MS = 5_000;
const PLAN = { batchSize: 5, everyMs: EVERY_MS, radiiMeters: [1000, 3000, 8000] };
const OFFER_TTL_MS = 30_000;
const REPORT_EVERY_MS = 10_000;
const RIDE_MS = 4_000;

/** What a driver was answered, and when by this process's clock. */
export interface CityAnswer {
  readonly tripId: bigint;
  readonly driverId: bigint;
  readonly kind: string;
}

export interface CityOptions {
  readonly database: SqlPool;
  readonly server: RedisTestServer;
  readonly driverCount: number;
  readonly requestsPerMinute: number;
  readonly seed: number;
}

/** Riders and drivers of a city, on two processes. Drivers hear of offers as in production: from a relay, by Redis. */
export class City implements AsyncDisposable {
  readonly answers: CityAnswer[] = [];
  readonly tripIds: bigint[] = [];
  readonly failures: string[] = [];
  /** When drivers were reserved, by trip and driver: before and after the call. */
  readonly reserved = new Map<string, { readonly from: number; readonly to: number }>();
  readonly #options: CityOptions;
  readonly #dice: Dice;
  readonly #processes: TripReservation[] = [];
  readonly #pools: DriverPool[] = [];
  readonly #connections: RedisConnection[] = [];
  readonly #places = new Map<bigint, { latitude: number; longitude: number }>();
  readonly #silent = new Set<bigint>();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #pubSub: PubSub | undefined;
  #reported = 0;

  constructor(options: CityOptions) {
    this.#options = options;
    this.#dice = new Dice(options.seed);
    for (let driver = 1; driver <= options.driverCount; driver += 1) {
      this.#places.set(BigInt(driver), this.#around(CENTRE, EXTENT));
    }
  }

  async open(): Promise<void> {
    const { database, server } = this.#options;
    const connect = (purpose: 'decision' | 'background' | 'subscriber') => {
      const connection = connectRedis({ url: server.url, purpose });
      this.#connections.push(connection);
      return connection;
    };
    const background = connect('background');
    const pubSub = createPubSub({ subscriber: connect('subscriber'), publisher: background });
    this.#pubSub = pubSub;
    for (let process = 0; process < 2; process += 1) {
      const pool = createDriverPool({ redis: connect('background'), database, timeoutMs: 2000 });
      const trips = createTripReservation({
        database,
        redis: connect('decision'),
        pubSub,
        drivers: this.#recording(pool),
        offerTtlMs: OFFER_TTL_MS,
      });
      this.#pools.push(pool);
      this.#processes.push(trips);
    }
    await until(() => this.#connections.every(({ status }) => status === 'ready'));
    await this.#report(this.#places.size);
    const [first] = this.#processes;
    for (const trips of this.#processes) trips.startSweeper({ intervalMs: 500 });
    first?.startOutboxRelay({ redis: background, intervalMs: 50 });
    void this.#listen(tripOfferChannel((await first?.namespace()) ?? ''));
  }

  /** Lets this part of the drivers report nothing any more. */
  fallSilent(part: number): void {
    for (const driverId of this.#places.keys()) if (this.#dice.happens(part)) this.#silent.add(driverId);
  }

  /** Moves drivers and requests trips for so long. */
  async run(durationMs: number): Promise<void> {
    const { requestsPerMinute, driverCount } = this.#options;
    const beganAt = performance.now();
    let requestCount = 0;
    let reportCount = 0;
    while (performance.now() - beganAt < durationMs) {
      const elapsedMs = performance.now() - beganAt;
      for (; requestCount < (elapsedMs * requestsPerMinute) / 60_000; requestCount += 1)
        this.#track(this.#request());
      const dueCount = Math.floor((elapsedMs * driverCount) / REPORT_EVERY_MS) - reportCount;
      reportCount += dueCount;
      await this.#report(dueCount);
      await this.#wait(20);
    }
  }

  /** Resolves when everything that was begun has ended. */
  async settle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#pubSub?.close();
    await Promise.all(this.#processes.map((trips) => trips.close()));
    for (const connection of this.#connections) connection.disconnect();
  }

  #around(place: typeof CENTRE, extent: number) {
    const at = (centre: number) => centre + (this.#dice.next() - 0.5) * extent;
    return { latitude: at(place.latitude), longitude: at(place.longitude) };
  }

  #recording(pool: DriverPool): NonNullable<TripReservationOptions['drivers']> {
    return {
      markBusy: (...args) => pool.markBusy(...args),
      release: (...args) => pool.release(...args),
      giveBack: (...args) => pool.giveBack(...args),
      reserveNearest: async (place, options) => {
        const from = performance.now();
        const found = await pool.reserveNearest(place, options);
        const times = { from, to: performance.now() };
        for (const { driverId } of found) this.reserved.set(`${options.tripId}:${driverId}`, times);
        return found;
      },
    };
  }

  async #report(count: number): Promise<void> {
    const ids = [...this.#places.keys()];
    for (let first = 0; first < count; first += 200) {
      const some = Array.from(
        { length: Math.min(200, count - first) },
        () => ids[this.#reported++ % ids.length] ?? 0n,
      );
      const heard = some.filter((driverId) => !this.#silent.has(driverId));
      await Promise.allSettled(
        heard.map(async (driverId, index) => {
          const place = this.#around(this.#places.get(driverId) ?? CENTRE, 0.002);
          this.#places.set(driverId, place);
          await this.#pools[index % 2]?.updatePosition({ driverId, place });
        }),
      );
    }
  }

  async #request(): Promise<void> {
    const centre = this.#dice.pick([AIRPORT, AIRPORT, STADIUM, STADIUM, CENTRE]);
    const pickup = this.#around(centre, centre === CENTRE ? EXTENT : 0.004);
    const tripId = BigInt(1_000_000 + this.tripIds.length);
    this.tripIds.push(tripId);
    await this.#one().requestTrip({ tripId, riderId: tripId, pickup, nearest: PLAN });
  }

  async #listen(channel: string): Promise<void> {
    const subscription = await this.#pubSub?.subscribe(channel);
    if (subscription === undefined) return;
    for await (const news of subscription)
      if (news.kind === 'MESSAGE') this.#offer(decodeTripEvent(news.payload));
  }

  /** Some drivers press accept, some reject, some do nothing; a trip that is won is driven and completed. */
  #offer({ status, offeredTo, tripId, epoch }: TripEvent): void {
    if (status !== 'FINDING' || offeredTo === 'EVERYONE') return;
    for (const driverId of offeredTo) {
      if (this.#silent.has(driverId) || this.#dice.happens(0.3)) continue;
      this.#track(this.#answer(tripId, driverId, epoch));
    }
  }

  async #answer(tripId: bigint, driverId: bigint, offerEpoch: number): Promise<void> {
    await this.#wait(this.#dice.between(200, 2500));
    const offer = { tripId, driverId, offerEpoch };
    if (this.#dice.happens(0.1)) return void (await this.#one().rejectTrip(offer));
    const answer = await this.#one().acceptTrip(offer);
    const kind = answer.kind === 'NOT_OPEN' ? answer.status : answer.kind;
    this.answers.push({ tripId, driverId, kind });
    if (answer.kind !== 'ACCEPTED') return;
    await this.#wait(RIDE_MS / 2);
    await this.#one().startTrip({ tripId, driverId });
    await this.#wait(RIDE_MS / 2);
    await this.#one().completeTrip({ tripId, driverId });
  }

  #one(): TripReservation {
    return this.#dice.pick(this.#processes);
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.failures.push(String(error)))
      .finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#timers.push(setTimeout(resolve, ms)));
  }
}
