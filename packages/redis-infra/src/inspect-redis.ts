import { Cluster, type Redis } from 'ioredis';

import type { RedisConnection } from './connect-redis.js';
import { mightSend, type RedisFailure, redisFailure } from './redis-failure.js';

/**
 * What an operator should change.
 *
 * - `KEYS_MAY_BE_EVICTED`: a full memory makes Redis forget leases and holds; set `maxmemory-policy noeviction`
 * - `NOT_PERSISTENT`: a restart forgets everything; set `appendonly yes`
 * - `LAST_SAVE_FAILED`: the disk is full or broken; Redis may refuse writes
 * - `REPLICA`: this server refuses writes; connect through Sentinel or to the master
 */
export type RedisWarning = 'KEYS_MAY_BE_EVICTED' | 'NOT_PERSISTENT' | 'LAST_SAVE_FAILED' | 'REPLICA';

/** One server as it describes itself. */
export interface RedisServerHealth {
  readonly role: 'master' | 'replica';
  /** Differs after every start of the server: another run ID means a restart or a failover. */
  readonly runId: string;
  readonly version: string;
  readonly usedMemoryBytes: number;
  /** 0 means no limit. */
  readonly memoryMaxBytes: number;
  /** Such as `noeviction`. */
  readonly memoryPolicy: string;
  /** `unknown` where the server keeps its configuration to itself. */
  readonly persistence: 'aof' | 'snapshots' | 'none' | 'unknown';
  readonly warnings: readonly RedisWarning[];
}

/** The state of Redis as this process sees it. */
export type RedisHealth =
  | {
      readonly kind: 'up';
      /** One PING, in milliseconds; in a cluster the slowest master's. */
      readonly roundTripMs: number;
      /** The one server, or all masters of the cluster; without those that do not let this user inspect them. */
      readonly servers: readonly RedisServerHealth[];
      /** Whether all of them were inspected; else this user may not run INFO. */
      readonly isInspected: boolean;
    }
  | { readonly kind: 'down'; readonly failure: RedisFailure };

/**
 * Asks Redis how it is. Never rejects; settles within three command timeouts of the connection, or five seconds where it
 * has to ask the nodes of a cluster.
 */
export async function inspectRedis(connection: RedisConnection): Promise<RedisHealth> {
  const isSendable = mightSend(connection);
  try {
    // In a cluster the first command finds out that it is not there, before any node is asked.
    const startedAtMs = performance.now();
    await connection.ping();
    const reports = await Promise.all(serversOf(connection).map(inspectServer));
    const firstPingMs = performance.now() - startedAtMs;
    return {
      kind: 'up',
      roundTripMs: Math.max(0, ...reports.map((report) => report.roundTripMs)) || firstPingMs,
      servers: reports.flatMap(({ server }) => (server ? [server] : [])),
      isInspected: reports.every(({ server }) => server !== undefined),
    };
  } catch (error) {
    return { kind: 'down', failure: redisFailure(error, isSendable) };
  }
}

function serversOf(connection: RedisConnection): Redis[] {
  return connection instanceof Cluster ? connection.nodes('master') : [connection];
}

interface ServerReport {
  readonly roundTripMs: number;
  /** Undefined: this user may not ask. */
  readonly server: RedisServerHealth | undefined;
}

async function inspectServer(server: Redis): Promise<ServerReport> {
  const startedAtMs = performance.now();
  await server.ping();
  const roundTripMs = performance.now() - startedAtMs;
  const [info, savePoints] = await Promise.all([
    unlessRefused(server.info(), FORBIDDEN),
    // When snapshots are written, '' when never. A managed Redis refuses it in words of its own.
    unlessRefused(server.config('GET', 'save') as Promise<string[]>, /^/),
  ]);
  return { roundTripMs, server: info === undefined ? undefined : describeServer(info, savePoints?.[1]) };
}

const FORBIDDEN = /^(?:NOPERM|ERR unknown command)/;

/** Undefined when the server refuses the question in such words. */
async function unlessRefused<Reply>(reply: Promise<Reply>, refusal: RegExp): Promise<Reply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError' && refusal.test(error.message))
      return undefined;
    throw error;
  }
}

/** Reads the reply of INFO, lines of `field:value`. */
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
