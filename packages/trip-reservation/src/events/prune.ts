/**
 * Deletes old data. Any number of processes can prune concurrently; each skips rows that another has locked.
 *
 * History. All events of a trip are deleted together, `historyKeptMs` after the event of its end was published;
 * until then, a client that reconnects can catch up without a gap. An event that no relay has published yet
 * keeps the whole history of its trip. What was deleted is noted, so that a feed that has not read it learns that. Where no end of a trip was ever published, no relay is running, and the time
 * counts from the end itself.
 *
 * Trips. A trip is deleted `tripsKeptMs` after its end, if that is set, once its history is.
 *
 * Attempts. Counts are deleted by their own age.
 *
 * Time is PostgreSQL's.
 */
import { lockLimit } from '@solegate/postgres-infra';
import type { StoreCall, TripStatement } from '../sql/database.js';
import type { PruneReport } from '../trip/observer.js';

/** Must match the index `trip_outbox_ended`. */
const ENDED = `status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')`;

/** @param condition selects the events of old ends */
const pruneEvents = (name: string, condition: string): TripStatement => ({
  name,
  text: `
  WITH ${lockLimit('$1')}, old AS (
    SELECT e.trip_id FROM lock_limit, trip_outbox e
    WHERE e.${ENDED} AND ${condition} LIMIT $2
    FOR UPDATE OF e SKIP LOCKED
  ), pruned AS (
    DELETE FROM trip_outbox o USING old WHERE o.trip_id = old.trip_id
    RETURNING o.trip_id, o.occurred_at
  ), noted AS (
    UPDATE trip_namespace n SET pruned_until = greatest(n.pruned_until, p.newest)
    FROM (SELECT max(occurred_at) AS newest FROM pruned) p WHERE p.newest IS NOT NULL
  )
  SELECT trip_id FROM pruned GROUP BY trip_id`,
});

const PRUNE_EVENTS = pruneEvents(
  'solegate_prune_events',
  `e.published_at < clock_timestamp() - $3 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM trip_outbox u WHERE u.trip_id = e.trip_id AND u.published_at IS NULL)
    ORDER BY e.published_at`,
);

const PRUNE_UNPUBLISHED = pruneEvents(
  'solegate_prune_unpublished_events',
  `e.published_at IS NULL AND e.occurred_at < clock_timestamp() - $3 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM trip_outbox p WHERE p.published_at IS NOT NULL AND p.${ENDED})
    ORDER BY e.occurred_at`,
);

const PRUNE_TRIPS: TripStatement = {
  name: 'solegate_prune_trips',
  text: `
  WITH ${lockLimit('$1')}, old AS (
    SELECT t.id FROM lock_limit, trips t
    WHERE t.ended_at < clock_timestamp() - $3 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM trip_outbox o WHERE o.trip_id = t.id)
    ORDER BY t.ended_at LIMIT $2
    FOR UPDATE OF t SKIP LOCKED
  ), steps AS (
    DELETE FROM trip_nearest n USING old WHERE n.trip_id = old.id
  )
  DELETE FROM trips t USING old WHERE t.id = old.id
  RETURNING t.id`,
};

const PRUNE_ATTEMPTS: TripStatement = {
  name: 'solegate_prune_attempts',
  text: `
  WITH ${lockLimit('$1')}
  DELETE FROM trip_attempts
  WHERE ctid = ANY (ARRAY (
    SELECT a.ctid FROM lock_limit, trip_attempts a
    WHERE a.counted_at < clock_timestamp() - $3 * interval '1 millisecond'
    ORDER BY a.counted_at LIMIT $2
    FOR UPDATE OF a SKIP LOCKED
  ))
  RETURNING trip_id`,
};

export interface PruneOptions {
  /** Maximum number of trips, or attempt rows, per statement. */
  readonly batchMax: number;
  readonly historyKeptMs: number;
  /** Undefined: trips are not deleted. */
  readonly tripsKeptMs: number | undefined;
  readonly attemptsKeptMs: number;
}

/** Deletes one batch of each kind; a count of `batchMax` means that more might remain. */
export async function pruneHistory(
  call: StoreCall,
  { batchMax, historyKeptMs, tripsKeptMs, attemptsKeptMs }: PruneOptions,
): Promise<PruneReport> {
  const published = await call.change(PRUNE_EVENTS, [batchMax, historyKeptMs]);
  const others = published.length > 0 ? [] : await call.change(PRUNE_UNPUBLISHED, [batchMax, historyKeptMs]);
  const trips = tripsKeptMs === undefined ? [] : await call.change(PRUNE_TRIPS, [batchMax, tripsKeptMs]);
  const attempts = await call.change(PRUNE_ATTEMPTS, [batchMax, attemptsKeptMs]);
  const historyCount = published.length + others.length;
  return { historyCount, tripCount: trips.length, attemptRowCount: attempts.length };
}
