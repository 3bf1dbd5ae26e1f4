import type { Identity } from '../identity/identity.js';
import type { Feeds } from '../subscriptions/subscriptions.resolver.js';
import type { Loaders } from './loaders.js';

export interface RequestFacts {
  readonly identity: Identity;
  /** Repeated in every log line and in the response header `x-request-id`. */
  readonly requestId: string;
  /** The caller's address, as the trusted proxies tell it. */
  readonly address: string;
  readonly feeds: Feeds;
  readonly makeLoaders: () => Loaders;
}

/** What the resolvers of one request share. Apollo hands them a copy, so what may change lies one level deeper. */
export class RequestContext {
  readonly identity: Identity;
  readonly requestId: string;
  readonly address: string;
  readonly feeds: Feeds;
  /** The root field, such as `Mutation.acceptTrip`, once the document is read; whether it passed roles and rate. */
  readonly about = { operation: 'unread', isAdmitted: false };
  private readonly makeLoaders: () => Loaders;
  private readonly made: { loaders?: Loaders } = {};

  constructor(facts: RequestFacts) {
    this.identity = facts.identity;
    this.requestId = facts.requestId;
    this.address = facts.address;
    this.feeds = facts.feeds;
    this.makeLoaders = facts.makeLoaders;
  }

  /** Made when a resolver asks for the first of them. */
  get loaders(): Loaders {
    this.made.loaders ??= this.makeLoaders();
    return this.made.loaders;
  }
}
