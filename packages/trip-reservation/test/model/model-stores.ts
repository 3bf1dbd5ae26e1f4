import type { RedisConnection } from '@solegate/redis-infra';
import type { Scheduler } from 'fast-check';
import type { PooledSession, SqlPool, SqlStatement, TripStatus } from '../../src/index.js';

interface ModelTrip {
  readonly id: string;
  status: TripStatus;
  epoch: number;
  revision: number;
  driver: string | undefined;
  excluded: string[];
  isOfferOver: boolean;
}

/** One reservation, in the order in which they were made. */
export interface ModelReservation {
  readonly tripId: string;
  readonly epoch: number;
  readonly driverId: string;
  /** The state of the trip and of the driver just before. */
  readonly statusBefore: TripStatus;
  readonly wasDriverBusy: boolean;
}

const LONG_AGO = new Date(0);

/** A model of PostgreSQL: each statement is atomic and runs when the scheduler chooses. */
export class ModelDatabase implements SqlPool {
  readonly trips = new Map<string, ModelTrip>();
  readonly reservations: ModelReservation[] = [];
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler, tripIds: readonly bigint[]) {
    this.#scheduler = scheduler;
    for (const tripId of tripIds) {
      const id = String(tripId);
      const trip: ModelTrip = {
        id,
        status: 'FINDING',
        epoch: 1,
        revision: 1,
        driver: undefined,
        excluded: [],
        isOfferOver: false,
      };
      this.trips.set(id, trip);
    }
  }

  connect(): Promise<PooledSession> {
    return Promise.resolve({ query: (statement) => this.query(statement), release: () => undefined });
  }

  /** The scheduler chooses when the statement arrives and when its reply does. */
  async query({ name = '', values }: SqlStatement) {
    if (name === 'solegate_add_attempts') return { rows: [], rowCount: 0 };
    await this.#scheduler.schedule(Promise.resolve(), `${name} arrives`);
    const rows = this.run(name, values);
    await this.#scheduler.schedule(Promise.resolve(), `${name} is answered`);
    return { rows, rowCount: rows.length };
  }

  run(name: string, values: unknown[]): unknown[] {
    switch (name) {
      case 'solegate_decide_trips':
      case 'solegate_decide_held_trip':
        return this.#decide(values);
      case 'solegate_read_standing':
        return this.#readStanding(values);
      case 'solegate_read_busy_drivers':
        return listOf(values[0]).flatMap((driverId) => {
          const tripId = this.busyWith(driverId);
          return tripId === undefined ? [] : [{ driver_id: driverId, trip_id: tripId }];
        });
      case 'solegate_read_trip':
        return this.#readTrip(String(values[0]));
      case 'solegate_cancel_trip':
        return this.#move(values, (trip) => {
          trip.status = 'CANCELLED';
        });
      case 'solegate_leave_trip':
        return this.#move(values, (trip) => {
          if (trip.driver) trip.excluded.push(trip.driver);
          trip.driver = undefined;
          trip.status = 'FINDING';
          trip.epoch += 1;
          trip.isOfferOver = false;
        });
      default:
        throw new Error(`the model does not know ${name}`);
    }
  }

  busyWith(driverId: string): string | undefined {
    return [...this.trips.values()].find((trip) => trip.status === 'ACCEPTED' && trip.driver === driverId)
      ?.id;
  }

  accept(trip: ModelTrip, driverId: string): void {
    this.reservations.push({
      tripId: trip.id,
      epoch: trip.epoch,
      driverId,
      statusBefore: trip.status,
      wasDriverBusy: this.busyWith(driverId) !== undefined,
    });
    trip.status = 'ACCEPTED';
    trip.driver = driverId;
    trip.revision += 1;
  }

  #decide([, trips, epochs, drivers]: unknown[]): unknown[] {
    const [tripIds, epochTexts, driverIds] = [trips, epochs, drivers].map(listOf);
    return (tripIds ?? []).flatMap((tripId, index) => {
      const trip = this.trips.get(tripId);
      const driverId = driverIds?.[index] ?? '';
      const isOpen =
        trip?.status === 'FINDING' &&
        trip.epoch === Number(epochTexts?.[index]) &&
        !trip.isOfferOver &&
        !trip.excluded.includes(driverId) &&
        this.busyWith(driverId) === undefined;
      if (!isOpen) return [];
      this.accept(trip, driverId);
      return [{ id: tripId, driver_id: driverId, epoch: trip.epoch, accepted_at: LONG_AGO }];
    });
  }

  #readStanding([trips, drivers]: unknown[]): unknown[] {
    const driverIds = listOf(drivers);
    return listOf(trips).map((tripId, index) => {
      const trip = this.trips.get(tripId);
      const driverId = driverIds[index] ?? '';
      return {
        trip_id: tripId,
        asked_by: driverId,
        status: trip?.status ?? null,
        epoch: trip?.epoch ?? null,
        revision: trip?.revision ?? null,
        driver_id: trip?.driver ?? null,
        accepted_at: trip?.driver === undefined ? null : LONG_AGO,
        is_offer_over: trip?.isOfferOver ?? null,
        offered_driver_ids: null,
        excluded_driver_ids: trip?.excluded ?? null,
        rejected_driver_ids: [],
        busy_with: this.busyWith(driverId) ?? null,
      };
    });
  }

  #readTrip(tripId: string): unknown[] {
    const trip = this.trips.get(tripId);
    return trip ? [rowOf(trip)] : [];
  }

  #move([, tripId, revision]: unknown[], change: (trip: ModelTrip) => void): unknown[] {
    const trip = this.trips.get(String(tripId));
    if (trip === undefined || trip.revision !== revision) return [];
    change(trip);
    trip.revision += 1;
    return [rowOf(trip)];
  }
}

/**
 * Redis as the gate uses it: scripts known by their number of arguments; keys run out when the test says
 * so.
 */
export class ModelRedis {
  readonly keys = new Map<string, string>();
  readonly status = 'ready';
  readonly options = {};
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  asConnection(): RedisConnection {
    return this as unknown as RedisConnection;
  }

  async evalsha(_hash: string, _keyCount: number, ...[key = '', value = '', ...rest]: string[]) {
    await this.#scheduler.schedule(Promise.resolve(), `script on ${key}`);
    const standing = this.keys.get(key);
    if (rest.length === 0) {
      if (standing === value) this.keys.delete(key);
      return 1;
    }
    if (rest.length === 2) {
      this.keys.set(key, value);
      return 1;
    }
    if (standing !== undefined && standing !== rest[1]) return [standing, 0, 10_000];
    this.keys.set(key, value);
    return ['HELD', 0, 0];
  }

  async setIfAbsent(key: string, value: string): Promise<boolean> {
    await this.#scheduler.schedule(Promise.resolve(), `SET NX ${key}`);
    if (this.keys.has(key)) return false;
    this.keys.set(key, value);
    return true;
  }
}

function listOf(literal: unknown): string[] {
  return String(literal).slice(1, -1).split(',');
}

function rowOf(trip: ModelTrip): unknown {
  return {
    id: trip.id,
    rider_id: trip.id,
    status: trip.status,
    epoch: trip.epoch,
    revision: trip.revision,
    driver_id: trip.driver ?? null,
    pickup: null,
    dropoff: null,
    offered_driver_ids: null,
    excluded_driver_ids: trip.excluded,
    offer_expires_at: LONG_AGO,
    requested_at: LONG_AGO,
    accepted_at: null,
    started_at: null,
    ended_at: null,
    is_offer_over: trip.isOfferOver,
  };
}
