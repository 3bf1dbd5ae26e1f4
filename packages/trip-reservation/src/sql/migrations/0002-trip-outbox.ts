export const tripOutboxText = `-- One row for each change of a trip, written by the statement that changes it: history, and what is still to
-- be told.
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

  -- The same revision twice would be two changes of one state.
  PRIMARY KEY (trip_id, revision)
);

CREATE INDEX trip_outbox_unpublished ON trip_outbox (occurred_at) WHERE published_at IS NULL;
`;
