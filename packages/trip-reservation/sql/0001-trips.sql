-- A trip and everything that decides who gets it, in one row: whoever holds the row's lock sees the whole
-- truth.
CREATE TABLE trips (
  id bigint PRIMARY KEY CHECK (id > 0),
  rider_id bigint NOT NULL CHECK (rider_id > 0),
  status text NOT NULL
    CHECK (status IN ('FINDING', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  epoch integer NOT NULL CHECK (epoch > 0),
  revision integer NOT NULL CHECK (revision > 0),
  driver_id bigint CHECK (driver_id > 0),
  idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 200),
  pickup jsonb,
  dropoff jsonb,
  -- NULL: offered to everyone.
  offered_driver_ids bigint[],
  -- Left this trip: out for all epochs. Rejected the offer: out for the current one.
  excluded_driver_ids bigint[] NOT NULL DEFAULT '{}',
  rejected_driver_ids bigint[] NOT NULL DEFAULT '{}',
  offer_ttl_ms integer NOT NULL CHECK (offer_ttl_ms > 0),
  offer_rounds_left integer NOT NULL CHECK (offer_rounds_left >= 0),
  offer_expires_at timestamptz(3) NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),

  CONSTRAINT trips_nobody_has_a_trip_that_is_offered
    CHECK (status NOT IN ('FINDING', 'EXPIRED') OR (driver_id IS NULL AND accepted_at IS NULL)),
  CONSTRAINT trips_somebody_has_a_trip_that_is_accepted
    CHECK (
      status NOT IN ('ACCEPTED', 'IN_PROGRESS', 'COMPLETED')
      OR (driver_id IS NOT NULL AND accepted_at IS NOT NULL)
    ),
  CONSTRAINT trips_started_before_completed
    CHECK (status NOT IN ('IN_PROGRESS', 'COMPLETED') OR started_at IS NOT NULL),
  CONSTRAINT trips_ended_when_over
    CHECK ((status IN ('COMPLETED', 'CANCELLED', 'EXPIRED')) = (ended_at IS NOT NULL))
);

CREATE UNIQUE INDEX trips_one_per_request ON trips (rider_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE INDEX trips_by_rider ON trips (rider_id, id);
CREATE INDEX trips_by_driver ON trips (driver_id, id) WHERE driver_id IS NOT NULL;
CREATE INDEX trips_open_offers ON trips (offer_expires_at) WHERE status = 'FINDING';

-- A row lives as long as its trip is ACCEPTED or IN_PROGRESS: no driver on two trips, no trip with two
-- drivers. It has as many rows as drivers are on the road, so the sweep reads it whole and the accept has one
-- index less to keep. For the same reason there is no foreign key: the statements that write here move the
-- trip at the same time.
CREATE TABLE driver_active (
  driver_id bigint PRIMARY KEY,
  trip_id bigint NOT NULL UNIQUE,
  -- The driver is taken off a trip that he has not started by then; NULL once started.
  start_by timestamptz(3)
);
