import { createServer } from 'node:net';
import { ServerStartError } from './start-failure.js';

/** Losing a free port to another process once is bad luck; three times in a row is not. */
const ATTEMPT_MAX = 3;

/**
 * Returns a TCP port of the loopback interface that is free now. Another process can still take it first.
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
 * Starts a server on `wanted` or on a free port; tries another free port if the first was taken meanwhile.
 *
 * @param start throws ServerStartError with the server's log, which contains the reason
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
