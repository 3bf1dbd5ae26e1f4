/** A class whose instance feeds subscriptions. */
type FeedClass<Feed> = abstract new (...parts: never[]) => Feed;

/**
 * Event sources of subscriptions, by class. Part of the request context, because the decorator of a subscription cannot
 * reach the instance of its resolver.
 */
export class Feeds {
  readonly #byClass: ReadonlyMap<unknown, object>;

  constructor(feeds: readonly object[]) {
    this.#byClass = new Map(feeds.map((feed) => [feed.constructor, feed]));
  }

  get<Feed extends object>(feedClass: FeedClass<Feed>): Feed {
    const feed = this.#byClass.get(feedClass);
    if (feed === undefined) throw new Error(`no feed ${feedClass.name}`);
    return feed as Feed;
  }
}
