export const tripAttemptsText = `-- How many accepts each offer received and how they ended, if a reservation counts them: collected in memory, appended
-- in batches, summed by the reader. An offer has one row for each outcome, process and batch.
CREATE TABLE trip_attempts (
  trip_id bigint NOT NULL,
  epoch integer NOT NULL,
  outcome text NOT NULL,
  attempt_count bigint NOT NULL CHECK (attempt_count > 0),
  counted_at timestamptz(3) NOT NULL
);

-- IDs and the table both grow with time: block ranges find a trip and cost next to nothing to maintain.
CREATE INDEX trip_attempts_by_trip ON trip_attempts USING brin (trip_id);
CREATE INDEX trip_attempts_by_time ON trip_attempts (counted_at);
`;
