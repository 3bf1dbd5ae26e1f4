import { THIS_SERVER } from './this-server.js';

/**
 * Longest wait for the locks of several counters together: who draws from those that are locked already waits as well. After
 * 55P03, the transaction is rolled back and repeated.
 */
export const SEVERAL_WAIT_MS = 500;

export const openCountersText = `-- document_number_lock_counters: locks counters in the order of their ids. It waits for them until a time, and then for no
-- longer than a draw takes.
CREATE FUNCTION document_number_lock_counters(ids bigint[], ends_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one bigint;
BEGIN
  FOR one IN SELECT i FROM unnest(ids) i ORDER BY i LOOP
    -- The limit applies to each wait: each gets the time that is left.
    PERFORM set_config('lock_timeout',
      greatest(20, floor(1000 * extract(epoch FROM ends_at - clock_timestamp())))::text, true);
    PERFORM FROM document_number_counters c WHERE c.id = one FOR NO KEY UPDATE;
  END LOOP;
END $$;

-- document_number_open_v1: finds counters by what identifies them, and creates those that do not exist.
--
-- Arguments, one element per counter: series_ids; dimension_keys, the codes as canonical JSON; periods.
--   wait_ms: longest wait, at least 1, for a counter that another transaction has just created, and for all locks together.
--   locks: whether to lock the counters until the end of the transaction.
-- Reply: one row per counter, in the order of the ids. A series that does not exist has none.
-- Locks: the series of a new counter FOR KEY SHARE (its foreign key); if asked, the counters in the order of their ids.
CREATE FUNCTION document_number_open_v1(
  series_ids bigint[], dimension_keys text[], periods text[], wait_ms integer, locks boolean DEFAULT false
) RETURNS TABLE (
  counter_id bigint, series_id bigint, dimensions text, period text, first_number bigint, last_number bigint,
  version bigint, last_date date, revision bigint, server text
) LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  wanted_count bigint;
  ids bigint[];
BEGIN
  PERFORM set_config('lock_timeout', greatest(wait_ms, 1)::text, true);
  SELECT count(DISTINCT (w.series_id, w.dimensions, w.period)), array_agg(DISTINCT c.id) FILTER (WHERE c.id IS NOT NULL)
  INTO wanted_count, ids
  FROM unnest(series_ids, dimension_keys, periods) AS w (series_id, dimensions, period)
  LEFT JOIN document_number_counters c USING (series_id, dimensions, period);
  IF coalesce(cardinality(ids), 0) < wanted_count THEN
    PERFORM set_config('document_number.writes', 'on', true);
    INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number)
    SELECT s.id, w.dimensions, w.period, s.start_at, s.start_at - 1
    FROM unnest(series_ids, dimension_keys, periods) AS w (series_id, dimensions, period)
    JOIN document_number_series s ON s.id = w.series_id
    WHERE NOT EXISTS (
      SELECT FROM document_number_counters f
      WHERE (f.series_id, f.dimensions, f.period) = (w.series_id, w.dimensions, w.period)
    )
    ORDER BY s.id, w.dimensions, w.period
    ON CONFLICT ON CONSTRAINT document_number_counters_scope_key DO NOTHING;
    PERFORM set_config('document_number.writes', 'off', true);
    -- A new snapshot, which has those that other transactions have created meanwhile.
    ids := ARRAY(
      SELECT c.id FROM unnest(series_ids, dimension_keys, periods) AS w (series_id, dimensions, period)
      JOIN document_number_counters c USING (series_id, dimensions, period)
    );
  END IF;
  IF locks THEN
    PERFORM document_number_lock_counters(ids, clock_timestamp() + greatest(wait_ms, 1) * interval '1 ms');
  END IF;
  RETURN QUERY
  SELECT c.id, c.series_id, c.dimensions, c.period, c.first_number, c.last_number, c.version, c.last_date, s.revision,
    ${THIS_SERVER}
  FROM document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = ANY (ids)
  ORDER BY c.id;
END $$;
`;
