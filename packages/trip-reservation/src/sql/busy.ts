import type { TripStatement } from './database.js';

export const BUSY_DRIVERS: TripStatement = {
  name: 'solegate_read_busy_drivers',
  text: 'SELECT driver_id, trip_id FROM driver_active WHERE driver_id = ANY ($1::bigint[])',
};

interface BusyRow {
  readonly driver_id: string;
  readonly trip_id: string;
}

/** Maps each driver who has an active trip to that trip. */
export function busyOf(rows: readonly unknown[]): ReadonlyMap<bigint, bigint> {
  return new Map((rows as BusyRow[]).map((row) => [BigInt(row.driver_id), BigInt(row.trip_id)]));
}
