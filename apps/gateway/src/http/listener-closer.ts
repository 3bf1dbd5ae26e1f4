import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const IDLE_SWEEP_MS = 50;

/**
 * Returns a function that closes the listener and waits for accepted requests. Until then it repeatedly closes
 * connections that became idle after shutdown began, and connections opened in advance that never sent a request:
 * Node.js does not count the latter as idle and would wait for them indefinitely.
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
