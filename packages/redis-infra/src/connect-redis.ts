import type { ConnectionOptions } from 'node:tls';
import type { Cluster, ClusterOptions, CommonRedisOptions, Redis, SentinelConnectionOptions } from 'ioredis';

import { BoundedCluster, BoundedRedis, type CommandBounds } from './bounded-connection.js';
import { parseRedisUrl, type RedisTarget } from './redis-url.js';

/** A connection to one server (alone or behind Sentinel) or to a cluster; all of ioredis is at hand. */
export type RedisConnection = Redis | Cluster;

/**
 * What a connection is for. Nothing is ever resent by itself on any of them: what was asked and not answered is
 * the caller's to judge.
 *
 * | purpose | Redis away | a command ends within |
 * |---|---|---|
 * | `decision`: a caller waits for the answer | refused at once | 60 ms |
 * | `background`: renewals, sweeps, publishing | waits for the connection | 2000 ms |
 * | `subscriber`: receives messages | waits for the connection | 2000 ms |
 *
 * Blocking commands (BLPOP, XREAD BLOCK) have no place on any of them: they end after the same time.
 */
export type RedisPurpose = 'decision' | 'background' | 'subscriber';

/** Options of {@link connectRedis}. */
export interface ConnectRedisOptions {
  /** `redis://`, `rediss://`, `redis+sentinel://` or `redis+cluster://`. */
  readonly url: string;
  readonly purpose: RedisPurpose;
  /** Shown by `CLIENT LIST`; letters, digits, `-`, `_`, `.` and `:`. Default: `solegate-` and the purpose. */
  readonly name?: string;
  /** Longest wait for one command, in milliseconds, 1 to 60 000. Default: that of the purpose. */
  readonly commandTimeoutMs?: number;
  /** `true` connects at the first command instead of at once. Default: `false`. */
  readonly lazy?: boolean;
  /** For `rediss://`, `rediss+sentinel://` and `rediss+cluster://`. Default: the authorities that Node knows. */
  readonly tls?: RedisTlsOptions;
}

/** What TLS needs beyond the URL. All texts are PEM. The sentinels and all nodes are asked for the same. */
export interface RedisTlsOptions {
  /** Certificates of the authorities to believe, instead of those that Node knows. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Our own certificate and its key, for a server with `tls-auth-clients yes`, which is the default of Redis. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** The name that certificates are for, where the address in use is another one. Default: the host of the address. */
  readonly servername?: string;
}

/** A loser of a race is answered in about 0.1 ms; 60 ms are a Redis in trouble, and the database can decide. */
const defaultTimeoutMs: Record<RedisPurpose, number> = { decision: 60, background: 2000, subscriber: 2000 };

const connectTimeoutMs = 2000;

/**
 * How long `disconnect()` waits for the other side to close, in milliseconds; also when that side is gone already, and
 * the process cannot end before. ioredis reads this option, its types do not name it.
 */
const closing = { disconnectTimeout: 300 };

/** Pause before the n-th attempt to connect: soon at first, then at most a second, so that return is seen soon. */
const reconnectDelayMs = (attempt: number): number => Math.min(attempt * 50, 1000);

/**
 * Connects for one purpose and keeps reconnecting until `quit()` or `disconnect()`. Returns before the connection
 * stands; {@link openRedis} waits for it.
 *
 * @throws RedisUrlError, RangeError, TypeError for `tls` without a URL that asks for TLS
 */
export function connectRedis(options: ConnectRedisOptions): RedisConnection {
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
  // ioredis prints errors that nobody listens for; here each command and inspectRedis report them.
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

function tlsOf({ ca, cert, key, servername }: RedisTlsOptions = {}): ConnectionOptions {
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
      // 0 ends what is under way as soon as the connection breaks; null leaves it to its deadline.
      maxRetriesPerRequest: settings.keepsOfflineQueue ? null : 0,
      maxLoadingRetryTime: 1000,
      autoResendUnfulfilledCommands: false,
      // A master that became a replica refuses writes for ever: ask the sentinels, or the address, who is master now.
      reconnectOnError: (error) => error.message.startsWith('READONLY'),
      // Who subscribes also subscribes again: ioredis would do it with promises that nobody catches.
      autoResubscribe: false,
    },
    settings.bounds,
  );
}

/**
 * No `failoverDetector`: a message of it that meets an attempt to connect ends the connection for good, and sentinels
 * close the clients of a master that they replace anyway.
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
    // Any other value resends what was under way on a node that broke.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: settings.keepsOfflineQueue ? 100 : 0,
    retryDelayOnTryAgain: 10,
    slotsRefreshTimeout: connectTimeoutMs,
    slotsRefreshInterval: 5000,
    // A certificate is for a name, so the name is kept; ioredis would connect to the address that it stands for.
    ...(target.usesTls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    redisOptions: loginOptions(target, settings),
  };
  return new BoundedCluster([...target.addresses], options, settings.bounds);
}

/**
 * Every node of a cluster hears every message, so a subscriber needs one of them: the next one whenever a connection
 * breaks. A plain connection reports when it was replaced, which the one inside a Cluster does not.
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
