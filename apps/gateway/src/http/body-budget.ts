import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type HeldBytes, tooManyBytes } from '../budget/held-bytes.js';
import { whenOver } from './response-budget.js';

/** Enough for an import of several thousand numbers. */
export const BODY_BYTES_MAX = 1_000_000;
/** Less than its connection takes by itself; such bodies are not counted. */
const SMALL_BODY_BYTES = 4_096;
/** Bodies of unknown length are kept in pages of this size. */
const PAGE_BYTES = 4_096;

/** What is counted of a request's body, until its operation has ended or its connection has closed. */
export interface HeldBody {
  /** The body to be read instead of the request's own. */
  readonly payload?: Readable;
  end(): void;
}

/**
 * Reserves the length that a request states for its body, before the body is read.
 *
 * @returns to be ended when the body is not needed any more; undefined if there is nothing to count
 * @throws {GatewayError} TOO_MANY_BYTES if the address or the process holds too much
 */
export function holdBody(reply: FastifyReply, held: HeldBytes): HeldBody | undefined {
  const { headers, ip } = reply.request;
  const length = Number(headers['content-length'] ?? 0);
  // A body that is too long is refused without being read.
  const isCounted = length > SMALL_BODY_BYTES && length <= BODY_BYTES_MAX;
  const body = isCounted ? held.open(ip) : undefined;
  if (body === undefined ? !held.hasRoom(ip) : !body.resize(length)) {
    body?.end();
    throw tooManyBytes();
  }
  if (body !== undefined) whenOver(reply, () => body.end());
  return body;
}

/**
 * Reads the body of a request that does not state its length, and counts it as it arrives. The connection is cut when
 * its address or the process holds too much.
 *
 * Node.js makes an object of 1 kB or more of each piece, and pieces can be as small as one byte: a request that waits,
 * even for its caller to be authenticated, would hold many of them. So the pieces are joined as they come, and this
 * begins in the same turn as the request.
 *
 * @returns undefined if the request states the length of its body
 * @throws {GatewayError} TOO_MANY_BYTES if the address or the process holds too much already
 */
export function joinBody(reply: FastifyReply, held: HeldBytes): HeldBody | undefined {
  const { headers, ip, raw } = reply.request;
  if (headers['transfer-encoding'] === undefined) return undefined;
  if (!held.hasRoom(ip)) throw tooManyBytes();
  const body = held.open(ip);
  const payload = new Readable({ read: () => undefined });
  let page = Buffer.allocUnsafe(PAGE_BYTES);
  let pageBytes = 0;
  let bodyBytes = 0;
  const flush = (): void => {
    payload.push(page.subarray(0, pageBytes));
    page = Buffer.allocUnsafe(PAGE_BYTES);
    pageBytes = 0;
  };
  const keep = (piece: Buffer): void => {
    bodyBytes += piece.length;
    if (!body.resize(bodyBytes)) raw.socket.destroy();
    for (let start = 0; start < piece.length; ) {
      const count = piece.copy(page, pageBytes, start);
      start += count;
      pageBytes += count;
      if (pageBytes === PAGE_BYTES) flush();
    }
  };
  raw.on('data', keep);
  raw.once('end', () => {
    flush();
    payload.push(null);
  });
  raw.once('error', (error) => payload.destroy(error));
  // The request may be refused before anything reads the payload.
  payload.on('error', () => undefined);
  const end = (): void => {
    // What still arrives after a refusal is dropped.
    raw.off('data', keep);
    body.end();
  };
  whenOver(reply, end);
  return { payload, end };
}
