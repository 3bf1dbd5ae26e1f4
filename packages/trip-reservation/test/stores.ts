import {
  type ConnectRedisOptions,
  connectRedis,
  createPubSub,
  type PubSub,
  type RedisConnection,
} from '@solegate/redis-infra';
import {
  createTestDatabase,
  createTestRedis,
  type TestDatabase,
  type TestRedis,
  until,
  watchedPool,
} from '@solegate/testkit';
import { createDriverPool, type DriverPool, type DriverPoolOptions } from '../src/driver-pool/index.js';
import {
  createTripReservation,
  migrations,
  type SqlPool,
  type TripReservation,
  type TripReservationOptions,
} from '../src/index.js';

/** A real pool that records the names of its statements. */
export class CountingPool implements SqlPool {
  readonly #pool: SqlPool;
  readonly names: string[] = [];

  constructor(pool: SqlPool) {
    this.#pool = watchedPool(pool, (statement, run) => {
      this.names.push(statement.name ?? statement.text);
      return run();
    });
  }

  connect() {
    return this.#pool.connect();
  }

  countOf(name: string): number {
    return this.names.filter((other) => other === name).length;
  }
}

/** Long timeouts, so that a busy machine does not look like a Redis outage. */
export const PATIENT = { gateTimeoutMs: 2000 };

let lastId = 0n;

/** An ID that no other test of this file uses. */
export function freshId(): bigint {
  lastId += 1n;
  return lastId;
}

export function freshIds(count: number): bigint[] {
  return Array.from({ length: count }, freshId);
}

/** The stores and reservations of one test file, closed together. */
export class Stores implements AsyncDisposable {
  readonly #reservations: TripReservation[] = [];
  readonly #connections: RedisConnection[] = [];
  readonly #pubSubs: PubSub[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly redis: TestRedis,
    /** Part of all keys and channels of the database in Redis. */
    readonly namespace: string,
  ) {}

  static async open(): Promise<Stores> {
    const database = await createTestDatabase({ migrations });
    const namespace = await createTripReservation({ database: database.pool }).namespace();
    return new Stores(database, await createTestRedis(), namespace);
  }

  /** A ready connection, configured like a gateway's. */
  connectRedis(url = this.redis.url): Promise<RedisConnection> {
    return this.#connect({ url, purpose: 'decision' });
  }

  /** Long timeouts, so that a busy machine does not look like a Redis outage; see also `PATIENT`. */
  connectPatiently(url = this.redis.url): Promise<RedisConnection> {
    return this.#connect({ url, purpose: 'decision', commandTimeoutMs: 2000 });
  }

  /** For one reservation. */
  async pubSub(): Promise<PubSub> {
    const subscriber = await this.#connect({ url: this.redis.url, purpose: 'subscriber' });
    const pubSub = createPubSub({ subscriber, publisher: subscriber });
    this.#pubSubs.push(pubSub);
    return pubSub;
  }

  async #connect(options: ConnectRedisOptions): Promise<RedisConnection> {
    const connection = connectRedis(options);
    this.#connections.push(connection);
    await until(() => connection.status === 'ready');
    return connection;
  }

  /** A process with Redis and long timeouts. */
  async reservation(options: Partial<TripReservationOptions> = {}): Promise<TripReservation> {
    return this.withoutRedis({ redis: await this.connectPatiently(), ...PATIENT, ...options });
  }

  /** A process without Redis. The namespace is given, so that no statement reads it. */
  withoutRedis(options: Partial<TripReservationOptions> = {}): TripReservation {
    const { namespace, database } = this;
    const reservation = createTripReservation({ database: database.pool, namespace, ...options });
    this.#reservations.push(reservation);
    return reservation;
  }

  /** The key of the gate of an offer. */
  gateKey(tripId: bigint, epoch = 1): string {
    return `trip_lock:${this.namespace}:${tripId}:${epoch}`;
  }

  /** All keys of the driver pool. */
  get poolKeys(): string[] {
    return ['places', 'heard', 'marks', 'hidden', 'ends'].map((name) => this.poolKey(name));
  }

  /** A key of the driver pool. */
  poolKey(name: string): string {
    return `{driver_pool:${this.namespace}}:${name}`;
  }

  /** Long timeouts, so that a busy machine does not look like a Redis outage. */
  driverPool(redis: RedisConnection, options: Partial<DriverPoolOptions> = {}): DriverPool {
    return createDriverPool({ redis, namespace: this.namespace, timeoutMs: 5000, ...options });
  }

  /** A trip that is open to everyone for a minute. */
  async openTrip(options: { readonly offeredTo?: readonly bigint[]; readonly offerTtlMs?: number } = {}) {
    const tripId = freshId();
    const admin = createTripReservation({ database: this.database.pool, offerTtlMs: 60_000 });
    return admin.requestTrip({ tripId, riderId: tripId, ...options });
  }

  /** Moves the end of the offer into the past. */
  async letOfferRunOut(tripId: bigint): Promise<void> {
    await this.database.pool.query(
      `UPDATE trips SET offer_expires_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [String(tripId)],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#reservations.map((reservation) => reservation.close()));
    for (const pubSub of this.#pubSubs) pubSub.close();
    for (const connection of this.#connections) connection.disconnect();
    await this.database.drop();
    await this.redis.drop();
  }
}
