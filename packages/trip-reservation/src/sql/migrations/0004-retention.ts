export const retentionText = `-- What is old is found by its age: the sweep removes the history of trips that ended long ago, and old counts.

-- One entry a trip, made when its end was published. The sweep asks for the same statuses.
CREATE INDEX trip_outbox_ended ON trip_outbox (published_at)
  WHERE published_at IS NOT NULL AND status IN ('COMPLETED', 'CANCELLED', 'EXPIRED');

CREATE INDEX trip_attempts_by_time ON trip_attempts (counted_at);
`;
