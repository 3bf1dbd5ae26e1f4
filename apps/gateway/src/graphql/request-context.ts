import type { Identity } from '../identity/identity.js';
import type { Feeds } from './feeds.js';

export interface RequestFacts {
  readonly identity: Identity;
  /** Repeated in every log line and in the response header `x-request-id`. */
  readonly requestId: string;
  /** The caller's address, as the trusted proxies report it. */
  readonly address: string;
  readonly feeds: Feeds;
  /** When the answer must be there, in milliseconds of `performance.now()`. Default: never. */
  readonly endsAtMs?: number;
  /** Whether the client has gone away meanwhile. Default: no. */
  readonly hasLeft?: () => boolean;
}

/** What is left of a request when a silent store is given up: enough to answer that it is silent. Milliseconds. */
const ANSWER_MS = 250;

/** What the resolvers of one request share. */
export class RequestContext {
  readonly identity: Identity;
  readonly requestId: string;
  readonly address: string;
  readonly feeds: Feeds;
  /** The root field, such as `Mutation.acceptTrip`, once the document is read: for logs and metrics. */
  readonly about = { operation: 'unread' };
  /** When the answer must be there, in milliseconds of `performance.now()`. */
  readonly endsAtMs: number;
  readonly #hasLeft: (() => boolean) | undefined;

  constructor(facts: RequestFacts) {
    this.identity = facts.identity;
    this.requestId = facts.requestId;
    this.address = facts.address;
    this.feeds = facts.feeds;
    this.endsAtMs = facts.endsAtMs ?? Number.POSITIVE_INFINITY;
    this.#hasLeft = facts.hasLeft;
  }

  /** Nobody waits for the answer any more: the client is gone, or was answered that it took too long. */
  get isAbandoned(): boolean {
    return this.#hasLeft?.() === true || performance.now() >= this.endsAtMs;
  }

  /**
   * The time that a long call of a package may take, so that it ends by itself, with an outcome, before the request is
   * given up. Whole milliseconds, from 1,000.
   *
   * @param maxMs when the request has no end
   */
  timeoutMs(maxMs: number): number {
    return Math.max(1_000, Math.floor(Math.min(maxMs, this.endsAtMs - performance.now() - ANSWER_MS)));
  }
}

/** A shared commit waits for a row up to a second at a time, and looks at the clock in between. */
const COMMIT_MS = 1_000;

/** The time of a call of a package inside a request: its own outcome then comes before the request is given up. */
export function callTimeoutOf(requestTimeoutMs: number): number {
  return requestTimeoutMs - Math.min(COMMIT_MS, Math.floor(requestTimeoutMs / 5));
}
