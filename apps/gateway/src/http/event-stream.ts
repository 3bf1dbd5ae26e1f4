import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import type { HeldBytes } from '../budget/held-bytes.js';
import type { SubscriberPlaces } from '../budget/subscriber-places.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { ResultStream } from '../execution/result-stream.js';
import { atExpiry, type Identity } from '../identity/identity.js';
import { inPieces } from './response-budget.js';

/** Shorter than the timeouts of proxies, such as the 15 s of docker/nginx.conf. */
const KEEP_ALIVE_MS = 8_000;
/** How long a client may take to read pending events on shutdown. */
const FAREWELL_MS = 1_000;
const FAREWELL_LOOK_MS = 10;

/**
 * Streams results as server-sent events (the graphql-sse protocol, one connection per operation), for networks that
 * block WebSockets. A stream counts toward its subject's limit and ends when the subject's token expires. Events of
 * slow readers are buffered up to a limit in redis-infra and then replaced by a gap; facts of a feed wait in the database.
 */
export class EventStreams {
  readonly #open = new Map<FastifyReply['raw'], () => void>();
  #isClosed = false;

  constructor(
    private readonly places: SubscriberPlaces,
    private readonly held: HeldBytes,
    private readonly now: () => number,
  ) {}

  get streamCount(): number {
    return this.#open.size;
  }

  /**
   * Ends every stream, also those that begin later, so that clients reconnect elsewhere. Clients that do not read in time
   * are disconnected.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const leave of this.#open.values()) leave();
    const untilMs = performance.now() + FAREWELL_MS;
    while (this.#open.size > 0 && performance.now() < untilMs) await pause(FAREWELL_LOOK_MS);
    for (const response of this.#open.keys()) response.destroy();
  }

  /** Reserves a place for a stream. @throws {GatewayError} TOO_MANY_STREAMS */
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
   * Sends events until the stream ends or the client disconnects. `complete` marks the end of the results; a stream cut
   * short by a shutdown or an expired token ends without it, and the client reconnects. Releases the place reserved by
   * the caller.
   */
  async send(reply: FastifyReply, stream: ResultStream, identity: Identity): Promise<void> {
    const { raw: response, request } = reply;
    // A response that waits behind another one on its connection does not learn that it has closed.
    const { socket } = request.raw;
    let isCutShort = false;
    const leave = (): void => {
      isCutShort = true;
      void stream.return();
    };
    const unread = this.held.open(request.ip, () => socket.destroy());
    const keepAlive = setInterval(() => {
      if (socket.destroyed) leave();
      else response.write(':\n\n');
    }, KEEP_ALIVE_MS);
    const expiry = atExpiry(identity, this.now(), leave);
    this.#open.set(response, leave);
    socket.once('close', leave);
    try {
      begin(reply);
      // The client may have left, or the shutdown begun, while the stream was opened.
      if (socket.destroyed || this.#isClosed) leave();
      for await (const { json, cursor } of stream) {
        if (socket.destroyed) break;
        // Node passes the frame on later, even to a client that reads.
        const isTaken = response.write(frameOf('next', json, cursor), () => {
          unread.resize(response.writableLength);
        });
        if (!unread.resize(response.writableLength)) socket.destroy();
        else if (!isTaken) await drained(response, socket);
      }
      // A client might have closed only its half; unread data would keep the socket open.
      if (response.destroyed || socket.destroyed) socket.destroy();
      else response.end(isCutShort ? undefined : frameOf('complete'));
    } finally {
      clearInterval(keepAlive);
      clearTimeout(expiry);
      socket.off('close', leave);
      unread.end();
      this.#open.delete(response);
      this.giveBack(identity);
    }
  }
}

/** Sends one result as a stream, for a query or mutation from a client that requests events. */
export function sendOneEvent(reply: FastifyReply, result: FormattedExecutionResult, held: HeldBytes): void {
  const frames = inPieces(reply, frameOf('next', JSON.stringify(result)) + frameOf('complete'), held);
  if (frames instanceof Readable) frames.pipe(begin(reply));
  else begin(reply).end(frames);
}

function begin(reply: FastifyReply) {
  reply.hijack();
  const { raw } = reply;
  const headers = reply.getHeaders();
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // Otherwise nginx holds events back until its buffer is full.
    'x-accel-buffering': 'no',
  });
  raw.write(':\n\n');
  return raw;
}

/** @param cursor becomes `Last-Event-ID` of the client's next request */
function frameOf(event: 'next' | 'complete', json = '', cursor?: string): string {
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}event: ${event}\ndata: ${json}\n\n`;
}

/** Waits until the response drains or its connection closes; a disconnected client never drains. */
async function drained(response: FastifyReply['raw'], socket: Socket): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(socket, 'close', { signal })]);
  } finally {
    over.abort();
  }
}
