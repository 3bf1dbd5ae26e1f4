/**
 * Deletes old data. Any number of processes can prune concurrently; each skips rows that another has locked.
 *
 * History. All events of a trip are deleted together, `historyKeptMs` after the event of its end was published;
 * until then, a client that reconnects can catch up without a gap. An event that no relay has published yet
 * keeps the whole history of its trip. The trip itself is kept.
 *
 * Attempts. Counts are deleted by their own age.
 *
 * Time is PostgreSQL's.
 */
import { lockLimit } from '@solegate/postgres-infra';
import type { StoreCall, TripStatement } from '../sql/database.js';
import type { PruneReport } from '../trip/observer.js';

/** The statuses must match the index `trip_outbox_ended`. */
const PRUNE_EVENTS: TripStatement = {
  name: 'solegate_prune_events',
  text: `
  WITH ${lockLimit('$1')}, old AS (
    SELECT e.trip_id FROM lock_limit, trip_outbox e
    WHERE e.published_at < clock_timestamp() - $3 * interval '1 millisecond'
      AND e.status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')
      AND NOT EXISTS (SELECT FROM trip_outbox u WHERE u.trip_id = e.trip_id AND u.published_at IS NULL)
    ORDER BY e.published_at LIMIT $2
    FOR UPDATE OF e SKIP LOCKED
  ), pruned AS (
    DELETE FROM trip_outbox o USING old WHERE o.trip_id = old.trip_id
    RETURNING o.trip_id
  )
  SELECT trip_id FROM pruned GROUP BY trip_id`,
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
  readonly attemptsKeptMs: number;
}

/** Deletes one batch of each kind; a count of `batchMax` means that more might remain. */
export async function pruneHistory(
  call: StoreCall,
  { batchMax, historyKeptMs, attemptsKeptMs }: PruneOptions,
): Promise<PruneReport> {
  const trips = await call.change(PRUNE_EVENTS, [batchMax, historyKeptMs]);
  const attempts = await call.change(PRUNE_ATTEMPTS, [batchMax, attemptsKeptMs]);
  return { tripCount: trips.length, attemptRowCount: attempts.length };
}
