/**
 * Publishes trip events: unpublished rows of the outbox are sent to Redis channels.
 *
 * The row is authoritative and remains as history. A relay locks a batch (`FOR UPDATE SKIP LOCKED`, so any
 * number of gateways can relay concurrently and share the work), publishes it, marks what Redis accepted and commits.
 * If a relay dies at any point, the rows stay unpublished; likewise if it hangs, because the server ends the
 * transaction of a silent relay after 5 s. Another relay then takes the events. So an event is delivered at least once;
 * one that was published but not marked is published again with the same ID. With several relays, a later event can
 * overtake an earlier one of its trip, which the revisions reveal. Subscribers that missed an event read the history.
 */
import { Deadline, type SqlSession, settleBy } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import type { TripDatabase } from '../sql/database.js';
import { idArray } from '../sql/row.js';
import { channelsOf, encodeTripEvent } from './channels.js';
import { EVENT_COLUMNS, eventOf } from './outbox.js';

const LOCK_UNPUBLISHED = `
  SELECT ${EVENT_COLUMNS} FROM trip_outbox
  WHERE published_at IS NULL
  ORDER BY occurred_at, trip_id, revision
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;

const MARK_PUBLISHED = `
  UPDATE trip_outbox o SET published_at = clock_timestamp()
  FROM unnest($1::bigint[], $2::integer[]) AS p (trip_id, revision)
  WHERE o.trip_id = p.trip_id AND o.revision = p.revision`;

/** Longer than any healthy batch takes, in milliseconds. */
const BATCH_TIMEOUT_MS = 10_000;
/** Limit for a connection that neither fails nor responds, in milliseconds: shorter than `IDLE_MAX_MS`. */
const PUBLISH_TIMEOUT_MS = 4_000;
/** After this, in milliseconds, the server ends the transaction of a relay that hangs or has disappeared. */
const IDLE_MAX_MS = 5_000;

export interface PublishEventsOptions {
  readonly database: TripDatabase;
  readonly redis: RedisConnection;
  /** Maximum number of events per transaction. */
  readonly batchMax: number;
}

/**
 * Publishes one batch, oldest first. Resolves with the number of published events; fewer than `batchMax`
 * means that no more are left or that other relays have them.
 */
export function publishEvents({ database, redis, batchMax }: PublishEventsOptions): Promise<number> {
  return database.transaction(
    Deadline.after(BATCH_TIMEOUT_MS),
    (session) => publishBatch(session, redis, batchMax),
    { idleMaxMs: IDLE_MAX_MS },
  );
}

async function publishBatch(session: SqlSession, redis: RedisConnection, batchMax: number): Promise<number> {
  const { rows } = await session.query({ text: LOCK_UNPUBLISHED, values: [batchMax] });
  const events = rows.map(eventOf);
  if (events.length === 0) return 0;
  const deadline = Deadline.after(PUBLISH_TIMEOUT_MS);
  const late = () => new Error(`Redis did not accept the event within ${PUBLISH_TIMEOUT_MS} ms`);
  const deliveries = await Promise.allSettled(
    events.map((event) => {
      const message = encodeTripEvent(event);
      const sent = Promise.all(channelsOf(event).map((channel) => redis.publish(channel, message)));
      return settleBy(sent, deadline, late);
    }),
  );
  const published = events.filter((_, index) => deliveries[index]?.status === 'fulfilled');
  const failure = deliveries.find((delivery) => delivery.status === 'rejected');
  if (published.length === 0 && failure) throw failure.reason;
  await session.query({
    text: MARK_PUBLISHED,
    values: [
      idArray(published.map(({ tripId }) => tripId)),
      idArray(published.map(({ revision }) => revision)),
    ],
  });
  return published.length;
}
