-- How many accepts each offer saw and how they ended; counted in memory and added in batches.
CREATE TABLE trip_attempts (
  trip_id bigint NOT NULL,
  epoch integer NOT NULL,
  outcome text NOT NULL,
  attempt_count bigint NOT NULL CHECK (attempt_count > 0),
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,

  PRIMARY KEY (trip_id, epoch, outcome)
);
