import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Place, TripStatus } from '../trip/trip.js';

/** A row of `trips`, for reading. IDs are decimal strings, as TypeORM returns BIGINT. */
export interface TripRecord {
  readonly id: string;
  readonly riderId: string;
  readonly status: TripStatus;
  readonly epoch: number;
  readonly revision: number;
  readonly driverId: string | null;
  readonly idempotencyKey: string | null;
  readonly pickup: Place | null;
  readonly dropoff: Place | null;
  readonly offeredDriverIds: readonly string[] | null;
  readonly excludedDriverIds: readonly string[];
  readonly rejectedDriverIds: readonly string[];
  readonly offerTtlMs: number;
  readonly offerRoundsLeft: number;
  readonly offerExpiresAt: Date;
  readonly requestedAt: Date;
  readonly acceptedAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly offerAt: Date | null;
  readonly arrivedAt: Date | null;
  readonly cancelReason: string | null;
}

/** A row of `driver_active`. */
export interface DriverActiveRecord {
  readonly driverId: string;
  readonly tripId: string;
  readonly startBy: Date | null;
}

/** A row of `trip_outbox`. */
export interface TripOutboxRecord {
  readonly tripId: string;
  readonly revision: number;
  readonly type: string;
  readonly status: TripStatus;
  readonly epoch: number;
  readonly riderId: string;
  readonly driverId: string | null;
  readonly offeredDriverIds: readonly string[] | null;
  readonly excludedDriverIds: readonly string[] | null;
  readonly offerExpiresAt: Date;
  readonly occurredAt: Date;
  readonly publishedAt: Date | null;
  readonly reason: string | null;
  readonly position: string | null;
}

/** A row of `trip_attempts`. The table has no primary key; TypeORM is given trip, epoch and outcome as one. */
export interface TripAttemptRecord {
  readonly tripId: string;
  readonly epoch: number;
  readonly outcome: string;
  readonly attemptCount: string;
  readonly countedAt: Date;
}

type Column = EntitySchemaColumnOptions;

const id = (name: string): Column => ({ name, type: 'bigint' });
const whole = (name: string): Column => ({ name, type: 'integer' });
const text = (name: string): Column => ({ name, type: 'text' });
const moment = (name: string): Column => ({ name, type: 'timestamptz', precision: 3 });
const ids = (name: string): Column => ({ name, type: 'bigint', array: true });
const json = (name: string): Column => ({ name, type: 'jsonb' });
const key = (column: Column): Column => ({ ...column, primary: true });
const optional = (column: Column): Column => ({ ...column, nullable: true });
const emptyByDefault = (column: Column): Column => ({ ...column, default: () => "'{}'" });

/*
 * The numbered SQL files of this package define the tables with all constraints and indexes. These schemas map
 * them for reading only: changes must go through a reservation, which enforces the allowed transitions.
 */

/** The trips, for reading through TypeORM. */
export const TripEntity = new EntitySchema<TripRecord>({
  name: 'Trip',
  tableName: 'trips',
  synchronize: false,
  columns: {
    id: key(id('id')),
    riderId: id('rider_id'),
    status: text('status'),
    epoch: whole('epoch'),
    revision: whole('revision'),
    driverId: optional(id('driver_id')),
    idempotencyKey: optional(text('idempotency_key')),
    pickup: optional(json('pickup')),
    dropoff: optional(json('dropoff')),
    offeredDriverIds: optional(ids('offered_driver_ids')),
    excludedDriverIds: emptyByDefault(ids('excluded_driver_ids')),
    rejectedDriverIds: emptyByDefault(ids('rejected_driver_ids')),
    offerTtlMs: whole('offer_ttl_ms'),
    offerRoundsLeft: whole('offer_rounds_left'),
    offerExpiresAt: moment('offer_expires_at'),
    requestedAt: moment('requested_at'),
    acceptedAt: optional(moment('accepted_at')),
    startedAt: optional(moment('started_at')),
    endedAt: optional(moment('ended_at')),
    offerAt: optional(moment('offer_at')),
    arrivedAt: optional(moment('arrived_at')),
    cancelReason: optional(text('cancel_reason')),
  },
});

/** Which driver has which trip, for reading through TypeORM. */
export const DriverActiveEntity = new EntitySchema<DriverActiveRecord>({
  name: 'DriverActive',
  tableName: 'driver_active',
  synchronize: false,
  columns: {
    driverId: key(id('driver_id')),
    tripId: id('trip_id'),
    startBy: optional(moment('start_by')),
  },
});

/** The events of trips, for reading through TypeORM. */
export const TripOutboxEntity = new EntitySchema<TripOutboxRecord>({
  name: 'TripOutbox',
  tableName: 'trip_outbox',
  synchronize: false,
  columns: {
    tripId: key(id('trip_id')),
    revision: key(whole('revision')),
    type: text('type'),
    status: text('status'),
    epoch: whole('epoch'),
    riderId: id('rider_id'),
    driverId: optional(id('driver_id')),
    offeredDriverIds: optional(ids('offered_driver_ids')),
    excludedDriverIds: optional(ids('excluded_driver_ids')),
    offerExpiresAt: moment('offer_expires_at'),
    occurredAt: moment('occurred_at'),
    publishedAt: optional(moment('published_at')),
    reason: optional(text('reason')),
    position: optional(id('position')),
  },
});

/** How many accepts a trip received, for reading through TypeORM. */
export const TripAttemptEntity = new EntitySchema<TripAttemptRecord>({
  name: 'TripAttempt',
  tableName: 'trip_attempts',
  synchronize: false,
  columns: {
    tripId: key(id('trip_id')),
    epoch: key(whole('epoch')),
    outcome: key(text('outcome')),
    attemptCount: id('attempt_count'),
    countedAt: moment('counted_at'),
  },
});
