export const tripsText = `-- Rules for one value are domains; rules between columns are one constraint. This keeps the accept fast: a domain is
-- checked only where its column is written, and a session caches it, while each statement reads every constraint of its
-- table. Lists of statuses are array literals for the same reason.
CREATE DOMAIN trip_status AS text
  CHECK (VALUE IN ('SCHEDULED', 'FINDING', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED'));
CREATE DOMAIN trip_identifier AS bigint CHECK (VALUE > 0);
CREATE DOMAIN trip_positive AS integer CHECK (VALUE > 0);
CREATE DOMAIN trip_request_key AS text CHECK (length(VALUE) BETWEEN 1 AND 200);

-- A trip and everything that decides who gets it, in one row, so that one row lock covers it all.
CREATE TABLE trips (
  id trip_identifier PRIMARY KEY,
  rider_id trip_identifier NOT NULL,
  status trip_status NOT NULL,
  epoch trip_positive NOT NULL,
  revision trip_positive NOT NULL,
  driver_id trip_identifier,
  idempotency_key trip_request_key,
  pickup jsonb,
  dropoff jsonb,
  -- NULL: offered to everyone.
  offered_driver_ids bigint[],
  -- Excluded: left this trip, in any epoch. Rejected: declined the current offer.
  excluded_driver_ids bigint[] NOT NULL DEFAULT '{}',
  rejected_driver_ids bigint[] NOT NULL DEFAULT '{}',
  offer_ttl_ms trip_positive NOT NULL,
  offer_rounds_left integer NOT NULL,
  offer_expires_at timestamptz(3) NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- When the trip is first offered; NULL: as soon as it was requested.
  offer_at timestamptz(3),
  arrived_at timestamptz(3),
  cancel_reason text,

  CONSTRAINT trips_facts_fit_status CHECK (
    -- An offered trip has no driver,
    (status <> ALL ('{FINDING,EXPIRED}'::text[]) OR (driver_id IS NULL AND accepted_at IS NULL))
    -- an accepted one has a driver,
    AND (status <> ALL ('{ACCEPTED,IN_PROGRESS,COMPLETED}'::text[]) OR (driver_id IS NOT NULL AND accepted_at IS NOT NULL))
    -- a completed one was started, and exactly the final statuses have an end.
    AND (status <> ALL ('{IN_PROGRESS,COMPLETED}'::text[]) OR started_at IS NOT NULL)
    AND (status = ANY ('{COMPLETED,CANCELLED,EXPIRED}'::text[])) = (ended_at IS NOT NULL)
    AND offer_rounds_left >= 0
  )
);

CREATE UNIQUE INDEX trips_one_per_request ON trips (rider_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE INDEX trips_by_rider ON trips (rider_id, id);
CREATE INDEX trips_by_driver ON trips (driver_id, id) WHERE driver_id IS NOT NULL;
CREATE INDEX trips_open_offers ON trips (offer_expires_at) WHERE status = 'FINDING';
CREATE INDEX trips_scheduled ON trips (offer_at) WHERE status = 'SCHEDULED';
CREATE INDEX trips_ended ON trips (ended_at) WHERE ended_at IS NOT NULL;

-- A row exists while its trip is ACCEPTED or IN_PROGRESS: no driver has two trips, no trip has two drivers. The table is
-- as long as the number of drivers on the road, so the sweep reads it whole, and the accept maintains one index less.
-- There is no foreign key, because the statements that write here move the trip at the same time.
CREATE TABLE driver_active (
  driver_id bigint PRIMARY KEY,
  trip_id bigint NOT NULL UNIQUE,
  -- The driver is removed from a trip that they have not started by then; NULL once started.
  start_by timestamptz(3)
);

-- One row: identifies these tables to Redis, together with the identity of the database; a copy has another one.
-- pruned_until: when the newest event happened that was deleted with its history.
CREATE TABLE trip_namespace (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  pruned_until timestamptz(3)
);
INSERT INTO trip_namespace DEFAULT VALUES;
`;
