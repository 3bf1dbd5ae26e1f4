import { SEVERAL_WAIT_MS } from './open-counters.js';

const COLUMNS = `space, code, dimensions, reset, time_zone, fiscal_start_month, fiscal_year_named_by, start_at, date_order,
      closed_until, open_until, manual_first, manual_last, end_at, blocked, authority_code`;

/** Whether columns differ between the rows \`old\` and \`new\`. */
const differ = (...columns: readonly string[]): string =>
  `(${columns.map((column) => `old.${column}`).join(', ')})
      IS DISTINCT FROM (${columns.map((column) => `new.${column}`).join(', ')})`;

export const defineSeriesText = `-- document_number_lock_space_v1: locks the definitions of a number space until the end of the transaction, so that what
-- was read before a change still holds with it.
CREATE FUNCTION document_number_lock_space_v1(space text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('document_number ' || space, 0))
$$;

-- document_number_define_v1: defines series and formats, and writes the event.
--
-- Arguments
--   step: SERIES creates or changes a series (facts: its row as a JSON object; expected: the revision that a change is
--     based on, NULL for any); FORMAT adds a version (facts: template, description, overflow, valid_from,
--     id); WITHDRAW withdraws a version that has printed nothing (expected: the version); DEFAULT sets the first format of
--     series that have none (facts: template, overflow). space; code of the series; actor.
--   event_facts: what the event says besides.
-- Reply: DONE; SAME, nothing to change; UNKNOWN, no such series or version; CHANGED, not the expected revision; IN_USE, a
--   rule that is fixed once the series has counters, or a version that has printed numbers.
-- Locks: the number space; for a change that narrows what may be drawn, the counters of the series in the order of their
--   ids, then the series, then the counters that were created in the meantime. So when it returns, no number that the new
--   rules refuse is still to be committed. It waits for them for ${SEVERAL_WAIT_MS} ms in total: after 55P03, roll back and repeat.
CREATE FUNCTION document_number_define_v1(
  step text, space text, code text, actor text, facts jsonb, event_facts jsonb, expected bigint
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$
#variable_conflict use_column
DECLARE
  given_space CONSTANT text := space;
  given_code CONSTANT text := code;
  given_actor CONSTANT text := actor;
  limit_before CONSTANT text := current_setting('lock_timeout');
  ends_at timestamptz;
  locked bigint[];
  event text;
  old document_number_series;
  new document_number_series;
  is_fixed_rule boolean := false;
  verdict text := 'DONE';
BEGIN
  PERFORM document_number_lock_space_v1(given_space);
  SELECT * INTO old FROM document_number_series s WHERE s.space = given_space AND s.code = given_code;
  IF old.id IS NULL AND step IN ('FORMAT', 'WITHDRAW') THEN
    RETURN 'UNKNOWN';
  END IF;

  IF step = 'SERIES' AND old.id IS NOT NULL THEN
    new := jsonb_populate_record(NULL::document_number_series, facts);
    new.id := old.id;
    new.revision := old.revision;
    new.identity := old.identity;
    new.created_at := old.created_at;
    is_fixed_rule := ${differ('dimensions', 'reset', 'time_zone', 'fiscal_start_month', 'fiscal_year_named_by', 'start_at', 'manual_first', 'manual_last')};
    IF old IS NOT DISTINCT FROM new THEN
      RETURN 'SAME';
    ELSIF expected <> old.revision THEN
      RETURN 'CHANGED';
    END IF;
  END IF;

  IF step = 'WITHDRAW' OR is_fixed_rule
    OR (step = 'SERIES' AND old.id IS NOT NULL AND ${differ('blocked', 'end_at', 'closed_until', 'open_until', 'date_order')})
  THEN
    ends_at := clock_timestamp() + interval '${SEVERAL_WAIT_MS} ms';
    PERFORM set_config('lock_timeout', '${SEVERAL_WAIT_MS}', true);
    locked := ARRAY(SELECT c.id FROM document_number_counters c WHERE c.series_id = old.id);
    PERFORM document_number_lock_counters(locked, ends_at);
    -- A transaction that creates a counter holds the series (FOR KEY SHARE) until it ends.
    PERFORM FROM document_number_series s WHERE s.id = old.id FOR UPDATE;
    PERFORM document_number_lock_counters(
      ARRAY(SELECT c.id FROM document_number_counters c WHERE c.series_id = old.id AND c.id <> ALL (locked)), ends_at);
    PERFORM set_config('lock_timeout', limit_before, true);
  END IF;
  IF is_fixed_rule AND EXISTS (SELECT FROM document_number_counters c WHERE c.series_id = old.id) THEN
    RETURN 'IN_USE';
  END IF;

  PERFORM set_config('document_number.writes', 'on', true);
  IF step = 'SERIES' AND old.id IS NULL THEN
    event := 'series_defined';
    INSERT INTO document_number_series (${COLUMNS}, id)
    SELECT ${COLUMNS}, coalesce(id, nextval(pg_get_serial_sequence('document_number_series', 'id')))
    FROM jsonb_populate_record(NULL::document_number_series, facts);
  ELSIF step = 'SERIES' THEN
    event := 'series_changed';
    UPDATE document_number_series SET (${COLUMNS}) = (SELECT ${COLUMNS.replace(/\w+/g, 'new.$&')})
    WHERE id = old.id;
  ELSIF step = 'FORMAT' THEN
    event := 'format_saved';
    INSERT INTO document_number_formats (series_id, version, template, description, overflow, valid_from, created_by, id)
    SELECT old.id, coalesce(max(f.version), 0) + 1, facts ->> 'template', facts ->> 'description', facts ->> 'overflow',
      (facts ->> 'valid_from')::date, given_actor,
      coalesce((facts ->> 'id')::bigint, nextval(pg_get_serial_sequence('document_number_formats', 'id')))
    FROM document_number_formats f WHERE f.series_id = old.id;
  ELSIF step = 'WITHDRAW' THEN
    event := 'format_withdrawn';
    SELECT CASE
      WHEN EXISTS (
        SELECT FROM document_number_counters c WHERE c.series_id = old.id AND expected = ANY (c.printed_versions)
      ) THEN 'IN_USE'
      WHEN f.withdrawn_at IS NOT NULL THEN 'SAME'
      ELSE 'DONE'
    END INTO verdict FROM document_number_formats f WHERE f.series_id = old.id AND f.version = expected;
    IF verdict = 'DONE' THEN
      UPDATE document_number_formats f SET withdrawn_at = clock_timestamp()
      WHERE f.series_id = old.id AND f.version = expected;
    END IF;
  ELSE
    event := 'default_format_saved';
    INSERT INTO document_number_spaces AS d (space, template, overflow)
    VALUES (given_space, facts ->> 'template', facts ->> 'overflow')
    ON CONFLICT (space) DO UPDATE SET template = excluded.template, overflow = excluded.overflow
    WHERE (d.template, d.overflow) <> (excluded.template, excluded.overflow);
    verdict := CASE WHEN FOUND THEN 'DONE' ELSE 'SAME' END;
  END IF;
  IF verdict = 'DONE' THEN
    UPDATE document_number_series SET revision = revision + 1 WHERE id = old.id AND step <> 'DEFAULT';
    INSERT INTO document_number_events (type, space, actor, facts)
    VALUES (event, given_space, given_actor, event_facts);
  END IF;
  PERFORM set_config('document_number.writes', 'off', true);
  RETURN coalesce(verdict, 'UNKNOWN');
END $$;
`;
