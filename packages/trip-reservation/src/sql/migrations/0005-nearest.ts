export const nearestText = `-- Offers that reach the nearest drivers first and then more of them, batch by batch. How far an offer has come lies here, so
-- that any process goes on with it. A row lives until its trip has ended or is offered to everyone.
CREATE TABLE trip_nearest (
  trip_id bigint PRIMARY KEY,
  batch_size integer NOT NULL CHECK (batch_size > 0),
  every_ms integer NOT NULL CHECK (every_ms > 0),
  -- Metres, one for each step; the last one stays.
  radii integer[] NOT NULL CHECK (cardinality(radii) > 0),
  -- Whom the offer reaches when positions cannot be had; NULL: everyone.
  fallback_driver_ids bigint[],
  -- The step that comes next, from 1, and when. Who takes it moves the time on; who dies with it leaves it to the next.
  next_step integer NOT NULL CHECK (next_step > 0),
  next_at timestamptz(3) NOT NULL
);

CREATE INDEX trip_nearest_due ON trip_nearest (next_at);
`;
