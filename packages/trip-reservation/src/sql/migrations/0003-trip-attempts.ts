export const tripAttemptsText = `-- How many accepts each offer saw and how they ended: counted in memory, appended in batches, summed by who
-- reads. One offer has a row for each outcome, process and batch.
CREATE TABLE trip_attempts (
  trip_id bigint NOT NULL,
  epoch integer NOT NULL,
  outcome text NOT NULL,
  attempt_count bigint NOT NULL CHECK (attempt_count > 0),
  counted_at timestamptz(3) NOT NULL
);

-- IDs grow with time and so does the table: ranges of pages find a trip, and cost next to nothing to keep.
CREATE INDEX trip_attempts_by_trip ON trip_attempts USING brin (trip_id);
`;
