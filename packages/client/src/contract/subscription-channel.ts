import type { Failure } from './failure.js';
import type { GraphqlResult, Variables } from './operation.js';

/** A transport for subscriptions. */
export interface SubscriptionChannel {
  /**
   * Starts a subscription. It ends when the gateway completes it or the signal aborts. It throws a {@link ChannelError}
   * if the connection breaks or the subscription is refused.
   */
  open(request: SubscriptionRequest, signal: AbortSignal): AsyncIterable<GraphqlResult>;
  /** Closes what the subscriptions share. */
  close(): void | Promise<void>;
}

export interface SubscriptionRequest {
  /** The client's `url` option. */
  readonly url: string;
  /** Sent beside the text: a gateway that runs trusted documents only ignores the text, any other the ID. */
  readonly documentId: string;
  readonly query: string;
  readonly variables: Variables;
  /** @throws what the caller's functions throw */
  readonly readHeaders: () => Promise<Record<string, string>>;
  /** Called once the gateway has accepted the subscription, or the connection for it. */
  readonly onOpen: () => void;
}

/** The error that ended a subscription's connection. */
export class ChannelError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message, { cause: failure.cause });
    this.name = 'ChannelError';
  }
}
