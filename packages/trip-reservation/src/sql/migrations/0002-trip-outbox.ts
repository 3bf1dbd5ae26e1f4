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
  offer_expires_at timestamptz(3) NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  published_at timestamptz(3),
  reason text,

  -- The same revision twice would be two changes of one state.
  PRIMARY KEY (trip_id, revision)
);

CREATE INDEX trip_outbox_unpublished ON trip_outbox (occurred_at) WHERE published_at IS NULL;

-- One entry per ended trip, added when its end is published. The sweep uses the same statuses to find old history.
CREATE INDEX trip_outbox_ended ON trip_outbox (published_at)
  WHERE published_at IS NOT NULL AND status IN ('COMPLETED', 'CANCELLED', 'EXPIRED');
`;
