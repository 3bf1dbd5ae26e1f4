import type { Identity } from '../identity/identity.js';
import type { Feeds } from '../subscriptions/subscriptions.resolver.js';
import type { Loaders } from './loaders.js';

/** What the resolvers of one request share. Loaders are made when a resolver asks for the first of them. */
export class RequestContext {
  private readonly made: { loaders?: Loaders } = {};

  constructor(
    readonly identity: Identity,
    /** Repeated in every log line and in the response header `x-request-id`. */
    readonly requestId: string,
    /** The caller's address, as the trusted proxies tell it. */
    readonly address: string,
    readonly feeds: Feeds,
    private readonly makeLoaders: () => Loaders,
  ) {}

  get loaders(): Loaders {
    this.made.loaders ??= this.makeLoaders();
    return this.made.loaders;
  }
}
