export const tripOutboxText = `-- One row for each change of a trip, written by the statement that makes the change: the history of the trip, and what
-- is still to be published.
CREATE TABLE trip_outbox (
  trip_id bigint NOT NULL,
  revision trip_positive NOT NULL,
  type text NOT NULL,
  status trip_status NOT NULL,
  epoch integer NOT NULL,
  rider_id bigint NOT NULL,
  driver_id bigint,
  offered_driver_ids bigint[],
  -- NULL: none, which takes no space.
  excluded_driver_ids bigint[],
  offer_expires_at timestamptz(3) NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  published_at timestamptz(3),
  reason text,
  -- Given after the commit, when a feed looks, in the order of commits; NULL until then.
  position bigint,

  -- The same revision twice would be two changes of one state.
  PRIMARY KEY (trip_id, revision)
);

CREATE INDEX trip_outbox_unpublished ON trip_outbox (occurred_at) WHERE published_at IS NULL;

-- One entry per ended trip, added when its end is published. The sweep uses the same statuses to find old history.
CREATE INDEX trip_outbox_ended ON trip_outbox (published_at)
  WHERE published_at IS NOT NULL AND status IN ('COMPLETED', 'CANCELLED', 'EXPIRED');

CREATE UNIQUE INDEX trip_outbox_position ON trip_outbox (position) WHERE position IS NOT NULL;
CREATE INDEX trip_outbox_unplaced ON trip_outbox (trip_id, revision) WHERE position IS NULL;

-- One row: the last position. It is locked while positions are given, so that these commit in their order.
CREATE TABLE trip_feed (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  last_position bigint NOT NULL DEFAULT 0
);
INSERT INTO trip_feed DEFAULT VALUES;
`;
