export const tripNearestText = `-- Progress of the offers that reach the nearest drivers first and then more of them, so that any process can continue
-- one. A row exists until its trip has ended or is offered to everyone.
CREATE TABLE trip_nearest (
  trip_id bigint PRIMARY KEY,
  batch_size integer NOT NULL CHECK (batch_size > 0),
  every_ms integer NOT NULL CHECK (every_ms > 0),
  -- Metres, one for each step; further steps use the last one.
  radii integer[] NOT NULL CHECK (cardinality(radii) > 0),
  -- What happens if positions stay unavailable, and the drivers of LISTED.
  when_unavailable text NOT NULL CHECK (when_unavailable IN ('WAIT', 'LISTED', 'EVERYONE')),
  listed_driver_ids bigint[],
  -- Since when every search has failed; NULL after one that succeeded.
  unavailable_since timestamptz(3),
  -- The next step, from 1, and when it is due. A sweep that takes a step postpones it; if it dies, another takes it then.
  next_step integer NOT NULL CHECK (next_step > 0),
  next_at timestamptz(3) NOT NULL
);

CREATE INDEX trip_nearest_due ON trip_nearest (next_at);
`;
