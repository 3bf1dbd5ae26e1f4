import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { Cluster } from 'ioredis';

import { type ConnectRedisOptions, connectRedis, type RedisConnection, tlsOf } from './connect-redis.js';
import { RedisUnavailableError, withoutArguments } from './redis-failure.js';
import { parseRedisUrl } from './redis-url.js';

/** Options of {@link openRedis}. */
export interface OpenRedisOptions extends Omit<ConnectRedisOptions, 'lazy'> {
  /** Longest wait for a usable connection, in milliseconds. Default: 5000. */
  readonly openTimeoutMs?: number;
}

/**
 * Connects and waits until commands can be sent. Fails at the first fault instead of retrying, so that a program with
 * a wrong URL or password reports it at startup. Once open, the connection reconnects automatically.
 *
 * @throws RedisUrlError; RedisUnavailableError, which names the hosts and a remedy, never a password
 */
export async function openRedis(options: OpenRedisOptions): Promise<RedisConnection> {
  const { openTimeoutMs = 5000, ...connectOptions } = options;
  const { description, topology, usesTls } = parseRedisUrl(options.url);
  const connection = connectRedis({ ...connectOptions, lazy: true });
  try {
    await firstReady(connection, openTimeoutMs);
    return connection;
  } catch (error) {
    connection.disconnect();
    const known = topology === 'cluster' ? await nodeCause(error, connectOptions) : rootCause(error);
    const cause =
      usesTls && /ECONNRESET/.test(known.message) ? await silentCause(known, connectOptions) : known;
    throw new RedisUnavailableError(
      `Redis at ${description} cannot be used: ${cause.message}. ${advice(cause, usesTls)}`,
      { cause },
    );
  }
}

/** A cluster hides why a node is unreachable, so this connects to one node directly. */
async function nodeCause(error: unknown, options: ConnectRedisOptions): Promise<Error> {
  const cause = rootCause(error);
  if (!cause.message.startsWith('Connection is closed')) return cause;
  const node = connectRedis({ ...options, purpose: 'subscriber', lazy: true });
  try {
    await firstReady(node, NODE_TIMEOUT_MS);
    return cause;
  } catch (nodeError) {
    return rootCause(nodeError);
  } finally {
    node.disconnect();
  }
}

const NODE_TIMEOUT_MS = 2000;

/** In TLS 1.3, whoever has written before a server refuses the certificate may read no reason, so this only reads. */
async function silentCause(cause: Error, { url, tls }: ConnectRedisOptions): Promise<Error> {
  const socket = connectTls({ ...parseRedisUrl(url).addresses[0], ...tlsOf(tls) });
  try {
    await once(socket, 'close', { signal: AbortSignal.timeout(NODE_TIMEOUT_MS) });
    return cause;
  } catch (error) {
    return error instanceof Error && CLIENT_CERTIFICATE.test(error.message) ? error : cause;
  } finally {
    socket.destroy();
  }
}

/** The first error event ends the wait. It comes before or after the rejection of connect(), with more detail. */
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

/** Unwraps the error of the last node from a cluster's error. */
function rootCause(error: unknown): Error {
  const wrapped = typeof error === 'object' && error !== null && 'lastNodeError' in error;
  return withoutArguments(wrapped ? error.lastNodeError : error);
}

const UNKNOWN_AUTHORITY =
  /UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|SELF_SIGNED_CERT|unable to (?:verify|get)|self-signed certificate/;
const CLIENT_CERTIFICATE =
  /alert (?:certificate required|bad certificate|unknown ca|handshake failure)|certificate required/i;

/** Error patterns with their remedies; the first match applies. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/NOAUTH|WRONGPASS|invalid password/, 'Correct the user and password in the URL.'],
  [
    /NOPERM/,
    'Grant this user the commands and keys that it needs (ACL SETUSER), or correct the user and password.',
  ],
  [/ENOTFOUND|EAI_AGAIN/, 'Correct the host name in the URL.'],
  [/ECONNREFUSED/, 'Start Redis there, or correct the host and port in the URL.'],
  [/cluster support disabled/, 'It is not a cluster: use redis:// or redis+sentinel://.'],
  [UNKNOWN_AUTHORITY, 'Its certificate authority is not trusted here: pass the authority as tls.ca.'],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate/,
    'Its certificate is for other names: use one of them in the URL, or pass it as tls.servername.',
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/,
    "Renew the server's certificate, or correct the clock of this machine.",
  ],
  [
    /CERT_NOT_YET_VALID|not yet valid/,
    'Correct the clock of this machine or of the one that issued the certificate.',
  ],
  [
    CLIENT_CERTIFICATE,
    'It requires a client certificate that it trusts: pass tls.cert and tls.key, or set tls-auth-clients no.',
  ],
  [/sentinel/i, 'Start the sentinels, or correct their hosts and the master name.'],
];

function advice(cause: Error, usesTls: boolean): string {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const said = `${code} ${cause.message}`;
  const [, found] = ADVICE.find(([pattern]) => pattern.test(said)) ?? [];
  if (found !== undefined) return found;
  return usesTls
    ? 'Check that this port speaks TLS, and whether it requires a client certificate: pass tls.cert and tls.key.'
    : 'Check that Redis listens there, that no firewall blocks it, and whether it requires TLS (rediss://).';
}
