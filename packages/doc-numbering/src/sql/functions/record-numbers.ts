export const recordNumbersText = `-- document_number_record_v1: records numbers that people chose: assigned, skipped or imported.
--
-- Arguments: event: number_assigned, numbers_skipped or numbers_imported; counter_id; revision of its series, for which
--   the numbers were checked; batch; actor; reason, of the event. One element per number: sequences, numbers (the texts),
--   statuses (manual, cancelled or imported), format_versions, business_dates, documents, ids, reasons.
--   passes_taken: give a cancelled number whose text is taken a text of its own; otherwise it is an error.
-- Reply: RECORDED, or RULES_CHANGED if the series has another revision, or NOT_NEXT if the numbers neither follow the
--   counter's last one without a gap nor lie in the manual interval of the series. Errors: 23505, a text or an id is taken.
-- Locks: the counter; use document_number_open_v1 to lock several in the order of their ids before.
-- Order: lock, read the rules in a new snapshot, record, raise, write the event.
CREATE FUNCTION document_number_record_v1(
  event text, counter_id bigint, revision bigint, batch uuid, actor text, reason text, sequences bigint[], numbers text[],
  statuses text[], format_versions integer[], business_dates date[], documents text[], ids bigint[], reasons text[],
  passes_taken boolean
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS $$
#variable_conflict use_column
DECLARE
  wanted_id CONSTANT bigint := counter_id;
  wanted_revision CONSTANT bigint := revision;
  c document_number_counters;
  s document_number_series;
  added record;
BEGIN
  SELECT * INTO c FROM document_number_counters WHERE id = wanted_id FOR NO KEY UPDATE;
  SELECT * INTO s FROM document_number_series WHERE id = c.series_id;
  IF s.revision IS DISTINCT FROM wanted_revision OR s.blocked IS NOT NULL THEN
    RETURN 'RULES_CHANGED';
  END IF;
  SELECT count(*) AS number_count, count(*) FILTER (WHERE r.is_manual) AS manual_count,
    count(*) FILTER (WHERE r.status = 'cancelled') AS cancelled_count,
    min(r.sequence) FILTER (WHERE NOT r.is_manual) AS lowest, max(r.sequence) FILTER (WHERE NOT r.is_manual) AS highest,
    max(r.sequence) AS chosen, max(r.number) FILTER (WHERE r.status = 'manual') AS chosen_number,
    max(r.business_date) FILTER (WHERE NOT r.is_manual AND r.status <> 'cancelled') AS last_date
  INTO added
  FROM (
    SELECT u.*, coalesce(u.sequence BETWEEN s.manual_first AND s.manual_last, false) AS is_manual
    FROM unnest(sequences, numbers, statuses, business_dates) AS u (sequence, number, status, business_date)
  ) r;
  -- The primary key has each sequence once, so the ends and the count show that there is no gap.
  IF added.number_count = 0 OR statuses && ARRAY['reserved', 'issued', 'void']
    OR (added.manual_count < added.number_count AND (added.lowest <> c.last_number + 1
      OR added.highest <> c.last_number + added.number_count - added.manual_count))
  THEN
    RETURN 'NOT_NEXT';
  END IF;
  PERFORM set_config('document_number.writes', 'on', true);
  INSERT INTO document_numbers (counter_id, space, period, actor, batch, sequence, number, status, format_version,
    business_date, document, id, reason)
  SELECT c.id, s.space, c.period, actor, batch, r.sequence,
    CASE WHEN passes_taken AND r.status = 'cancelled'
      AND EXISTS (SELECT FROM document_numbers n WHERE n.space = s.space AND n.number = r.number)
    THEN r.number || ' (skipped, counter ' || c.id || ')' ELSE r.number END,
    r.status, r.format_version, r.business_date, r.document, r.id, r.reason
  FROM unnest(sequences, numbers, statuses, format_versions, business_dates, documents, ids, reasons)
    AS r (sequence, number, status, format_version, business_date, document, id, reason);
  UPDATE document_number_counters
  SET last_number = coalesce(added.highest, last_number), version = version + (added.highest IS NOT NULL)::integer,
    last_date = greatest(last_date, added.last_date), updated_at = clock_timestamp(),
    printed_versions = document_number_distinct(printed_versions || array_remove(format_versions, NULL))
  WHERE id = c.id;
  INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
  SELECT event, s.space, c.id, CASE event WHEN 'number_assigned' THEN added.chosen END,
    CASE event WHEN 'number_assigned' THEN added.chosen_number END, actor, reason,
    CASE event
      WHEN 'number_assigned' THEN jsonb_build_object('skippedCount', added.cancelled_count)
      WHEN 'numbers_skipped' THEN jsonb_build_object('first', added.lowest, 'last', added.highest)
      ELSE jsonb_build_object('batch', batch, 'rowCount', added.number_count - added.cancelled_count,
        'holeCount', added.cancelled_count, 'lastNumber', c.last_number,
        'raisedTo', coalesce(added.highest, c.last_number))
    END;
  -- Numbers of the manual interval have no order of their own: the event of each is its place in feeds.
  IF event = 'numbers_imported' THEN
    INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
    SELECT 'number_assigned', s.space, c.id, r.sequence, r.number, actor, reason, jsonb_build_object('batch', batch)
    FROM unnest(sequences, numbers) AS r (sequence, number)
    WHERE r.sequence BETWEEN s.manual_first AND s.manual_last
    ORDER BY r.sequence;
  END IF;
  PERFORM set_config('document_number.writes', 'off', true);
  RETURN 'RECORDED';
END $$;
`;
