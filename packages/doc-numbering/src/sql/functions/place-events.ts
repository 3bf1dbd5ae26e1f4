export const placeEventsText = `-- document_number_place_v1: gives the events of numbers positions in the order of their commits.
--
-- Arguments: space; count_max, from 1.
-- Reply: how many events it has placed.
-- Locks: the places of the space, until the end of the transaction: it must have no other work.
-- Order: an event gets a position after its commit, so one that commits late gets a late one. Positions commit in their
--   order, because their lock is held until then. Who has read up to one has missed none before it.
CREATE FUNCTION document_number_place_v1(space text, count_max integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' AS $$
#variable_conflict use_column
DECLARE
  given_space CONSTANT text := space;
  placed_count bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('document_number_place ' || given_space, 0));
  PERFORM set_config('document_number.writes', 'on', true);
  UPDATE document_number_events e SET position = u.position
  FROM (
    SELECT n.id, row_number() OVER (ORDER BY n.id) + coalesce(
      (SELECT max(p.position) FROM document_number_events p WHERE p.space = given_space AND p.position IS NOT NULL), 0
    ) AS position
    FROM (
      SELECT w.id FROM document_number_events w
      WHERE w.space = given_space AND w.position IS NULL AND w.number IS NOT NULL
      ORDER BY w.id
      LIMIT count_max
    ) n
  ) u
  WHERE e.id = u.id;
  GET DIAGNOSTICS placed_count = ROW_COUNT;
  PERFORM set_config('document_number.writes', 'off', true);
  RETURN placed_count;
END $$;
`;
