import type { TripStatement } from '../sql/database.js';
import { EVENT_COLUMNS } from './outbox.js';

/** Most events of one look. */
export const PAGE = 1000;
/** Most events that are placed in one transaction. */
const PLACE_MAX = 10_000;

const msOf = (time: string): string => `floor(1000 * extract(epoch FROM ${time}))::float8`;

/** Changes when the server starts, recovers or is another one, and when the table was filled anew. */
const SERVER = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_last_wal_replay_lsn(),
    pg_relation_filepath('trip_outbox'))`;

/** Every row has the state of the tables; if there is no event, one row has it alone. */
export const READ_FEED: TripStatement = {
  name: 'solegate_read_feed',
  text: `
  SELECT h.*, e.*, ${msOf('e.occurred_at')} AS occurred_ms
  FROM (
    SELECT ${SERVER} AS server, f.last_position::float8, ${msOf('now()')} AS now_ms,
      ${msOf('n.pruned_until')} AS pruned_ms, EXISTS (SELECT FROM trip_outbox WHERE position IS NULL) AS is_unplaced
    FROM trip_feed f CROSS JOIN trip_namespace n
  ) h
  LEFT JOIN (
    SELECT ${EVENT_COLUMNS}, position::float8 FROM trip_outbox
    WHERE trip_outbox.position > $1::bigint ORDER BY trip_outbox.position LIMIT ${PAGE}
  ) e ON true
  ORDER BY e.position`,
};

/** What is stored at a position, and where to read again if it is something else. */
export const CHECK_FEED: TripStatement = {
  name: 'solegate_check_feed',
  text: `
  SELECT ${SERVER} AS server, n.id AS namespace_id, ${msOf('n.pruned_until')} AS pruned_ms, f.last_position::float8,
    ${msOf('now()')} AS now_ms,
    e.trip_id, e.revision, ${msOf('e.occurred_at')} AS occurred_ms,
    k.position::float8 AS kept_position, k.trip_id AS kept_trip_id, k.revision AS kept_revision,
    ${msOf('k.occurred_at')} AS kept_ms
  FROM trip_namespace n CROSS JOIN trip_feed f
  LEFT JOIN trip_outbox e ON e.position = $1::bigint
  LEFT JOIN LATERAL (
    SELECT * FROM trip_outbox w
    WHERE e.trip_id IS DISTINCT FROM $3::bigint AND w.position <= $1::bigint
      AND w.position < coalesce((
        SELECT min(m.position) FROM trip_outbox m WHERE m.position <= $1::bigint AND ${msOf('m.occurred_at')} > $2::float8
      ), $1::bigint + 1)
    ORDER BY w.position DESC LIMIT 1
  ) k ON true`,
};

/** Waits for others that place: what it then reads is newer than their positions. */
export const LOCK_FEED = 'SELECT last_position FROM trip_feed FOR UPDATE';

/**
 * Of a trip, the first revisions that have no position: whoever sees a revision sees the earlier ones, because the trip is
 * locked until a change commits. Trips are in the order of their events, as far as clocks agree.
 */
export const PLACE_EVENTS = `
  WITH unplaced AS (
    SELECT trip_id, revision, occurred_at FROM trip_outbox
    WHERE position IS NULL ORDER BY trip_id, revision LIMIT ${PLACE_MAX}
  ), ordered AS (
    SELECT u.trip_id, u.revision, row_number() OVER (ORDER BY u.since, u.trip_id, u.revision) AS place
    FROM (SELECT *, max(occurred_at) OVER (PARTITION BY trip_id ORDER BY revision) AS since FROM unplaced) u
  ), placed AS (
    UPDATE trip_outbox o SET position = f.last_position + w.place
    FROM ordered w, trip_feed f
    WHERE o.trip_id = w.trip_id AND o.revision = w.revision
  )
  UPDATE trip_feed SET last_position = last_position + (SELECT count(*) FROM ordered)`;
