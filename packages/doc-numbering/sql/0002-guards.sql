-- A counter's number and version never fall, and what it counts never changes. The WHEN clause is the guard: an
-- update that keeps the rules calls no function.
CREATE FUNCTION document_number_refuse_counter_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'counter % may only rise: last_number % to %, version % to %',
    OLD.id, OLD.last_number, NEW.last_number, OLD.version, NEW.version
    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_counters_only_rise';
END $$;

CREATE TRIGGER document_number_counters_only_rise
  BEFORE UPDATE ON document_number_counters
  FOR EACH ROW
  WHEN (
    NEW.last_number < OLD.last_number
    OR NEW.version < OLD.version
    OR (NEW.last_number <> OLD.last_number AND NEW.version = OLD.version)
    OR NEW.last_date < OLD.last_date
    OR NEW.id <> OLD.id
    OR NEW.series_id <> OLD.series_id
    OR NEW.dimensions <> OLD.dimensions
    OR NEW.period <> OLD.period
    OR NEW.first_number <> OLD.first_number
  )
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

-- A counter is raised by exactly the numbers that the same statement records. Looked at once a statement.
CREATE FUNCTION document_number_check_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM before_update b
    JOIN after_update a ON a.id = b.id
    WHERE a.last_number - b.last_number <> (
      SELECT count(*) FROM document_numbers n
      WHERE n.counter_id = a.id AND n.sequence > b.last_number AND n.sequence <= a.last_number
    )
  ) THEN
    RAISE EXCEPTION 'a counter was raised without a ledger row for each number'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_number_counters_recorded';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER document_number_counters_recorded
  AFTER UPDATE ON document_number_counters
  REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_check_recorded();

-- A ledger row belongs to a counter that has counted it, or to the manual interval of its series. This takes the
-- place of a foreign key, at the price of one look a statement instead of one a row; the rows are looked at one by one
-- only when some lie outside.
CREATE FUNCTION document_number_check_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT counter_id, min(sequence) AS lowest, max(sequence) AS highest FROM inserted GROUP BY counter_id
    ) i
    LEFT JOIN document_number_counters c ON c.id = i.counter_id
    WHERE (i.lowest >= c.first_number AND i.highest <= c.last_number) IS NOT TRUE
  ) AND EXISTS (
    SELECT FROM inserted n
    LEFT JOIN document_number_counters c ON c.id = n.counter_id
    LEFT JOIN document_number_series s ON s.id = c.series_id
    WHERE (n.sequence BETWEEN c.first_number AND c.last_number) IS NOT TRUE
      AND (n.sequence BETWEEN s.manual_first AND s.manual_last) IS NOT TRUE
  ) THEN
    RAISE EXCEPTION 'a ledger row was written that its counter has not counted'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'document_numbers_counted';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER document_numbers_counted
  AFTER INSERT ON document_numbers
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION document_number_check_counted();

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
