import type { Failure } from './failure.js';
import type { GraphqlResult, Variables } from './operation.js';

/** What carries subscriptions. */
export interface SubscriptionChannel {
  /**
   * Begins one. Ends as the gateway ends it, or with the signal; throws a {@link ChannelError} when the connection breaks or
   * the subscription is refused.
   */
  open(request: SubscriptionRequest, signal: AbortSignal): AsyncIterable<GraphqlResult>;
  /** Ends what all subscriptions share. */
  close(): void | Promise<void>;
}

export interface SubscriptionRequest {
  /** As the client was given it. */
  readonly url: string;
  readonly query: string;
  readonly variables: Variables;
  /** @throws what the caller's functions throw */
  readonly readHeaders: () => Promise<Record<string, string>>;
  /** Called once the gateway has taken the subscription, or the connection for it. */
  readonly onOpen: () => void;
}

/** Why a subscription does not go on. */
export class ChannelError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message, { cause: failure.cause });
    this.name = 'ChannelError';
  }
}
