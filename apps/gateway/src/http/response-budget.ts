import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { HeldBytes, Holding } from '../budget/held-bytes.js';

/** Longer responses are sent in pieces of this size. */
const PIECE_BYTES = 65_536;

/**
 * Counts the part of a response that the client has not read, until it has read it or its time is over. A client whose
 * address or process holds too much is disconnected.
 */
export function holdUnread(reply: FastifyReply, held: HeldBytes): void {
  const { raw, request } = reply;
  if (raw.writableLength === 0) return;
  const unread = unreadOf(reply, held);
  if (!unread.resize(raw.writableLength)) request.raw.socket.destroy();
}

/**
 * Returns a long answer in pieces, of which each is taken when the client has read what came before; a short one as it
 * is. All that is left of the answer counts as unread. A client that may not leave so much unread is disconnected.
 */
export function inPieces(reply: FastifyReply, answer: string, held: HeldBytes): string | Readable {
  if (answer.length <= PIECE_BYTES) return answer;
  const unread = unreadOf(reply, held);
  if (unread.resize(Buffer.byteLength(answer))) return Readable.from(piecesOf(Buffer.from(answer), unread));
  reply.request.raw.socket.destroy();
  return '';
}

/** Streams texts in such pieces, one text after the other: its rest counts as unread. */
export async function* eachInPieces(texts: AsyncIterable<string>, unread: Holding): AsyncGenerator<Buffer> {
  let lastBytes = 0;
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    yield* piecesOf(bytes, unread);
    lastBytes = Math.min(bytes.length, PIECE_BYTES);
    // Until the next text is there, nothing is left for the client to read.
    unread.resize(0);
  }
  // The response may still hold the last piece.
  unread.resize(lastBytes);
}

function* piecesOf(bytes: Buffer, unread: Holding): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    unread.resize(bytes.length - start);
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}

/**
 * Opens what is held of a response, until the response ends. An answer has no limit of its own here: its size is limited
 * where it is made.
 */
export function unreadOf(reply: FastifyReply, held: HeldBytes): Holding {
  const { ip, raw } = reply.request;
  const unread = held.open(ip, () => raw.socket.destroy(), Number.POSITIVE_INFINITY);
  whenOver(reply, () => unread.end());
  return unread;
}

/** Calls `end` once, when the response has been read or its connection has closed. */
export function whenOver({ raw, request }: FastifyReply, end: () => void): void {
  const { socket } = request.raw;
  let isOver = false;
  const over = (): void => {
    raw.off('close', over);
    socket.off('close', over);
    if (!isOver) end();
    isOver = true;
  };
  raw.once('close', over);
  // A response that waits behind another one on its connection does not learn that it has closed.
  socket.once('close', over);
  if (socket.destroyed) over();
}
