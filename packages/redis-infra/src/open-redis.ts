import { Cluster } from 'ioredis';

import { type ConnectRedisOptions, connectRedis, type RedisConnection } from './connect-redis.js';
import { RedisUnavailableError, withoutArguments } from './redis-failure.js';
import { parseRedisUrl } from './redis-url.js';

/** Options of {@link openRedis}. */
export interface OpenRedisOptions extends Omit<ConnectRedisOptions, 'lazy'> {
  /** Longest wait for a usable connection, in milliseconds. Default: 5000. */
  readonly openTimeoutMs?: number;
}

/**
 * Connects and waits until commands can be sent. Fails at the first fault instead of trying on, so that a program
 * with a wrong URL or password says so when it starts; once open, the connection reconnects by itself.
 *
 * @throws RedisUrlError; RedisUnavailableError, which names the hosts and what to do, never a password
 */
export async function openRedis(options: OpenRedisOptions): Promise<RedisConnection> {
  const { openTimeoutMs = 5000, ...connectOptions } = options;
  const { description } = parseRedisUrl(options.url);
  const connection = connectRedis({ ...connectOptions, lazy: true });
  try {
    await firstReady(connection, openTimeoutMs);
    return connection;
  } catch (error) {
    connection.disconnect();
    const cause = rootCause(error);
    throw new RedisUnavailableError(
      `Redis at ${description} cannot be used: ${cause.message}. ${advice(cause)}`,
      {
        cause,
      },
    );
  }
}

/** The first error event ends the wait: it precedes or follows the rejection of connect(), and says more. */
async function firstReady(connection: RedisConnection, openTimeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onError: (error: unknown) => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      onError = reject;
      timer = setTimeout(reject, openTimeoutMs, new Error(`no answer within ${openTimeoutMs} ms`));
      connection.on('error', onError);
      connect(connection).then(resolve, (error) => setImmediate(reject, error));
    });
  } finally {
    clearTimeout(timer);
    connection.off('error', onError);
  }
}

async function connect(connection: RedisConnection): Promise<void> {
  await connection.connect();
  if (connection instanceof Cluster) await Promise.all(connection.nodes('master').map((node) => node.ping()));
}

/** A cluster wraps what its last node said. */
function rootCause(error: unknown): Error {
  const wrapped = typeof error === 'object' && error !== null && 'lastNodeError' in error;
  return withoutArguments(wrapped ? error.lastNodeError : error);
}

function advice({ message }: Error): string {
  if (/NOAUTH|WRONGPASS|NOPERM|invalid password/.test(message))
    return 'Correct user and password of the URL.';
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'Correct the host name of the URL.';
  if (/ECONNREFUSED/.test(message)) return 'Start Redis there, or correct host and port of the URL.';
  if (/cluster support disabled/.test(message)) return 'It is no cluster: use redis:// or redis+sentinel://.';
  if (/sentinel/i.test(message))
    return 'Start the sentinels, or correct their hosts and the name of the master.';
  if (/SSL|TLS|certificate/i.test(message))
    return 'Check whether the server speaks TLS: rediss:// asks for it.';
  return 'Check that a Redis listens there and that no firewall keeps it away.';
}
