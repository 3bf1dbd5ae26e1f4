import type { Cluster, Redis } from 'ioredis';

import { assertRedisConnection } from './assert-redis-connection.js';
import type { RedisCalls } from './redis-calls.js';
import { mightSend, type RedisFailure, redisFailure } from './redis-failure.js';

/**
 * A condition that an operator should fix.
 *
 * - `KEYS_MAY_BE_EVICTED`: when memory is full, Redis can lose leases and holds; set `maxmemory-policy noeviction`
 * - `NOT_PERSISTENT`: a restart loses everything; set `appendonly yes`
 * - `LAST_SAVE_FAILED`: the disk is full or broken; Redis might reject writes
 * - `REPLICA`: this server rejects writes; connect through Sentinel or to the master
 */
export type RedisWarning = 'KEYS_MAY_BE_EVICTED' | 'NOT_PERSISTENT' | 'LAST_SAVE_FAILED' | 'REPLICA';

/** The state of one server, from its own report. */
export interface RedisServerHealth {
  readonly role: 'master' | 'replica';
  /** Changes with every start of the server: a different run ID means a restart or a failover. */
  readonly runId: string;
  readonly version: string;
  readonly usedMemoryBytes: number;
  /** 0 means no limit. */
  readonly memoryMaxBytes: number;
  /** For example `noeviction`. */
  readonly memoryPolicy: string;
  /** `unknown` if the server does not disclose its configuration. */
  readonly persistence: 'aof' | 'snapshots' | 'none' | 'unknown';
  readonly warnings: readonly RedisWarning[];
}

/** The state of Redis as this process sees it. */
export type RedisHealth =
  | {
      readonly kind: 'UP';
      /** Duration of one PING, in milliseconds; in a cluster, that of the slowest master. */
      readonly roundTripMs: number;
      /** The server, or all masters of the cluster, except those that this user is not allowed to inspect. */
      readonly servers: readonly RedisServerHealth[];
      /** Whether all were inspected; otherwise this user is not allowed to run INFO. */
      readonly isInspected: boolean;
    }
  | { readonly kind: 'DOWN'; readonly failure: RedisFailure };

/**
 * Checks the health of Redis. Never rejects. Settles within three command timeouts of the connection, or five seconds
 * if it has to query the nodes of a cluster.
 */
export async function inspectRedis(connection: RedisCalls): Promise<RedisHealth> {
  assertRedisConnection(connection);
  const isSendable = mightSend(connection);
  try {
    // In a cluster, the first command detects that it is unreachable before any node is queried.
    const startedAtMs = performance.now();
    await connection.ping();
    const reports = await Promise.all(serversOf(connection).map(inspectServer));
    const firstPingMs = performance.now() - startedAtMs;
    return {
      kind: 'UP',
      roundTripMs: Math.max(0, ...reports.map((report) => report.roundTripMs)) || firstPingMs,
      servers: reports.flatMap(({ server }) => (server ? [server] : [])),
      isInspected: reports.every(({ server }) => server !== undefined),
    };
  } catch (error) {
    return { kind: 'DOWN', failure: redisFailure(error, isSendable) };
  }
}

function serversOf(connection: RedisCalls): Redis[] {
  const whole = connection as Redis | Cluster;
  return isCluster(whole) ? whole.nodes('master') : [whole];
}

/** Not `instanceof`, which would load ioredis, and know one copy of it only. */
const isCluster = (connection: Redis | Cluster): connection is Cluster => connection.isCluster;

interface ServerReport {
  readonly roundTripMs: number;
  /** Undefined: this user is not allowed to ask. */
  readonly server: RedisServerHealth | undefined;
}

async function inspectServer(server: Redis): Promise<ServerReport> {
  const startedAtMs = performance.now();
  await server.ping();
  const roundTripMs = performance.now() - startedAtMs;
  const [info, savePoints] = await Promise.all([
    unlessRefused(server.info(), FORBIDDEN),
    // The snapshot schedule, '' for never. A managed Redis rejects this with its own error messages.
    unlessRefused(server.config('GET', 'save') as Promise<string[]>, /^/),
  ]);
  return { roundTripMs, server: info === undefined ? undefined : describeServer(info, savePoints?.[1]) };
}

const FORBIDDEN = /^(?:NOPERM|ERR unknown command)/;

/** Returns undefined if the server rejects the query with a matching message. */
async function unlessRefused<Reply>(reply: Promise<Reply>, refusal: RegExp): Promise<Reply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError' && refusal.test(error.message))
      return undefined;
    throw error;
  }
}

/** Parses the reply of INFO, lines of `field:value`. */
export function describeServer(info: string, savePoints: string | undefined): RedisServerHealth {
  const fields = new Map(
    info.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)];
    }),
  );
  const field = (name: string): string => fields.get(name) ?? '';
  const role = field('role') === 'master' ? 'master' : 'replica';
  const memoryMaxBytes = Number(field('maxmemory'));
  const memoryPolicy = field('maxmemory_policy');
  const persistence = describePersistence(field('aof_enabled') === '1', savePoints);
  const warnings: RedisWarning[] = [];
  if (memoryMaxBytes > 0 && memoryPolicy !== 'noeviction') warnings.push('KEYS_MAY_BE_EVICTED');
  if (persistence === 'none') warnings.push('NOT_PERSISTENT');
  if (field('rdb_last_bgsave_status') === 'err' || field('aof_last_write_status') === 'err') {
    warnings.push('LAST_SAVE_FAILED');
  }
  if (role === 'replica') warnings.push('REPLICA');
  return {
    role,
    runId: field('run_id'),
    version: field('redis_version'),
    usedMemoryBytes: Number(field('used_memory')),
    memoryMaxBytes,
    memoryPolicy,
    persistence,
    warnings,
  };
}

function describePersistence(
  hasAof: boolean,
  savePoints: string | undefined,
): RedisServerHealth['persistence'] {
  if (hasAof) return 'aof';
  if (savePoints === undefined) return 'unknown';
  return savePoints === '' ? 'none' : 'snapshots';
}
