import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.js';
import type { HeldBytes, Holding } from '../execution/held-bytes.js';

/** Enough for an import of several thousand numbers. */
export const BODY_BYTES_MAX = 1_000_000;
/** Less than its connection takes by itself; such bodies are not counted. */
const SMALL_BODY_BYTES = 4_096;
/** Each piece of a body is an object of its own until the body is whole, however small it is. */
const PIECE_BYTES = 128;

/**
 * Reserves the length that a request states for its body, before the body is read. A body without a stated length is
 * counted as it arrives, and its connection is cut when it is too long.
 *
 * @returns to be ended when the body is not needed any more; undefined if there is nothing to count
 * @throws {GatewayError} TOO_MANY_BYTES if the address or the process holds too much
 */
export function holdBody({ headers, ip }: FastifyRequest, held: HeldBytes): Holding | undefined {
  const length = Number(headers['content-length'] ?? 0);
  const isSmall = length <= SMALL_BODY_BYTES && headers['transfer-encoding'] === undefined;
  // A body that is too long is refused without being read.
  const isCounted = !isSmall && length <= BODY_BYTES_MAX;
  const body = isCounted ? held.open(ip) : undefined;
  if (body === undefined ? held.hasRoom(ip) : body.resize(length)) return body;
  body?.end();
  throw new GatewayError({
    code: 'RATE_LIMITED',
    reason: 'TOO_MANY_BYTES',
    message:
      'Too many bytes from or for your address are waiting; read what you were sent, send less at a time.',
    retryable: true,
    retryAfterMs: 1_000,
  });
}

/** Counts a body that does not state its length. To be called when it is about to be read. */
export function countPieces({ headers, raw }: FastifyRequest, body: Holding | undefined): void {
  if (body === undefined || headers['transfer-encoding'] === undefined) return;
  let byteCount = 0;
  raw.on('data', ({ length }: Buffer) => {
    byteCount += length + PIECE_BYTES;
    if (!body.resize(byteCount)) raw.socket.destroy();
  });
}

/** Counts the part of a response that the client has not read, until it has read it or its time is over. */
export function holdUnread({ raw, request }: FastifyReply, held: HeldBytes): void {
  if (raw.writableLength === 0) return;
  const { socket } = request.raw;
  const unread = held.open(request.ip, () => socket.destroy());
  const end = (): void => {
    unread.end();
    socket.off('close', end);
  };
  unread.resize(raw.writableLength);
  raw.once('finish', end);
  // A response that waits behind another one on its connection does not learn that it has closed.
  socket.once('close', end);
}
