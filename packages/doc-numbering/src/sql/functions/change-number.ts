/** The actor and the reason in the events of expired reservations. */
export const SWEEPER = 'numbering';
export const EXPIRED = 'expired';

/** Locks the rows that `held` selects, changes them and writes their events, in one statement. */
const changeOf = (held: string): string => `
    WITH held AS (
      SELECT n.counter_id, n.sequence, n.status FROM document_numbers n
      WHERE ${held}
    ),
    changed AS (
      UPDATE document_numbers n
      SET status = CASE step WHEN 'CONFIRM' THEN 'issued' WHEN 'VOID' THEN 'void' ELSE 'cancelled' END,
        document = coalesce(given_document, n.document), replaced_by = coalesce(given_replacement, n.replaced_by),
        void_reason = CASE step WHEN 'VOID' THEN given_reason END, voided_by = CASE step WHEN 'VOID' THEN given_actor END,
        voided_at = CASE step WHEN 'VOID' THEN clock_timestamp() END
      FROM held h
      WHERE n.counter_id = h.counter_id AND n.sequence = h.sequence
      RETURNING n.space, n.counter_id, n.sequence, n.number, h.status AS was
    )
    INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
    SELECT event, h.space, h.counter_id, h.sequence, h.number, given_actor, given_reason,
      jsonb_strip_nulls(jsonb_build_object('document', given_document, 'replacedBy', given_replacement,
        'was', CASE step WHEN 'VOID' THEN h.was END))
    FROM changed h;
    GET DIAGNOSTICS changed_count = ROW_COUNT;`;

export const changeNumberText = `-- document_number_change_v1: changes the state of numbers, and writes the event of each.
--
-- Arguments
--   step: CONFIRM or CANCEL a reservation (counter_id, sequence and its secret; document or reason); EXPIRE overdue ones,
--     oldest first (count_max); VOID a number (space, number, reason, replaced_by); ACCEPT a counter that is below issued
--     numbers (counter_id, high_water_mark, reason, and accepted_version, which begins an era of the counter). The reason
--     belongs to the event, and to the row only as void_reason.
--   actor: who; ignored for EXPIRE, where it is '${SWEEPER}'.
-- Reply: how many numbers or counters the step has changed; none that is not in the state from which the step leads:
--     reserved -> issued (CONFIRM, until it expires), cancelled (CANCEL; EXPIRE, after that)
--     issued, imported, manual -> void
-- Locks: the ledger rows, or for ACCEPT the counter; EXPIRE skips locked rows. Of two attempts, one changes the number.
CREATE FUNCTION document_number_change_v1(
  step text, actor text, reason text DEFAULT NULL, counter_id bigint DEFAULT NULL, sequence bigint DEFAULT NULL,
  secret uuid DEFAULT NULL, document text DEFAULT NULL, space text DEFAULT NULL, number text DEFAULT NULL,
  replaced_by text DEFAULT NULL, count_max integer DEFAULT NULL, high_water_mark bigint DEFAULT NULL,
  accepted_version bigint DEFAULT NULL
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
#variable_conflict use_column
DECLARE
  given_counter CONSTANT bigint := counter_id;
  given_sequence CONSTANT bigint := sequence;
  given_space CONSTANT text := space;
  given_number CONSTANT text := number;
  given_document CONSTANT text := document;
  given_replacement CONSTANT text := replaced_by;
  given_reason CONSTANT text := CASE step WHEN 'EXPIRE' THEN '${EXPIRED}' ELSE reason END;
  given_actor CONSTANT text := CASE step WHEN 'EXPIRE' THEN '${SWEEPER}' ELSE actor END;
  event CONSTANT text := CASE step WHEN 'CONFIRM' THEN 'reservation_confirmed' WHEN 'VOID' THEN 'number_voided'
    ELSE 'reservation_cancelled' END;
  changed_count bigint := 0;
BEGIN
  PERFORM set_config('document_number.writes', 'on', true);
  IF step IN ('CONFIRM', 'CANCEL') THEN${changeOf(`n.counter_id = given_counter AND n.sequence = given_sequence
        AND n.reservation = secret AND n.status = 'reserved' AND (step = 'CANCEL' OR n.expires_at > clock_timestamp())
      FOR NO KEY UPDATE`)}
  ELSIF step = 'EXPIRE' THEN${changeOf(`n.status = 'reserved' AND n.expires_at <= clock_timestamp()
      ORDER BY n.expires_at
      LIMIT count_max
      FOR NO KEY UPDATE SKIP LOCKED`)}
  ELSIF step = 'VOID' THEN${changeOf(`n.space = given_space AND n.number = given_number
        AND n.status IN ('issued', 'imported', 'manual')
      FOR NO KEY UPDATE`)}
  ELSIF step = 'ACCEPT' THEN
    WITH accepted AS (
      UPDATE document_number_counters c SET version = accepted_version
      FROM document_number_series s
      WHERE c.id = given_counter AND c.version < accepted_version AND s.id = c.series_id
      RETURNING c.id, c.last_number, s.space
    )
    INSERT INTO document_number_events (type, space, counter_id, actor, reason, facts)
    SELECT 'regression_accepted', a.space, a.id, given_actor, given_reason,
      jsonb_build_object('lastNumber', a.last_number, 'highWaterMark', high_water_mark)
    FROM accepted a;
    GET DIAGNOSTICS changed_count = ROW_COUNT;
  END IF;
  PERFORM set_config('document_number.writes', 'off', true);
  RETURN changed_count;
END $$;
`;
