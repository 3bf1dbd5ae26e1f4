import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import { GatewayError } from '../errors/gateway-error.js';
import type { ResultStream } from '../execution/result-stream.js';
import type { SubscriberPlaces } from '../execution/subscriber-places.js';
import type { Identity } from '../identity/identity.js';

/** Shorter than the patience of proxies, such as the 15 s of docker/nginx.conf. */
const KEEP_ALIVE_MS = 8_000;
/** How long a client may take to read what was sent before a stop. */
const FAREWELL_MS = 1_000;
const FAREWELL_LOOK_MS = 10;
/** The longest delay that a timer of node can have. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Answers as server-sent events (the protocol graphql-sse, one connection for each operation), for networks that cut
 * WebSockets. A stream has one of its subject's places and ends with the subject's token. A slow reader is waited for:
 * its events queue up to a bound in redis-infra and then become a gap.
 */
export class EventStreams {
  readonly #open = new Map<FastifyReply['raw'], () => void>();

  constructor(
    private readonly places: SubscriberPlaces,
    private readonly now: () => number,
  ) {}

  get streamCount(): number {
    return this.#open.size;
  }

  /** Ends every stream; clients go elsewhere. Who does not read what was sent is not waited for. */
  async close(): Promise<void> {
    for (const leave of this.#open.values()) leave();
    const untilMs = performance.now() + FAREWELL_MS;
    while (this.#open.size > 0 && performance.now() < untilMs) await pause(FAREWELL_LOOK_MS);
    for (const response of this.#open.keys()) response.destroy();
  }

  /** @throws {GatewayError} TOO_MANY_STREAMS, before anything is begun */
  takePlace({ subjectId }: Identity): void {
    if (this.places.take(subjectId)) return;
    throw new GatewayError({
      code: 'RATE_LIMITED',
      reason: 'TOO_MANY_STREAMS',
      message: 'You have too many streams open; close some first.',
    });
  }

  giveBack({ subjectId }: Identity): void {
    this.places.giveBack(subjectId);
  }

  /**
   * Sends until the stream or the client ends. `complete` says that there is nothing more to come; a stream that a stop or
   * the end of a token cuts short ends without it, and the client comes back. The place was taken before, and is given
   * back here.
   */
  async send(reply: FastifyReply, stream: ResultStream, identity: Identity): Promise<void> {
    const response = begin(reply);
    const { socket } = response;
    let isCutShort = false;
    const leave = (): void => {
      isCutShort = true;
      void stream.return();
    };
    this.#open.set(response, leave);
    response.once('close', leave);
    const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
    const expiry = this.#atExpiry(identity, leave);
    try {
      for await (const result of stream) {
        if (response.destroyed) break;
        if (!response.write(frameOf('next', result))) await drained(response);
      }
      // A client that left may have closed its half only; what it no longer reads would keep the socket open.
      if (response.destroyed) socket?.destroy();
      else response.end(isCutShort ? undefined : frameOf('complete'));
    } finally {
      clearInterval(keepAlive);
      clearTimeout(expiry);
      this.#open.delete(response);
      this.giveBack(identity);
    }
  }

  #atExpiry({ expiresAtMs }: Identity, leave: () => void): NodeJS.Timeout | undefined {
    if (expiresAtMs === undefined) return undefined;
    return setTimeout(leave, Math.min(expiresAtMs - this.now(), TIMER_MAX_MS));
  }
}

/** One answer as a stream: what a client that asks for events gets for a query or a mutation. */
export function sendOneEvent(reply: FastifyReply, result: FormattedExecutionResult): void {
  begin(reply).end(frameOf('next', result) + frameOf('complete'));
}

function begin(reply: FastifyReply) {
  reply.hijack();
  const { raw } = reply;
  const headers = reply.getHeaders();
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // Without it nginx keeps events until its buffer is full.
    'x-accel-buffering': 'no',
  });
  raw.write(':\n\n');
  return raw;
}

function frameOf(event: 'next' | 'complete', result?: FormattedExecutionResult): string {
  return `event: ${event}\ndata: ${result === undefined ? '' : JSON.stringify(result)}\n\n`;
}

/** A client that has left never drains. */
async function drained(response: FastifyReply['raw']): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    over.abort();
  }
}
