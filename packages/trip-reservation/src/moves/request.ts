import { lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { StoreCall, TripStatement } from '../sql/database.js';
import { idArray, TRIP_COLUMNS, tripOf } from '../sql/row.js';
import type { RequestTripOptions } from '../trip/commands.js';
import { BusyError, TripConflictError } from '../trip/errors.js';
import type { NearestOffer, Trip } from '../trip/trip.js';
import type { NearestOffers } from './nearest.js';
import { RETRY_MS } from './nearest-steps.js';

const INSERT_TRIP: TripStatement = {
  name: 'solegate_insert_trip',
  text: `
  WITH ${lockLimit('$1')}, moved AS (
    INSERT INTO trips (id, rider_id, status, epoch, revision, idempotency_key, pickup, dropoff,
                       offered_driver_ids, offer_ttl_ms, offer_rounds_left, offer_at, offer_expires_at, requested_at)
    SELECT $2::bigint, $3::bigint, CASE WHEN w.offer_at > clock_timestamp() THEN 'SCHEDULED' ELSE 'FINDING' END, 1, 1, $4::text, $5::jsonb, $6::jsonb, $7::bigint[],
           $8::integer, $9::integer, w.offer_at,
           greatest(w.offer_at, clock_timestamp()) + $8::integer * interval '1 millisecond', clock_timestamp()
    FROM lock_limit, (SELECT $15::timestamptz AS offer_at) w
    ON CONFLICT DO NOTHING
    RETURNING *
  ), near AS (
    INSERT INTO trip_nearest (trip_id, batch_size, every_ms, radii, listed_driver_ids, next_step, when_unavailable,
                              next_at, unavailable_since)
    SELECT id, $10::integer, $11::integer, $12::integer[], $13::bigint[], $14::integer, $16::text,
           CASE WHEN status = 'SCHEDULED' THEN offer_at ELSE clock_timestamp() + interval '1 millisecond'
             * CASE WHEN offered_driver_ids = '{}' THEN least($11::integer, ${RETRY_MS}) ELSE $11::integer END END,
           CASE WHEN $17::boolean THEN clock_timestamp() END
    FROM moved WHERE $10::integer IS NOT NULL
  ), ${recordEvents('request')}
  SELECT ${TRIP_COLUMNS} FROM moved`,
};

/** The conflicting trip: the one with the same key if there is one, else the one with the same ID. */
const READ_EARLIER_TRIP: TripStatement = {
  name: 'solegate_read_earlier_trip',
  text: `
  SELECT ${TRIP_COLUMNS},
         rider_id = $2::bigint AS is_same_rider,
         idempotency_key IS NOT DISTINCT FROM $3::text AS is_same_key,
         pickup IS NOT DISTINCT FROM $4::jsonb AND dropoff IS NOT DISTINCT FROM $5::jsonb AS is_same_way
  FROM trips
  WHERE (rider_id = $2::bigint AND idempotency_key = $3::text) OR id = $1::bigint
  ORDER BY (rider_id = $2::bigint AND idempotency_key IS NOT DISTINCT FROM $3::text) DESC
  LIMIT 1`,
};

interface EarlierTripRow {
  readonly is_same_rider: boolean;
  readonly is_same_key: boolean;
  readonly is_same_way: boolean;
}

export interface RequestTripDefaults {
  readonly offerTtlMs: number;
  readonly offerRoundMax: number;
}

/**
 * Creates the trip and its first offer. The ID and the rider's idempotency key identify the request: a
 * repeat returns the trip that the first call created, in its current state.
 */
export async function requestTrip(
  call: StoreCall,
  options: RequestTripOptions,
  { defaults, nearest }: { readonly defaults: RequestTripDefaults; readonly nearest: NearestOffers },
): Promise<Trip> {
  const { tripId, offeredTo = 'EVERYONE' } = options;
  const identity = [
    String(tripId),
    String(options.riderId),
    options.idempotencyKey ?? null,
    options.pickup ? JSON.stringify(options.pickup) : null,
    options.dropoff ? JSON.stringify(options.dropoff) : null,
  ];
  const audience = offeredTo === 'EVERYONE' ? null : idArray(offeredTo);
  const { offerTtlMs = defaults.offerTtlMs } = options;
  const near = await nearest.first(call, { ...options, offerTtlMs });
  const [created] = await call.change(INSERT_TRIP, [
    ...identity,
    near ? idArray(near.found.map(({ driverId }) => driverId)) : audience,
    offerTtlMs,
    defaults.offerRoundMax,
    ...(near ? stepsOf(options.nearest, audience) : [null, null, null, null]),
    near?.nextStep ?? 1,
    options.offerAt?.toISOString() ?? null,
    options.nearest?.whenUnavailable ?? 'WAIT',
    near?.isUnavailable ?? false,
  ]);
  if (created) return tripOf(created);
  const [earlier] = await call.read(READ_EARLIER_TRIP, identity);
  if (!earlier) throw new BusyError(tripId);
  const trip = tripOf(earlier);
  // Found for a repeat, or for a request that is refused: other trips can have them, unless this one is offered to them.
  const isOpen = trip.id === tripId && trip.status === 'FINDING';
  const offeredIds = new Set(isOpen && trip.offeredTo !== 'EVERYONE' ? trip.offeredTo : []);
  nearest.spare(tripId, near?.found.filter(({ driverId }) => !offeredIds.has(driverId)) ?? []);
  const { is_same_rider, is_same_key, is_same_way } = earlier as EarlierTripRow;
  if (!is_same_rider) throw new TripConflictError(trip.id, 'another rider');
  if (!is_same_key) throw new TripConflictError(trip.id, 'another idempotency key');
  if (!is_same_way) throw new TripConflictError(trip.id, 'another pickup or dropoff');
  return trip;
}

function stepsOf(nearest: NearestOffer | undefined, audience: string | null): unknown[] {
  return [nearest?.batchSize, nearest?.everyMs, idArray(nearest?.radiiMeters ?? []), audience];
}
