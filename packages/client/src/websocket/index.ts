import { createClient, type Client as Sockets } from 'graphql-ws/client';
import { brokenOff, type Failure, failureOf, noToken } from '../contract/failure.js';
import type { GraphqlResult } from '../contract/operation.js';
import {
  ChannelError,
  type SubscriptionChannel,
  type SubscriptionRequest,
} from '../contract/subscription-channel.js';
import { refuseUnknownOptions } from '../wire/option-names.js';
import { orAborted } from '../wire/time-limit.js';

/** How sockets are opened. */
export interface WebSocketOptions {
  /** Address of the socket. Default: the client's `url`, with `ws` in place of `http`. */
  readonly url?: string;
  /** The WebSocket class if there is no global one, as in Node 20: `WebSocket` of the package `ws`. */
  readonly implementation?: unknown;
  /** A socket that is not open after this many milliseconds counts as blocked. Default 8,000. */
  readonly openMaxMs?: number;
}

const OPEN_MAX_MS = 8_000;
const PING_MS = 10_000;
const PONG_MAX_MS = 5_000;

/** Meaning of the gateway's close codes. */
const CLOSINGS: Readonly<Record<number, Pick<Failure, 'code' | 'reason'>>> = {
  4401: { code: 'UNAUTHENTICATED', reason: 'UNAUTHENTICATED' },
  4403: { code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' },
  4429: { code: 'RATE_LIMITED', reason: 'TOO_MANY_SOCKETS' },
};

/**
 * Carries subscriptions over one WebSocket (graphql-transport-ws), for `createClient({ webSocket: webSockets() })`; one
 * for each client. Requires the package graphql-ws. The socket is open only while there are subscriptions.
 */
export function webSockets(options: WebSocketOptions = {}): SubscriptionChannel {
  refuseUnknownOptions(options, { url: true, implementation: true, openMaxMs: true });
  return new SharedSocket(options);
}

class SharedSocket implements SubscriptionChannel {
  readonly #openMaxMs: number;
  readonly #onceOpen = new Set<() => void>();
  #sockets: Sockets | undefined;
  #isOpen = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: WebSocketOptions) {
    this.#openMaxMs = options.openMaxMs ?? OPEN_MAX_MS;
  }

  async *open(request: SubscriptionRequest, signal: AbortSignal): AsyncGenerator<GraphqlResult> {
    this.#sockets ??= this.#connect(request);
    const { documentId, query, variables, onOpen } = request;
    const waiting = setTimeout(() => this.#sockets?.terminate(), this.#openMaxMs);
    const opened = (): void => {
      clearTimeout(waiting);
      onOpen();
    };
    const extensions = { persistedQuery: { version: 1, sha256Hash: documentId } };
    const events = this.#sockets.iterate({ query, variables, extensions });
    if (this.#isOpen) opened();
    else this.#onceOpen.add(opened);
    try {
      for (;;) {
        const next = await orAborted(events.next(), signal);
        if (next.done) return;
        yield next.value as GraphqlResult;
      }
    } catch (cause) {
      throw new ChannelError(failureOfSocket(cause));
    } finally {
      clearTimeout(waiting);
      this.#onceOpen.delete(opened);
      // Its error was already thrown above.
      events.return?.().catch(() => {});
      if (this.#onceOpen.size === 0) this.#giveUp(this.#sockets);
    }
  }

  async close(): Promise<void> {
    const sockets = this.#sockets;
    this.#sockets = undefined;
    this.#giveUp(sockets);
    await sockets?.dispose();
  }

  /** Ends a socket that is not open yet, and perhaps never will be: graphql-ws would wait for it. */
  #giveUp(sockets: Sockets | undefined): void {
    if (!this.#isOpen) sockets?.terminate();
  }

  #connect({ url, readHeaders }: SubscriptionRequest): Sockets {
    const { options } = this;
    return createClient({
      url: options.url ?? socketUrl(url),
      webSocketImpl: heard((options.implementation as typeof WebSocket | undefined) ?? globalThis.WebSocket),
      connectionParams: () => paramsOf(readHeaders),
      // The subscription itself reconnects, after the last event.
      retryAttempts: 0,
      connectionAckWaitTimeout: this.#openMaxMs,
      lazyCloseTimeout: 1_000,
      keepAlive: PING_MS,
      on: {
        connected: () => this.#opened(),
        ping: (isReceived) => {
          if (!isReceived) this.#silence = setTimeout(() => this.#sockets?.terminate(), PONG_MAX_MS);
        },
        pong: (isReceived) => {
          if (isReceived) clearTimeout(this.#silence);
        },
        closed: () => {
          this.#isOpen = false;
          clearTimeout(this.#silence);
        },
      },
    });
  }

  #opened(): void {
    this.#isOpen = true;
    for (const opened of this.#onceOpen) opened();
    this.#onceOpen.clear();
  }
}

/**
 * graphql-ws stops listening to a socket that it gives up. If that was still connecting, `ws` reports an error afterwards,
 * and Node ends a process for an error that nobody hears.
 */
function heard(implementation: typeof WebSocket | undefined) {
  if (implementation === undefined) return undefined;
  return class extends implementation {
    constructor(url: string, protocols: string) {
      super(url, protocols);
      this.addEventListener('error', () => undefined);
    }
  };
}

/** The first message of a socket. @throws ChannelError if the caller's functions fail */
async function paramsOf(readHeaders: SubscriptionRequest['readHeaders']) {
  try {
    const { authorization, 'x-demo-user': demoUser } = await readHeaders();
    return { authorization, demoUser };
  } catch (cause) {
    throw new ChannelError(noToken(cause));
  }
}

/** Interprets an error of graphql-ws: the errors of a refused subscription, a closed socket, or a failed connection. */
function failureOfSocket(cause: unknown): Failure {
  if (cause instanceof ChannelError) return cause.failure;
  if (Array.isArray(cause)) return failureOf({ errors: cause }) ?? brokenOff(cause);
  const { code } = (cause ?? {}) as { readonly code?: number };
  const closing = code === undefined ? undefined : CLOSINGS[code];
  if (closing === undefined) return brokenOff(cause);
  const message = `The socket was closed with code ${code}`;
  return { ...closing, message, isAnswered: true, isHarmless: true, retryable: false, cause };
}

function socketUrl(url: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const absolute = new URL(url, page);
  absolute.protocol = absolute.protocol.replace('http', 'ws');
  return absolute.href;
}
