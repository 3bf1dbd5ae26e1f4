import { clientLeft, type GatewayError, unavailable } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';

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

/** No person: what is shared by several subscribers belongs to none of them. */
const NOBODY = 0n;

/** Time left, in milliseconds, to respond once a call to an unresponsive store has timed out. */
const ANSWER_MS = 250;

type RequestFacts = Pick<RequestContext, 'identity' | 'requestId' | 'address' | 'feeds'> & {
  readonly lastEventId?: string | undefined;
  /** Default: none. */
  readonly endsAtMs?: number;
  /** Whether the client has disconnected. Default: no. */
  readonly hasLeft?: () => boolean;
};

/** State shared by the resolvers of one request. */
export class RequestContext {
  readonly identity: Identity;
  /** Repeated in every log line and in the response header `x-request-id`. */
  readonly requestId: string;
  /** The caller's address, as the trusted proxies report it. */
  readonly address: string;
  readonly feeds: Feeds;
  /** `Last-Event-ID`: the cursor of the last server-sent event that the client has. */
  readonly lastEventId: string | undefined;
  /** The root field, such as `Mutation.acceptTrip`, once the document is read; for logs and metrics. */
  readonly about = { operation: 'unread' };
  /** Deadline of the request, in milliseconds of `performance.now()`. */
  readonly endsAtMs: number;
  readonly #hasLeft: (() => boolean) | undefined;

  constructor(facts: RequestFacts) {
    this.identity = facts.identity;
    this.requestId = facts.requestId;
    this.address = facts.address;
    this.feeds = facts.feeds;
    this.lastEventId = facts.lastEventId;
    this.endsAtMs = facts.endsAtMs ?? Number.POSITIVE_INFINITY;
    this.#hasLeft = facts.hasLeft;
  }

  /** What fields may depend on, besides their arguments: roles and projects, but not the person. */
  get view(): string {
    const { roles, projects } = this.identity;
    return `${[...roles].sort().join()}|${projects === 'ALL' ? '*' : [...projects].sort().join()}`;
  }

  /**
   * Returns the context in which one event is resolved, for every subscriber with this view. What it loads is forgotten
   * with the event.
   */
  ofEvent(): RequestContext {
    const { requestId, address, feeds } = this;
    const context = new RequestContext({
      identity: { ...this.identity, subjectId: NOBODY },
      requestId,
      address,
      feeds,
    });
    context.about.operation = this.about.operation;
    return context;
  }

  /** Why no work is to be begun any more: the client has disconnected, or the deadline has passed. Undefined: it is. */
  get refusal(): GatewayError | undefined {
    if (this.#hasLeft?.() === true) return clientLeft();
    if (performance.now() < this.endsAtMs) return undefined;
    return unavailable(
      'REQUEST_LATE',
      'The request came too late to be executed. Nothing was done; send it again.',
    );
  }

  /**
   * Returns the timeout for a long call of a package, so that the call settles, with an outcome, before the request
   * times out. Whole milliseconds, at least 1,000.
   *
   * @param maxMs upper limit, and the timeout if the request has no deadline
   */
  timeoutMs(maxMs: number): number {
    return Math.max(1_000, Math.floor(Math.min(maxMs, this.endsAtMs - performance.now() - ANSWER_MS)));
  }
}

/** A shared commit waits for a row up to a second at a time, and checks the clock in between. */
const COMMIT_MS = 1_000;

/** Returns the timeout for a call of a package within a request, so that it settles before the request times out. */
export function callTimeoutOf(requestTimeoutMs: number): number {
  return requestTimeoutMs - Math.min(COMMIT_MS, Math.floor(requestTimeoutMs / 5));
}

/** What starts a subscription. */
export interface SubscribeCall<Args> {
  readonly args: Args;
  readonly context: RequestContext;
}

/** One value for each request, created on first use: a DataLoader lives as long as its request. */
export class PerRequest<Value> {
  readonly #made = new WeakMap<RequestContext, Value>();

  constructor(private readonly make: () => Value) {}

  of(context: RequestContext): Value {
    const known = this.#made.get(context);
    if (known !== undefined) return known;
    const value = this.make();
    this.#made.set(context, value);
    return value;
  }
}
