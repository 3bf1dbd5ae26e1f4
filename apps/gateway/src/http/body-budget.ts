import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type HeldBytes, type Holding, tooManyBytes } from '../budget/held-bytes.js';
import { whenOver } from './response-budget.js';

/** Enough for an import of several thousand numbers. */
export const BODY_BYTES_MAX = 1_000_000;
/** Less than its connection takes by itself; such bodies are not counted. */
const SMALL_BODY_BYTES = 4_096;
/** Bodies are kept in pages of this size. */
const PAGE_BYTES = 4_096;

/** What is counted of a request's body, until its operation has ended or its connection has closed. */
export interface HeldBody {
  /** The body to be read instead of the request's own. */
  readonly payload: Readable;
  end(): void;
}

/**
 * Reserves the length that a request states for its body, before the body is read.
 *
 * @returns to be ended when the body is not needed any more; undefined if there is nothing to count
 * @throws {GatewayError} TOO_MANY_BYTES if the address or the process holds too much
 */
export function holdBody(reply: FastifyReply, held: HeldBytes): HeldBody | undefined {
  const { headers, ip, raw } = reply.request;
  const length = Number(headers['content-length'] ?? 0);
  // A body that is too long is refused without being read.
  const isCounted = length > SMALL_BODY_BYTES && length <= BODY_BYTES_MAX;
  const body = isCounted ? held.open(ip) : undefined;
  if (body === undefined ? !held.hasRoom(ip) : !body.resize(length)) {
    body?.end();
    throw tooManyBytes();
  }
  return body && heldUntilOver(reply, body, joinPieces(raw));
}

/**
 * Reads the body of a request that does not state its length, and counts it as it arrives. The connection is cut when
 * its address or the process holds too much. To be called in the same turn as the request, before anything is awaited:
 * the first read alone can bring 10,000 pieces.
 *
 * @returns undefined if the request states the length of its body
 * @throws {GatewayError} TOO_MANY_BYTES if the address or the process holds too much already
 */
export function joinBody(reply: FastifyReply, held: HeldBytes): HeldBody | undefined {
  const { headers, ip, raw } = reply.request;
  if (headers['transfer-encoding'] === undefined) return undefined;
  if (!held.hasRoom(ip)) throw tooManyBytes();
  const body = held.open(ip);
  let bodyBytes = 0;
  raw.on('data', ({ length }: Buffer) => {
    bodyBytes += length;
    if (!body.resize(bodyBytes)) raw.socket.destroy();
  });
  return heldUntilOver(reply, body, joinPieces(raw));
}

function heldUntilOver(reply: FastifyReply, body: Holding, { payload, stop }: JoinedPieces): HeldBody {
  const end = (): void => {
    stop();
    body.end();
  };
  whenOver(reply, end);
  return { payload, end };
}

interface JoinedPieces {
  readonly payload: Readable;
  /** What still arrives, as after a refusal, is dropped. */
  stop(): void;
}

/**
 * Joins the pieces in which a body arrives. Node.js makes an object of 1 kB or more of each piece, and it can be as
 * small as one byte.
 */
function joinPieces(raw: IncomingMessage): JoinedPieces {
  const payload = new Readable({ read: () => undefined });
  let page = Buffer.allocUnsafe(PAGE_BYTES);
  let pageBytes = 0;
  const keep = (piece: Buffer): void => {
    for (let start = 0; start < piece.length; ) {
      const copied = piece.copy(page, pageBytes, start);
      start += copied;
      pageBytes += copied;
      if (pageBytes < PAGE_BYTES) return;
      payload.push(page);
      page = Buffer.allocUnsafe(PAGE_BYTES);
      pageBytes = 0;
    }
  };
  raw.on('data', keep);
  raw.once('end', () => {
    payload.push(page.subarray(0, pageBytes));
    payload.push(null);
  });
  raw.once('error', (error) => payload.destroy(error));
  // The request may be refused before anything reads the payload.
  payload.on('error', () => undefined);
  return { payload, stop: () => raw.off('data', keep) };
}
