import type { Identity } from '../identity/identity.js';
import type { Feeds } from './feeds.js';

export interface RequestFacts {
  readonly identity: Identity;
  /** Repeated in every log line and in the response header `x-request-id`. */
  readonly requestId: string;
  /** The caller's address, as the trusted proxies report it. */
  readonly address: string;
  readonly feeds: Feeds;
}

/** What the resolvers of one request share. */
export class RequestContext {
  readonly identity: Identity;
  readonly requestId: string;
  readonly address: string;
  readonly feeds: Feeds;
  /** The root field, such as `Mutation.acceptTrip`, once the document is read: for logs and metrics. */
  readonly about = { operation: 'unread' };

  constructor(facts: RequestFacts) {
    this.identity = facts.identity;
    this.requestId = facts.requestId;
    this.address = facts.address;
    this.feeds = facts.feeds;
  }
}
