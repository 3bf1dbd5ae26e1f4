import type { PubSub } from '@solegate/redis-infra';
import { GatewayError } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';
import { type Events, eventsOf } from './events.js';
import { listen } from './listen.js';

/** Most facts of one message: with every field, some 100 kB. */
const BATCH_MAX = 100;
/** Each reader polls PostgreSQL for itself. */
const PER_SUBJECT_MAX = 10;
/** A connection that broke unnoticed keeps its place for up to 30 seconds. */
const TOO_MANY_RETRY_MS = 5_000;

/** An open feed of a package. */
export interface FactFeed<Fact> {
  readonly cursor: string;
  readonly behindCount: number;
  take(countMax: number): Promise<readonly Fact[]>;
  return?(): Promise<unknown>;
}

/** Facts that are sent together, and the cursor after them, which `Last-Event-ID` of server-sent events is, too. */
export interface FactBatch<Fact> {
  readonly facts: readonly Fact[];
  readonly cursor: string;
}

/**
 * Opens a feed that what is published to a channel wakes. Without Redis it is opened all the same, and polls.
 *
 * @throws what `open` throws
 */
export async function openWoken<Feed>(
  pubSub: PubSub,
  channel: string,
  open: (notices: { readonly notices?: AsyncIterable<unknown> }) => Promise<Feed>,
): Promise<Feed> {
  const heard = await listen(pubSub, channel).catch(() => undefined);
  if (heard === undefined) return open({});
  const notices = eventsOf(
    () => heard.next(),
    () => heard.close(),
  );
  try {
    return await open({ notices });
  } catch (error) {
    heard.close();
    throw error;
  }
}

interface FactReader {
  readonly subjectId: bigint;
  /** Absent while it is being opened. */
  feed?: FactFeed<unknown>;
}

/**
 * The feeds that subscribers read, a few for each person. Nothing is queued for a slow one: the next facts are read once the
 * connection has taken those before, and HeldBytes limits what it leaves unread.
 */
export class FactReaders {
  readonly #readers = new Set<FactReader>();

  get readerCount(): number {
    return this.#readers.size;
  }

  /** Of the reader that is farthest behind. */
  get behindMax(): number {
    return Math.max(0, ...[...this.#readers].map(({ feed }) => feed?.behindCount ?? 0));
  }

  /** @throws {GatewayError} TOO_MANY_FEEDS; what `open` throws */
  async batches<Fact>(
    { subjectId }: Identity,
    open: () => Promise<FactFeed<Fact>>,
  ): Promise<Events<FactBatch<Fact>>> {
    const reader = this.#begin(subjectId);
    const feed = await open().catch((error: unknown) => {
      this.#readers.delete(reader);
      throw error;
    });
    reader.feed = feed;
    const events: Events<FactBatch<Fact>> = eventsOf(
      async () => {
        const facts = await feed.take(BATCH_MAX);
        return facts.length === 0 ? events.return() : { done: false, value: { facts, cursor: feed.cursor } };
      },
      () => {
        this.#readers.delete(reader);
        return feed.return?.();
      },
    );
    return events;
  }

  /** The place is taken before the feed is opened, so that many at the same time find no more places than one by one. */
  #begin(subjectId: bigint): FactReader {
    const own = [...this.#readers].filter((reader) => reader.subjectId === subjectId);
    if (own.length >= PER_SUBJECT_MAX) throw tooManyFeeds();
    const reader: FactReader = { subjectId };
    this.#readers.add(reader);
    return reader;
  }
}

function tooManyFeeds(): GatewayError {
  return new GatewayError({
    code: 'RATE_LIMITED',
    reason: 'TOO_MANY_FEEDS',
    message: `You already follow ${PER_SUBJECT_MAX} feeds of this kind; close some first.`,
    retryable: true,
    retryAfterMs: TOO_MANY_RETRY_MS,
  });
}
