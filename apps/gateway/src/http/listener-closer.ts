import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;
/**
 * How long clients may leave a response unread. Linux takes more once a third of a buffer of 4 MB is free: a client that reads
 * less than 0.5 MB a second looks as if it read nothing.
 */
const UNREAD_MS = 3_000;

/** What the operating system has taken of what was written to a socket, and since when it has taken nothing. */
interface Taken {
  readonly bytes: number;
  readonly sinceMs: number;
}

/**
 * Returns a function that closes the listener and waits for accepted requests. Until then it repeatedly closes
 * - connections that became idle after shutdown began, and those opened in advance that never sent a request: Node.js
 *   does not count the latter as idle and would wait for them indefinitely;
 * - connections whose client reads nothing of a response for three seconds;
 * - after the request timeout, what is left: exports, which may take longer.
 */
export function listenerCloser(http: FastifyInstance, requestTimeoutMs: number): () => Promise<void> {
  const connections = watchConnections(http.server);
  return async () => {
    const taken = new WeakMap<Socket, Taken>();
    const endsAtMs = performance.now() + requestTimeoutMs;
    const isUnread = (socket: Socket, nowMs: number): boolean => {
      const bytes = socket.bytesWritten - socket.writableLength;
      const last = taken.get(socket);
      if (socket.writableLength > 0 && last?.bytes === bytes) return nowMs - last.sinceMs >= UNREAD_MS;
      taken.set(socket, { bytes, sinceMs: nowMs });
      return false;
    };
    const sweep = setInterval(() => {
      const nowMs = performance.now();
      http.server.closeIdleConnections();
      for (const socket of connections.keys()) {
        if (socket.bytesRead === 0 || nowMs >= endsAtMs || isUnread(socket, nowMs)) socket.destroy();
      }
    }, SWEEP_MS);
    try {
      await http.close();
    } finally {
      clearInterval(sweep);
    }
  };
}

/**
 * Watches the connections of a server, and makes it close only those as idle that have no open response. Node.js counts a
 * connection as idle once its response is ended, although what the client has not read of it may still be in this process, and
 * would cut it. Node.js and Fastify call the method themselves when the server is closed.
 *
 * @returns for each connection how many responses are open; undefined if it has served none, or was upgraded: whoever serves an
 *   upgraded connection closes it
 */
function watchConnections(server: Server): ReadonlyMap<Socket, number | undefined> {
  const openCounts = new Map<Socket, number | undefined>();
  server.on('connection', (socket: Socket) => {
    openCounts.set(socket, undefined);
    socket.once('close', () => openCounts.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    openCounts.set(socket, (openCounts.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const openCount = openCounts.get(socket);
      if (openCount !== undefined) openCounts.set(socket, openCount - 1);
    });
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => openCounts.set(socket, undefined));
  server.closeIdleConnections = () => {
    for (const [socket, openCount] of openCounts) if (openCount === 0) socket.destroy();
  };
  return openCounts;
}
