import type { PubSub } from '@solegate/redis-infra';
import { type Events, eventsOf } from './events.js';
import { listen } from './listen.js';

/** Most facts of one message: with every field, some 100 kB. */
const BATCH_MAX = 100;

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

/**
 * The feeds that subscribers read. Nothing is queued for a slow one: the next facts are read once the connection has taken
 * those before, and HeldBytes limits what it leaves unread.
 */
export class FactReaders {
  readonly #open = new Set<FactFeed<unknown>>();

  get readerCount(): number {
    return this.#open.size;
  }

  /** Of the reader that is farthest behind. */
  get behindMax(): number {
    return Math.max(0, ...[...this.#open].map(({ behindCount }) => behindCount));
  }

  batches<Fact>(feed: FactFeed<Fact>): Events<FactBatch<Fact>> {
    this.#open.add(feed);
    const events: Events<FactBatch<Fact>> = eventsOf(
      async () => {
        const facts = await feed.take(BATCH_MAX);
        return facts.length === 0 ? events.return() : { done: false, value: { facts, cursor: feed.cursor } };
      },
      () => {
        this.#open.delete(feed);
        return feed.return?.();
      },
    );
    return events;
  }
}
