import { countGivenRows } from './0002-guards.js';

export const oneCounterText = `-- Most statements write rows of one counter: it is raised without a join, found by its primary key. Rows of several
-- counters are counted once, by what they raised.
CREATE OR REPLACE FUNCTION document_number_count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  drawn record;
  raised_count bigint;
BEGIN
  SELECT min(counter_id) AS counter_id, max(counter_id) AS last_counter_id, min(sequence) AS lowest, max(sequence) AS highest,
    count(*) AS number_count, max(business_date) AS last_date, bool_and(status IN ('issued', 'reserved')) AS is_drawn
  INTO drawn
  FROM inserted;
  IF drawn.number_count = 0 THEN
    RETURN NULL;
  END IF;
  IF drawn.is_drawn AND drawn.counter_id = drawn.last_counter_id THEN
    UPDATE document_number_counters
    SET last_number = drawn.highest, version = version + 1, last_date = greatest(last_date, drawn.last_date),
      updated_at = clock_timestamp()
    WHERE id = drawn.counter_id
      AND last_number = drawn.lowest - 1 AND last_number = drawn.highest - drawn.number_count;
    IF FOUND THEN
      RETURN NULL;
    END IF;
  ELSIF drawn.is_drawn THEN
    WITH raised AS (
      UPDATE document_number_counters c
      SET last_number = i.highest, version = c.version + 1, last_date = greatest(c.last_date, i.last_date),
        updated_at = clock_timestamp()
      FROM (
        SELECT counter_id, min(sequence) AS lowest, max(sequence) AS highest, count(*) AS number_count,
          max(business_date) AS last_date
        FROM inserted
        GROUP BY counter_id
      ) i
      WHERE c.id = i.counter_id
        AND i.lowest = c.last_number + 1 AND i.highest = c.last_number + i.number_count
      RETURNING i.number_count
    )
    SELECT sum(number_count) INTO raised_count FROM raised;
    IF raised_count = drawn.number_count THEN
      RETURN NULL;
    END IF;
  END IF;

${countGivenRows}
`;
