import { lockLimit } from '@solegate/postgres-infra';
import { recordEvents } from '../events/outbox.js';
import type { TripStatement } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { TRIP_MOVES } from '../trip/lifecycle.js';
import type { Place, WhenUnavailable } from '../trip/trip.js';

/** How long a sweep has a step to itself, in milliseconds; after that another sweep can take it. */
const LEASE_MS = 2000;
/** When a step that found no driver, or no positions, is due again, in milliseconds, unless the next one is sooner. */
export const RETRY_MS = 1000;
/** How long positions are unavailable before the offer goes to other drivers, in milliseconds. */
const FALL_BACK_MS = 2000;
/** How long the step of a trip that is driven is postponed, in milliseconds; its driver who leaves makes it due. */
const DRIVEN_MS = 10_000;

/**
 * Takes the due steps, each by one sweep, deletes rows whose trip needs no more steps, and postpones those of trips that
 * are driven. Their drivers can leave meanwhile, so `driven` locks the trips too, and checks the status of a trip that has
 * changed.
 */
export const TAKE_STEPS: TripStatement = {
  name: 'solegate_take_nearest_steps',
  text: `
  WITH ${lockLimit('$1')}, ended AS (
    SELECT n.trip_id FROM lock_limit, trip_nearest n JOIN trips t ON t.id = n.trip_id
    WHERE n.next_at <= now()
      AND (t.status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')
        OR t.status = 'FINDING' AND t.offered_driver_ids IS NULL)
    FOR UPDATE OF n SKIP LOCKED
  ), over AS (
    DELETE FROM trip_nearest n USING ended WHERE n.trip_id = ended.trip_id
  ), driven AS (
    SELECT n.trip_id FROM lock_limit, trip_nearest n JOIN trips t ON t.id = n.trip_id
    WHERE n.next_at <= now() AND t.status IN ('ACCEPTED', 'IN_PROGRESS')
    FOR UPDATE OF n, t SKIP LOCKED
  ), postponed AS (
    UPDATE trip_nearest n SET next_at = clock_timestamp() + ${DRIVEN_MS} * interval '1 millisecond'
    FROM driven WHERE n.trip_id = driven.trip_id
  ), due AS (
    SELECT n.trip_id, n.next_at AS due_at FROM lock_limit, trip_nearest n
    JOIN trips t ON t.id = n.trip_id
    WHERE n.next_at <= now() AND t.status = 'FINDING' AND t.offer_expires_at > clock_timestamp()
      AND t.offered_driver_ids IS NOT NULL
    ORDER BY n.next_at LIMIT $2
    FOR UPDATE OF n SKIP LOCKED
  ), taken AS (
    UPDATE trip_nearest n SET next_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    FROM due WHERE n.trip_id = due.trip_id
    RETURNING n.*, due.due_at
  )
  SELECT taken.trip_id, batch_size, every_ms, radii, when_unavailable, listed_driver_ids, next_step, t.revision, t.pickup,
         taken.due_at, greatest(1, ceil(1000 * extract(epoch FROM t.offer_expires_at - clock_timestamp())))::integer AS offer_left_ms,
         t.offered_driver_ids || t.excluded_driver_ids AS known_driver_ids,
         coalesce(unavailable_since <= clock_timestamp() - ${FALL_BACK_MS} * interval '1 millisecond', false)
           AS is_fall_back_due
  FROM taken JOIN trips t ON t.id = taken.trip_id
  ORDER BY taken.due_at, taken.trip_id`,
};

export interface StepRow {
  readonly trip_id: string;
  readonly batch_size: number;
  readonly every_ms: number;
  readonly radii: readonly number[];
  readonly when_unavailable: WhenUnavailable;
  readonly listed_driver_ids: readonly string[] | null;
  readonly next_step: number;
  readonly revision: number;
  readonly pickup: Place;
  readonly due_at: Date;
  /** How long the offer still lasts, in milliseconds. */
  readonly offer_left_ms: number;
  readonly known_driver_ids: readonly string[];
  readonly is_fall_back_due: boolean;
}

/**
 * Ends the steps that a sweep has taken: one statement, however many. A trip that has changed since is not moved; it is
 * returned with the drivers it is offered to now, some of whom another sweep may have found, too. One whose row is locked
 * is skipped. The step is taken again once its lease ends. Revision, status and expiry are checked under the lock.
 */
export const END_STEPS: TripStatement = {
  name: 'solegate_end_nearest_steps',
  text: `
  WITH ${lockLimit('$1')}, found AS (
    SELECT trip_id, array_agg(driver_id ORDER BY place) AS driver_ids
    FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS f (trip_id, driver_id, place)
    GROUP BY trip_id
  ), steps AS (
    SELECT n.trip_id, w.revision, w.next_step, w.is_everyone, w.is_unavailable, n.every_ms, w.due_at,
           CASE WHEN w.is_everyone THEN NULL ELSE coalesce(f.driver_ids, '{}') END AS driver_ids
    FROM lock_limit,
      unnest($4::bigint[], $5::integer[], $6::integer[], $7::boolean[], $8::boolean[], $9::timestamptz[])
        AS w (trip_id, revision, next_step, is_everyone, is_unavailable, due_at)
    JOIN trip_nearest n ON n.trip_id = w.trip_id
    LEFT JOIN found f ON f.trip_id = w.trip_id
    ORDER BY n.trip_id FOR UPDATE OF n SKIP LOCKED
  ), held AS (
    SELECT t.id, t.status, t.revision = s.revision AS is_same, t.offer_expires_at, t.offered_driver_ids, s.driver_ids
    FROM steps s JOIN trips t ON t.id = s.trip_id
    WHERE s.is_everyone OR s.driver_ids <> '{}'
    ORDER BY t.id FOR UPDATE OF t SKIP LOCKED
  ), moved AS (
    UPDATE trips t
    SET status = '${TRIP_MOVES.reach.to}', revision = t.revision + 1,
        offered_driver_ids = CASE WHEN held.driver_ids IS NULL THEN NULL
          ELSE ARRAY(SELECT DISTINCT unnest(t.offered_driver_ids || held.driver_ids)) END
    FROM held
    WHERE t.id = held.id AND held.is_same AND held.status = '${TRIP_MOVES.reach.from[0]}'
      AND held.offer_expires_at > clock_timestamp()
    RETURNING t.*, held.driver_ids AS reached_driver_ids
  ), stepped AS (
    UPDATE trip_nearest n
    SET next_step = s.next_step,
        next_at = CASE WHEN m.id IS NULL
          THEN clock_timestamp() + least(s.every_ms, ${RETRY_MS}) * interval '1 millisecond'
          ELSE greatest(clock_timestamp(), s.due_at + s.every_ms * interval '1 millisecond') END,
        unavailable_since = CASE WHEN s.is_unavailable THEN coalesce(n.unavailable_since, clock_timestamp()) END
    FROM steps s LEFT JOIN moved m ON m.id = s.trip_id
    WHERE n.trip_id = s.trip_id AND (m.id IS NOT NULL OR s.driver_ids = '{}')
  ), ${recordEvents('reach', { offeredTo: 'reached_driver_ids' })}
  SELECT held.id, moved.id IS NOT NULL AS is_moved, held.offered_driver_ids FROM held LEFT JOIN moved USING (id)`,
};

/** A trip whose row was not locked by others. */
export interface EndedRow {
  readonly id: string;
  readonly is_moved: boolean;
  /** Before this step; null: everyone. */
  readonly offered_driver_ids: readonly string[] | null;
}

/** What a sweep found for one step. */
export interface EndedStep {
  readonly tripId: bigint;
  readonly revision: number;
  readonly nextStep: number;
  readonly dueAt: Date;
  /** Null: everyone. */
  readonly driverIds: readonly bigint[] | null;
  readonly isUnavailable: boolean;
}

/** The parameters of `END_STEPS`, from $2 on. */
export function endStepsValues(steps: readonly EndedStep[]): unknown[] {
  const pairs = steps.flatMap(({ tripId, driverIds }) =>
    (driverIds ?? []).map((driverId) => ({ tripId, driverId })),
  );
  return [
    idArray(pairs.map(({ tripId }) => tripId)),
    idArray(pairs.map(({ driverId }) => driverId)),
    idArray(steps.map(({ tripId }) => tripId)),
    idArray(steps.map(({ revision }) => revision)),
    idArray(steps.map(({ nextStep }) => nextStep)),
    steps.map(({ driverIds }) => driverIds === null),
    steps.map(({ isUnavailable }) => isUnavailable),
    steps.map(({ dueAt }) => dueAt),
  ];
}
