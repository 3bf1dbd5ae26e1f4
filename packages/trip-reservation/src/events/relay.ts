/**
 * Publishes what happened to trips: rows of the outbox that nobody has published yet go to Redis
 * channels.
 *
 * The row is authoritative and stays as history. A relay locks a batch (`FOR UPDATE SKIP LOCKED`, so any
 * number of gateways may relay at once and share the work), publishes it, marks what Redis took and commits.
 * Dying at any point leaves the rows unpublished, and so does freezing: the server ends the transaction of a silent
 * relay after 5 s, and another takes the events. So an event is delivered at least once; one that was published but not
 * marked comes again under the same ID. Between relays a later event may overtake an earlier one of its trip; revisions
 * show it. Who was not listening, or whom Redis forgot, reads the history.
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
/** A connection that neither refuses nor answers must not keep a batch: shorter than `IDLE_MAX_MS`. */
const PUBLISH_TIMEOUT_MS = 4_000;
/** The server ends the transaction of a relay that froze or vanished, in milliseconds: its events go to another. */
const IDLE_MAX_MS = 5_000;

export interface PublishEventsOptions {
  readonly database: TripDatabase;
  readonly redis: RedisConnection;
  /** Events of one transaction at most. */
  readonly batchMax: number;
}

/**
 * Publishes one batch, oldest first. Resolves with how many events were published; fewer than `batchMax`
 * means that nothing is left or that others have it.
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
  const late = () => new Error(`Redis took no event within ${PUBLISH_TIMEOUT_MS} ms`);
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
