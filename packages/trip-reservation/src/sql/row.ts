import type { CancelReason, OfferAudience, Place, Trip, TripStatus } from '../trip/trip.js';

/** The columns of a `Trip`. */
export const TRIP_COLUMNS = `id, rider_id, status, epoch, revision, driver_id, pickup, dropoff,
  offered_driver_ids, excluded_driver_ids, offer_expires_at, requested_at, accepted_at, started_at, ended_at,
  offer_at, arrived_at, cancel_reason`;

/** A row as returned by `pg`: BIGINT as a decimal string. */
interface TripRow {
  readonly id: string;
  readonly rider_id: string;
  readonly status: TripStatus;
  readonly epoch: number;
  readonly revision: number;
  readonly driver_id: string | null;
  readonly pickup: Place | null;
  readonly dropoff: Place | null;
  readonly offered_driver_ids: readonly string[] | null;
  readonly excluded_driver_ids: readonly string[];
  readonly offer_expires_at: Date;
  readonly requested_at: Date;
  readonly accepted_at: Date | null;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly offer_at: Date | null;
  readonly arrived_at: Date | null;
  readonly cancel_reason: CancelReason | null;
}

/** Converts a row selected with {@link TRIP_COLUMNS}. */
export function tripOf(selected: unknown): Trip {
  const row = selected as TripRow;
  return {
    id: BigInt(row.id),
    riderId: BigInt(row.rider_id),
    status: row.status,
    epoch: row.epoch,
    revision: row.revision,
    driverId: row.driver_id === null ? null : BigInt(row.driver_id),
    pickup: row.pickup,
    dropoff: row.dropoff,
    offeredTo: audienceOf(row.offered_driver_ids),
    excludedDriverIds: row.excluded_driver_ids.map(BigInt),
    offerExpiresAt: row.offer_expires_at,
    requestedAt: row.requested_at,
    acceptedAt: row.accepted_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    offerAt: row.offer_at,
    arrivedAt: row.arrived_at,
    cancelReason: row.cancel_reason,
  };
}

/** Converts an `offered_driver_ids` column. */
export function audienceOf(driverIds: readonly string[] | null): OfferAudience {
  return driverIds === null ? 'EVERYONE' : driverIds.map(BigInt);
}

/**
 * Returns a PostgreSQL array literal of IDs; for large arrays, many times cheaper than the driver's generic encoding.
 */
export function idArray(ids: readonly (bigint | number)[]): string {
  return `{${ids.join(',')}}`;
}
