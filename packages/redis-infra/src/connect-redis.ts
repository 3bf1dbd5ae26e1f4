import type { ConnectionOptions } from 'node:tls';
import type { Cluster, ClusterOptions, CommonRedisOptions, Redis, SentinelConnectionOptions } from 'ioredis';

import { BoundedCluster, BoundedRedis, type CommandBounds } from './bounded-connection.js';
import { refuseUnknownOptions } from './option-names.js';
import { parseRedisUrl, type RedisTarget } from './redis-url.js';

/** A connection to one server (standalone or behind Sentinel) or to a cluster, with the full API of ioredis. */
export type RedisConnection = Redis | Cluster;

/**
 * What a connection is for. No connection ever resends a command automatically: the caller decides what to do about
 * one that got no reply.
 *
 * | purpose | while Redis is unreachable | a command settles within |
 * |---|---|---|
 * | `decision`: a caller waits for the reply | rejected immediately | 60 ms |
 * | `background`: renewals, sweeps, publishing | waits for the connection | 2000 ms |
 * | `subscriber`: receives messages | waits for the connection | 2000 ms |
 *
 * Do not use blocking commands (BLPOP, XREAD BLOCK) on any of them: they time out like all others.
 */
export type RedisPurpose = 'decision' | 'background' | 'subscriber';

/** Options of {@link connectRedis}. */
export interface ConnectRedisOptions {
  /** `redis://`, `rediss://`, `redis+sentinel://` or `redis+cluster://`. */
  readonly url: string;
  readonly purpose: RedisPurpose;
  /** Shown in `CLIENT LIST`; letters, digits, `-`, `_`, `.` and `:`. Default: `solegate-` and the purpose. */
  readonly name?: string;
  /** Time limit of one command, in milliseconds, 1 to 60 000. Default: depends on the purpose. */
  readonly commandTimeoutMs?: number;
  /** `true` connects at the first command instead of immediately. Default: `false`. */
  readonly lazy?: boolean;
  /** For `rediss://`, `rediss+sentinel://` and `rediss+cluster://`. Default: the authorities that Node trusts. */
  readonly tls?: RedisTlsOptions;
}

/** TLS settings beyond the URL, all in PEM. They apply to the sentinels and all nodes too. */
export interface RedisTlsOptions {
  /** Certificates of the authorities to trust, instead of those that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Client certificate and its key, for a server with `tls-auth-clients yes`, the default of Redis. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name on the certificates, if it differs from the address in use. Default: the host of the address. */
  readonly servername?: string;
}

const NAMES = {
  url: true,
  purpose: true,
  name: true,
  commandTimeoutMs: true,
  lazy: true,
  tls: true,
} as const;

/** A race normally gets its reply in about 0.1 ms; after 60 ms Redis is in trouble, and the database can decide. */
const defaultTimeoutMs: Record<RedisPurpose, number> = { decision: 60, background: 2000, subscriber: 2000 };

const connectTimeoutMs = 2000;

/**
 * How long `disconnect()` waits for the other side to close, in milliseconds, even if that side has already vanished.
 * The process cannot exit before. ioredis reads this option, but its types lack it.
 */
const closing = { disconnectTimeout: 300 };

/** Pause before the n-th attempt to connect: short at first, and at most a second, to detect recovery soon. */
const reconnectDelayMs = (attempt: number): number => Math.min(attempt * 50, 1000);

/**
 * Connects for one purpose and keeps reconnecting until `quit()` or `disconnect()`. Returns before the connection is
 * established; {@link openRedis} waits for it.
 *
 * @throws RedisUrlError, RangeError, or TypeError for an unknown option, or `tls` with a URL that does not enable TLS
 */
export function connectRedis(options: ConnectRedisOptions): RedisConnection {
  refuseUnknownOptions(options, NAMES);
  const target = parseRedisUrl(options.url);
  const commandTimeoutMs = options.commandTimeoutMs ?? defaultTimeoutMs[options.purpose];
  if (!(commandTimeoutMs >= 1 && commandTimeoutMs <= 60_000)) {
    throw new RangeError(`commandTimeoutMs must be between 1 and 60000, not ${commandTimeoutMs}.`);
  }
  if (options.tls && !target.usesTls)
    throw new TypeError('tls is given, but the Redis URL does not begin with rediss');
  const bounds: CommandBounds = {
    commandTimeoutMs,
    handshakeTimeoutMs: connectTimeoutMs,
    silenceMaxMs: Math.max(1000, 2 * commandTimeoutMs),
  };
  const name = options.name ?? `solegate-${options.purpose}`;
  const keepsOfflineQueue = options.purpose !== 'decision';
  const settings = { name, keepsOfflineQueue, bounds, tls: tlsOf(options.tls) };
  const connection =
    target.topology !== 'cluster'
      ? connectServer(target, settings)
      : options.purpose === 'subscriber'
        ? connectAnyNode(target, settings)
        : connectCluster(target, settings);
  // ioredis prints errors without a listener; here, each command and inspectRedis report them.
  connection.on('error', () => undefined);
  if (!options.lazy) connection.connect().catch(() => undefined);
  return connection;
}

interface ConnectionSettings {
  readonly name: string;
  readonly keepsOfflineQueue: boolean;
  readonly bounds: CommandBounds;
  readonly tls: ConnectionOptions;
}

/** @internal */
export function tlsOf({ ca, cert, key, servername }: RedisTlsOptions = {}): ConnectionOptions {
  return {
    ...(ca === undefined ? {} : { ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(servername === undefined ? {} : { servername }),
  };
}

function connectServer(target: RedisTarget, settings: ConnectionSettings): Redis {
  const [server] = target.addresses;
  const place =
    target.topology === 'sentinel'
      ? { sentinels: [...target.addresses], name: target.masterName, ...sentinelOptions(target, settings) }
      : { ...server };
  return new BoundedRedis(
    {
      ...place,
      ...loginOptions(target, settings),
      db: target.database,
      retryStrategy: reconnectDelayMs,
      enableOfflineQueue: settings.keepsOfflineQueue,
      // 0 rejects pending commands as soon as the connection breaks; null leaves them to their deadline.
      maxRetriesPerRequest: settings.keepsOfflineQueue ? null : 0,
      maxLoadingRetryTime: 1000,
      autoResendUnfulfilledCommands: false,
      // A master demoted to a replica rejects writes forever: reconnect to find the current master.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      // PubSub resubscribes itself: ioredis would do it with promises whose rejections nothing handles.
      autoResubscribe: false,
    },
    settings.bounds,
  );
}

/**
 * No `failoverDetector`: if one of its messages arrives during an attempt to connect, it ends the connection
 * permanently. Sentinels close the clients of a replaced master anyway.
 */
function sentinelOptions(
  { sentinelUsername, sentinelPassword, usesTls }: RedisTarget,
  { tls }: ConnectionSettings,
): SentinelConnectionOptions {
  return {
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    sentinelCommandTimeout: connectTimeoutMs,
    sentinelRetryStrategy: reconnectDelayMs,
    ...(usesTls ? { enableTLSForSentinelMode: true, sentinelTLS: tls } : {}),
  };
}

function connectCluster(target: RedisTarget, settings: ConnectionSettings): Cluster {
  const options: ClusterOptions = {
    clusterRetryStrategy: reconnectDelayMs,
    enableOfflineQueue: settings.keepsOfflineQueue,
    // Any other value resends commands that were pending on a failed node.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: settings.keepsOfflineQueue ? 100 : 0,
    retryDelayOnTryAgain: 10,
    slotsRefreshTimeout: connectTimeoutMs,
    slotsRefreshInterval: 5000,
    // Certificates are for names, so host names are kept; ioredis would connect to the resolved address.
    ...(target.usesTls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    redisOptions: loginOptions(target, settings),
  };
  return new BoundedCluster([...target.addresses], options, settings.bounds);
}

/**
 * Every node of a cluster receives every message, so a subscriber connects to one node, and to the next whenever the
 * connection breaks. A plain connection reports when it was replaced; the one inside a Cluster does not.
 */
function connectAnyNode(target: RedisTarget, settings: ConnectionSettings): Redis {
  const connection = connectServer(target, settings);
  let nodeIndex = 0;
  connection.on('close', () => {
    nodeIndex += 1;
    Object.assign(connection.options, target.addresses[nodeIndex % target.addresses.length]);
  });
  return connection;
}

function loginOptions(target: RedisTarget, settings: ConnectionSettings): CommonRedisOptions {
  return {
    ...(target.username === undefined ? {} : { username: target.username }),
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(target.usesTls ? { tls: settings.tls } : {}),
    connectionName: settings.name,
    connectTimeout: connectTimeoutMs,
    ...closing,
    keepAlive: 10_000,
  };
}
