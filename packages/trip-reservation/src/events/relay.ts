/**
 * Tells the world what happened to trips: rows of the outbox that nobody has published yet go to Redis
 * channels.
 *
 * The row is authoritative and stays as history. A relay locks a batch (`FOR UPDATE SKIP LOCKED`, so any
 * number of gateways may relay at once and share the work), publishes it, marks what Redis took and commits.
 * Dying at any point leaves the rows unpublished, so an event is delivered at least once; one that was
 * published but not marked comes again under the same ID. Between relays a later event may overtake an
 * earlier one of its trip; revisions tell. Who was not listening, or whom Redis forgot, reads the history.
 */
import type { RedisConnection } from '@solegate/redis-infra';
import { idArray } from '../sql/row.js';
import type { SqlPool, SqlSession } from '../sql/session.js';
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

export interface PublishEventsOptions {
  readonly database: SqlPool;
  readonly redis: RedisConnection;
  /** Events of one transaction at most. */
  readonly batchMax: number;
}

/**
 * Publishes one batch, oldest first. Resolves with how many events were published; fewer than `batchMax`
 * means that nothing is left or that others have it.
 */
export async function publishEvents({ database, redis, batchMax }: PublishEventsOptions): Promise<number> {
  const session = await database.connect();
  try {
    await session.query({ text: 'BEGIN', values: [] });
    const publishedCount = await publishBatch(session, redis, batchMax);
    await session.query({ text: 'COMMIT', values: [] });
    session.release();
    return publishedCount;
  } catch (error) {
    // Closing the connection rolls back; it may be the connection that failed.
    session.release(true);
    throw error;
  }
}

async function publishBatch(session: SqlSession, redis: RedisConnection, batchMax: number): Promise<number> {
  const { rows } = await session.query({ text: LOCK_UNPUBLISHED, values: [batchMax] });
  const events = rows.map(eventOf);
  if (events.length === 0) return 0;
  const deliveries = await Promise.allSettled(
    events.map((event) => {
      const message = encodeTripEvent(event);
      return Promise.all(channelsOf(event).map((channel) => redis.publish(channel, message)));
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
