export const tripsText = `-- What must hold for one value is a domain, and what must hold between columns is one constraint. The accept of a trip
-- pays for it: a domain is checked only where its column is written, and a session keeps it ready, while each statement
-- reads every constraint of its table anew. For the same reason lists of statuses are array literals.
CREATE DOMAIN trip_status AS text
  CHECK (VALUE IN ('FINDING', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED'));
CREATE DOMAIN trip_identifier AS bigint CHECK (VALUE > 0);
CREATE DOMAIN trip_positive AS integer CHECK (VALUE > 0);
CREATE DOMAIN trip_request_key AS text CHECK (length(VALUE) BETWEEN 1 AND 200);

-- A trip and everything that decides who gets it, in one row: whoever holds the row's lock sees the whole
-- truth.
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
  -- Left this trip: out for all epochs. Rejected the offer: out for the current one.
  excluded_driver_ids bigint[] NOT NULL DEFAULT '{}',
  rejected_driver_ids bigint[] NOT NULL DEFAULT '{}',
  offer_ttl_ms trip_positive NOT NULL,
  offer_rounds_left integer NOT NULL,
  offer_expires_at timestamptz(3) NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),

  CONSTRAINT trips_facts_fit_status CHECK (
    -- Nobody has a trip that is offered,
    (status <> ALL ('{FINDING,EXPIRED}'::text[]) OR (driver_id IS NULL AND accepted_at IS NULL))
    -- somebody has one that is accepted,
    AND (status <> ALL ('{ACCEPTED,IN_PROGRESS,COMPLETED}'::text[]) OR (driver_id IS NOT NULL AND accepted_at IS NOT NULL))
    -- none is completed that was not started, and what is over has ended.
    AND (status <> ALL ('{IN_PROGRESS,COMPLETED}'::text[]) OR started_at IS NOT NULL)
    AND (status = ANY ('{COMPLETED,CANCELLED,EXPIRED}'::text[])) = (ended_at IS NOT NULL)
    AND offer_rounds_left >= 0
  )
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
`;
