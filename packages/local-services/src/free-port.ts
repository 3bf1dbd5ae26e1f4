import { createServer } from 'node:net';
import { ServerStartError } from './start-failure.js';

/** One port guessed free and taken by somebody else is bad luck; three in a row are not. */
const ATTEMPT_MAX = 3;

/**
 * A TCP port of the loopback interface that nobody listens on now. Another process may still take it first.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no port.'));
      });
    });
  });
}

/**
 * Starts a server on `wanted`, or else on a free port: on another one when somebody was faster.
 *
 * @param start throws ServerStartError with the words of the server, which names the reason
 */
export async function onFreePort<Server>(
  wanted: number | undefined,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(wanted ?? (await freePort()));
    } catch (error) {
      const isTaken = error instanceof ServerStartError && error.log.includes('Address already in use');
      if (!isTaken || wanted !== undefined || attempt === ATTEMPT_MAX) throw error;
    }
  }
}
