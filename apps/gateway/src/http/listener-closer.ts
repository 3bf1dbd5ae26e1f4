import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const IDLE_SWEEP_MS = 50;

/**
 * Closes the listener and waits for the requests that were accepted. A connection whose answer was on its way when the
 * stop began is kept alive by its client, and one that a client opened in advance never had a request: node counts only
 * the first as idle, and waits for the second as long as it stays. So both are closed again and again.
 */
export function listenerCloser(http: FastifyInstance): () => Promise<void> {
  const sockets = new Set<Socket>();
  http.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    const sweep = setInterval(() => {
      http.server.closeIdleConnections();
      for (const socket of sockets) {
        if (socket.bytesRead === 0) socket.destroy();
      }
    }, IDLE_SWEEP_MS);
    try {
      await http.close();
    } finally {
      clearInterval(sweep);
    }
  };
}
