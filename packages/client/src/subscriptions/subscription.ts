import { type CallContext, onlyFieldOf } from '../calls/call.js';
import { waitBefore } from '../calls/repetition.js';
import { errorOf } from '../contract/errors.js';
import { brokenOff, type Failure, failureOf } from '../contract/failure.js';
import type { Operation, SubscribeOptions, Variables } from '../contract/operation.js';
import { ChannelError, type SubscriptionChannel } from '../contract/subscription-channel.js';
import { limitTime, pause, type TimeLimit } from '../wire/time-limit.js';

export interface SubscriptionParts {
  readonly name: string;
  readonly operation: Operation;
  readonly context: CallContext;
  readonly channel: SubscriptionChannel;
  readonly variables: Variables;
  readonly options: SubscribeOptions;
}

/**
 * Yields events for as long as they are read. A broken connection is reopened, after the last revision or cursor if events
 * have one. `return()` ends it immediately, even while `next()` is waiting.
 */
export function subscribe(parts: SubscriptionParts): AsyncIterableIterator<unknown> {
  const left = new AbortController();
  const limit = limitTime([left.signal, parts.options.signal, parts.context.closing]);
  const events = new Subscription(parts, limit).events();
  return {
    next: () => events.next(),
    return() {
      left.abort();
      // A generator that was never read runs nothing of its own.
      limit.release();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

class Subscription {
  /** Consecutive breaks without an event in between. */
  #breakCount = 0;
  #wasOpen = false;
  #hasRenewedToken = false;
  /** The last revision or cursor. */
  #after: unknown;

  constructor(
    private readonly parts: SubscriptionParts,
    private readonly limit: TimeLimit,
  ) {
    const { resumes } = parts.operation;
    this.#after = resumes && parts.variables[resumes];
  }

  /** @throws SolegateError if the subscription is refused */
  async *events(): AsyncGenerator<unknown, void, undefined> {
    const { context, name } = this.parts;
    const { signal } = this.limit;
    try {
      while (!signal.aborted) {
        const failure = yield* this.#connected();
        if (failure === undefined || signal.aborted) return;
        context.connection.failed(name, failure);
        if (!this.#goesOn(failure)) throw this.#error(failure);
        this.#breakCount += 1;
        const random = Math.random();
        await pause(waitBefore(this.#breakCount, context.settings, { ...failure, random }), signal);
      }
    } finally {
      this.limit.release();
    }
  }

  /** Yields the events of one connection; returns the failure that broke it, or undefined if it ended normally. */
  async *#connected(): AsyncGenerator<unknown, Failure | undefined, undefined> {
    try {
      for await (const result of this.#open()) {
        const failure = failureOf(result);
        if (failure !== undefined) return failure;
        this.#breakCount = 0;
        const event = onlyFieldOf(result.data ?? {});
        if (this.#isNew(event)) yield event;
      }
      // Only trips end. Otherwise the gateway itself has stopped, and another one can continue.
      return this.parts.operation.resumes === 'afterRevision' ? undefined : brokenOff(undefined);
    } catch (error) {
      if (error instanceof ChannelError) return error.failure;
      if (this.limit.signal.aborted) return undefined;
      throw error;
    }
  }

  #open() {
    const { operation, context, channel, variables, options } = this.parts;
    const { url, readHeaders } = context.settings;
    const resumed = operation.resumes ? { [operation.resumes]: this.#after } : {};
    const onOpen = (): void => {
      context.connection.answered(this.parts.name);
      this.#hasRenewedToken = false;
      if (this.#wasOpen) options.onReconnect?.();
      this.#wasOpen = true;
    };
    const request = {
      url,
      readHeaders,
      onOpen,
      documentId: operation.id,
      query: operation.text,
      variables: { ...variables, ...resumed },
    };
    return channel.open(request, this.limit.signal);
  }

  #isNew(event: unknown): boolean {
    const { resumes } = this.parts.operation;
    if (!resumes) return true;
    const { revision, cursor } = event as { readonly revision: number; readonly cursor: string };
    const isKnown = resumes === 'afterRevision' && typeof this.#after === 'number' && revision <= this.#after;
    if (!isKnown) this.#after = resumes === 'after' ? cursor : revision;
    return !isKnown;
  }

  #goesOn({ code, retryable }: Failure): boolean {
    if (retryable) return true;
    const isRenewed = code === 'UNAUTHENTICATED' && this.parts.context.settings.canRenewToken;
    if (!isRenewed || this.#hasRenewedToken) return false;
    this.#hasRenewedToken = true;
    return true;
  }

  #error(failure: Failure) {
    const { name } = this.parts;
    return errorOf(failure.code, {
      ...failure,
      operation: name,
      attemptCount: this.#breakCount + 1,
      outcomeUnknown: false,
    });
  }
}
