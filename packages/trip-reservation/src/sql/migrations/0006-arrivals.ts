export const arrivalsText = `-- Trips that are offered later, drivers who are there, and why a trip was cancelled.
ALTER DOMAIN trip_status DROP CONSTRAINT trip_status_check;
ALTER DOMAIN trip_status ADD CONSTRAINT trip_status_check
  CHECK (VALUE IN ('SCHEDULED', 'FINDING', 'ACCEPTED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED')) NOT VALID;

ALTER TABLE trips
  -- When the trip is offered first; NULL: as soon as it was requested.
  ADD COLUMN offer_at timestamptz(3),
  ADD COLUMN arrived_at timestamptz(3),
  ADD COLUMN cancel_reason text;
ALTER TABLE trip_outbox ADD COLUMN reason text;

CREATE INDEX trips_scheduled ON trips (offer_at) WHERE status = 'SCHEDULED';
`;
