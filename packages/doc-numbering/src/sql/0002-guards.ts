export const guardsText = `-- A counter moves only with the ledger: the rows that a statement inserts raise it (document_number_count_inserted), by
-- exactly their number, and nothing else changes it. The WHEN clause is the guard: a rise calls no function.
CREATE FUNCTION document_number_refuse_counter_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'counter % is raised by its ledger rows alone: last_number % to %, version % to % refused',
    OLD.id, OLD.last_number, NEW.last_number, OLD.version, NEW.version
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_counters_only_rise';
END $$;

CREATE TRIGGER document_number_counters_only_rise
  BEFORE UPDATE ON document_number_counters
  FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 OR NEW.last_number <= OLD.last_number OR NEW.version <= OLD.version)
  EXECUTE FUNCTION document_number_refuse_counter_change();

-- A new counter has issued nothing.
CREATE FUNCTION document_number_refuse_used_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a counter begins with nothing issued: last_number % must be %, version % must be 0',
    NEW.last_number, NEW.first_number - 1, NEW.version
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_counters_begin_empty';
END $$;

CREATE TRIGGER document_number_counters_begin_empty
  BEFORE INSERT ON document_number_counters
  FOR EACH ROW
  WHEN (NEW.last_number <> NEW.first_number - 1 OR NEW.version <> 0)
  EXECUTE FUNCTION document_number_refuse_used_counter();

-- The ledger counts: whatever rows a statement inserts raise their counters, each by the rows that follow its last
-- number without a hole. Rows of a manual interval lie beside the counter. Any other row has no place and is refused. So
-- no number is recorded without being counted, none is counted without being recorded, and a foreign key is not needed.
-- Looked at once a statement: drawn rows in one pass, rows that people gave (manual, imported) one by one.
CREATE FUNCTION document_number_count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  raised_count bigint;
BEGIN
  UPDATE document_number_counters c
  SET last_number = i.highest, version = c.version + 1, last_date = greatest(c.last_date, i.last_date),
    updated_at = clock_timestamp()
  FROM (
    SELECT counter_id, min(sequence) AS lowest, max(sequence) AS highest, count(*) AS number_count,
      max(business_date) AS last_date, bool_and(status IN ('issued', 'reserved')) AS is_drawn
    FROM inserted
    GROUP BY counter_id
  ) i
  WHERE c.id = i.counter_id AND i.is_drawn
    AND i.lowest = c.last_number + 1 AND i.highest = c.last_number + i.number_count;
  GET DIAGNOSTICS raised_count = ROW_COUNT;
  IF raised_count = (SELECT count(DISTINCT counter_id) FROM inserted) THEN
    RETURN NULL;
  END IF;

  UPDATE document_number_counters c
  SET last_number = i.highest, version = c.version + 1, last_date = greatest(c.last_date, i.last_date),
    updated_at = clock_timestamp()
  FROM (
    SELECT n.counter_id, min(n.sequence) AS lowest, max(n.sequence) AS highest, count(*) AS number_count,
      max(n.business_date) FILTER (WHERE n.status <> 'cancelled') AS last_date
    FROM inserted n
    JOIN document_number_counters k ON k.id = n.counter_id
    JOIN document_number_series s ON s.id = k.series_id
    WHERE n.sequence > k.last_number AND (n.sequence BETWEEN s.manual_first AND s.manual_last) IS NOT TRUE
    GROUP BY n.counter_id
  ) i
  WHERE c.id = i.counter_id AND i.lowest = c.last_number + 1 AND i.highest = c.last_number + i.number_count;
  IF EXISTS (
    SELECT FROM inserted n
    LEFT JOIN document_number_counters c ON c.id = n.counter_id
    LEFT JOIN document_number_series s ON s.id = c.series_id
    WHERE (n.sequence BETWEEN c.first_number AND c.last_number) IS NOT TRUE
      AND (n.sequence BETWEEN s.manual_first AND s.manual_last) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'a ledger row does not follow the last number of its counter'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_numbers_counted';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER document_numbers_counted
  AFTER INSERT ON document_numbers
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_count_inserted();

-- What was issued stays issued: of a ledger row only its state and what belongs to the state may change, and never
-- back to a state it has left.
CREATE FUNCTION document_number_refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger row %/% (%) cannot change so', OLD.counter_id, OLD.sequence, OLD.status
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_numbers_kept';
END $$;

CREATE TRIGGER document_numbers_kept
  BEFORE UPDATE ON document_numbers
  FOR EACH ROW
  WHEN (
    (OLD.counter_id, OLD.sequence, OLD.space, OLD.number, OLD.period, OLD.business_date, OLD.issued_at, OLD.actor)
      IS DISTINCT FROM
    (NEW.counter_id, NEW.sequence, NEW.space, NEW.number, NEW.period, NEW.business_date, NEW.issued_at, NEW.actor)
    OR (OLD.id, OLD.format_version, OLD.idempotency_key, OLD.key_part, OLD.fingerprint, OLD.batch, OLD.batch_position)
      IS DISTINCT FROM
    (NEW.id, NEW.format_version, NEW.idempotency_key, NEW.key_part, NEW.fingerprint, NEW.batch, NEW.batch_position)
    OR (NEW.status <> OLD.status AND (
      OLD.status IN ('void', 'cancelled')
      OR (OLD.status = 'reserved' AND NEW.status NOT IN ('issued', 'cancelled'))
      OR (OLD.status IN ('issued', 'imported', 'manual') AND NEW.status <> 'void')
    ))
  )
  EXECUTE FUNCTION document_number_refuse_ledger_change();

CREATE FUNCTION document_number_refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_append_only';
END $$;

CREATE TRIGGER document_numbers_append_only
  BEFORE DELETE OR TRUNCATE ON document_numbers
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();

CREATE TRIGGER document_number_counters_append_only
  BEFORE DELETE OR TRUNCATE ON document_number_counters
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();

CREATE TRIGGER document_number_formats_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON document_number_formats
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();

CREATE TRIGGER document_number_events_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON document_number_events
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_refuse_removal();
`;
