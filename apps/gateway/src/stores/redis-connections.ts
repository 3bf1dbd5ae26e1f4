import { readFileSync } from 'node:fs';
import {
  type ConnectRedisOptions,
  connectRedis,
  openRedis,
  type RedisConnection,
  type RedisTlsOptions,
  RedisUnavailableError,
  RedisUrlError,
} from '@solegate/redis-infra';
import { certificateFaultOf } from './certificate-fault.js';

/** The Redis connections of one process, by purpose. */
export interface RedisConnections {
  /** Calls that a caller waits for: locks, gates, rate limits, the node lease. */
  readonly decision: RedisConnection;
  /** Everything less urgent: publishing, driver positions, probes. */
  readonly background: RedisConnection;
  /** Receives messages for GraphQL subscribers. */
  readonly subscriber: RedisConnection;
}

const PURPOSES = ['decision', 'background', 'subscriber'] as const;

/** URL parameters for certificate files, named as in PostgreSQL URLs. */
const TLS_FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * Opens the connections. One to a Redis that does not respond is made once it does.
 *
 * @param url as accepted by redis-infra, plus the parameters `sslrootcert`, `sslcert` and `sslkey`
 * @throws RedisUrlError; RedisUnavailableError for a certificate or password that waiting does not mend. The message states
 *   what to do; nothing is left open
 */
export async function openRedisConnections(url: string): Promise<RedisConnections> {
  const target = withTlsFiles(url);
  const opened = await Promise.allSettled(
    PURPOSES.map((purpose) => openOrAwait({ ...target, purpose, name: `solegate-${purpose}` })),
  );
  const failure = opened.find((result) => result.status === 'rejected');
  const connections = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failure !== undefined) {
    for (const connection of connections) connection.disconnect();
    throw withAdvice(failure.reason);
  }
  return Object.fromEntries(
    PURPOSES.map((purpose, index) => [purpose, connections[index]]),
  ) as unknown as RedisConnections;
}

async function openOrAwait(options: ConnectRedisOptions): Promise<RedisConnection> {
  try {
    return await openRedis(options);
  } catch (error) {
    if (!(error instanceof RedisUnavailableError) || isRefusal(error)) throw error;
    return connectRedis(options);
  }
}

/** Whether Redis, or this side, rejects the connection, rather than nobody answering. */
function isRefusal(error: RedisUnavailableError): boolean {
  return (
    certificateFaultOf(error) !== undefined || /WRONGPASS|NOAUTH|NOPERM|invalid password/.test(error.message)
  );
}

function withTlsFiles(url: string): { readonly url: string; readonly tls?: RedisTlsOptions } {
  const [address = '', query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const tls = Object.fromEntries(
    Object.entries(TLS_FILES).flatMap(([parameter, name]) => {
      const file = parameters.get(parameter);
      parameters.delete(parameter);
      return file === null ? [] : [[name, readCertificate(parameter, file)]];
    }),
  );
  const rest = parameters.size === 0 ? address : `${address}?${parameters}`;
  return Object.keys(tls).length === 0 ? { url: rest } : { url: rest, tls };
}

function readCertificate(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new RedisUrlError(`REDIS_URL: ${parameter} cannot be read: ${said}`);
  }
}

/** Replaces redis-infra's advice, which is for developers, with advice for operators. */
function withAdvice(error: unknown): unknown {
  const fault = certificateFaultOf(error);
  if (fault === undefined || !(error instanceof RedisUnavailableError)) return error;
  const [failed] = error.message.split('. ', 1);
  return new RedisUnavailableError(`${failed}. It ${fault.reason}. ${fault.advice}`, { cause: error.cause });
}

export function closeRedisConnections(connections: RedisConnections): void {
  for (const purpose of PURPOSES) connections[purpose].disconnect();
}
