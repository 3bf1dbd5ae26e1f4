/**
 * Publishes trip events: unpublished rows of the outbox are sent to Redis channels.
 *
 * The row is authoritative and remains as history. A relay locks a batch (`FOR UPDATE SKIP LOCKED`, so any
 * number of gateways can relay concurrently and share the work), publishes it, marks what Redis accepted and commits.
 * If a relay dies at any point, the rows stay unpublished; likewise if it hangs, because the server ends the
 * transaction of a silent relay after 5 s. Another relay then takes the events. So an event is delivered at least once;
 * one that was published but not marked is published again with the same ID. With several relays, a later event can
 * overtake an earlier one of its trip, which the revisions reveal. Subscribers that missed an event read the history.
 *
 * A relay that has had nothing to publish for some seconds, and heard of no process that writes (write-notices.ts), looks
 * rarely, if a sweeper of its process looks each second and wakes it. It then only looks at the last 15 s, and at everything about once a minute: while an old transaction is open, such
 * as a backup, PostgreSQL keeps every entry that the index of unpublished events has had since, and a look at everything
 * would read them all. It looks at everything, too, until nothing is left after a failure or a full batch.
 */
import { Deadline, type SqlSession, settleBy } from '@solegate/postgres-infra';
import type { RedisConnection } from '@solegate/redis-infra';
import type { TripDatabase } from '../sql/database.js';
import type { Namespace } from '../sql/namespace.js';
import { idArray } from '../sql/row.js';
import { channelsOf, encodeTripEvent } from './channels.js';
import { EVENT_COLUMNS, eventOf, RECENTLY_UNPUBLISHED } from './outbox.js';

const lockUnpublished = (condition: string) => `
  SELECT ${EVENT_COLUMNS} FROM trip_outbox
  WHERE ${condition}
  ORDER BY occurred_at, trip_id, revision
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;

const LOCK_ALL = lockUnpublished('published_at IS NULL');
export const LOCK_RECENT = lockUnpublished(RECENTLY_UNPUBLISHED);

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
  readonly namespace: Namespace;
  /** Maximum number of events per transaction. */
  readonly batchMax: number;
  /** Whether to look at the last 15 s only. */
  readonly isRecentOnly: boolean;
}

export interface PublishedEvents {
  readonly eventCount: number;
  /** Whether more events might be left, or some that Redis did not accept. */
  readonly isMoreLeft: boolean;
}

/** Publishes one batch, oldest first. Other relays might have further events. */
export async function publishEvents(options: PublishEventsOptions): Promise<PublishedEvents> {
  const deadline = Deadline.after(BATCH_TIMEOUT_MS);
  const namespace = await options.namespace.read(deadline);
  return options.database.transaction(deadline, (session) => publishBatch(session, namespace, options), {
    idleMaxMs: IDLE_MAX_MS,
  });
}

async function publishBatch(
  session: SqlSession,
  namespace: string,
  { redis, batchMax, isRecentOnly }: PublishEventsOptions,
): Promise<PublishedEvents> {
  const text = isRecentOnly ? LOCK_RECENT : LOCK_ALL;
  const { rows } = await session.query({ text, values: [batchMax] });
  const events = rows.map(eventOf);
  if (events.length === 0) return { eventCount: 0, isMoreLeft: false };
  const deadline = Deadline.after(PUBLISH_TIMEOUT_MS);
  const late = () => new Error(`Redis did not accept the event within ${PUBLISH_TIMEOUT_MS} ms`);
  const deliveries = await Promise.allSettled(
    events.map((event) => {
      const message = encodeTripEvent(event);
      const sent = Promise.all(
        channelsOf(namespace, event).map((channel) => redis.publish(channel, message)),
      );
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
  const isMoreLeft = events.length === batchMax || published.length < events.length;
  return { eventCount: published.length, isMoreLeft };
}
