import type { Redis } from 'ioredis';
import { until } from '../judging/until.js';
import type { RedisTestServer } from './redis-server.js';

/**
 * Arguments of every server in a group. Replicas sync immediately: during the default delay of five seconds, a group
 * that looks ready would lose its data with its master. A cluster lists a replica once it has received anything, so the
 * master pings every second, not every ten. And a master that shuts down does not wait for dead replicas.
 */
export const PROMPT_REPLICATION =
  '--repl-diskless-sync-delay 0 --repl-ping-replica-period 1 --shutdown-timeout 0'.split(' ');

/** A client for queries to one server of a group; calls fail within a second if the server is dead or paused. */
export function asker(server: RedisTestServer): Redis {
  return server.client({ maxRetriesPerRequest: 0, commandTimeout: 1_000, retryStrategy: () => 100 });
}

/** Whether the server itself reports that it is a master, and so accepts writes. */
export async function isMaster(server: Redis): Promise<boolean> {
  const [role] = await server.role();
  return role === 'master';
}

/** Resolves when a replica has its master's data and replicates from it. */
export async function untilLinked(replica: Redis): Promise<void> {
  const isLinked = async () => (await replica.info('replication')).includes('master_link_status:up');
  const what = `The replica on port ${replica.options.port} with its master's data`;
  await until(isLinked, { what });
}
