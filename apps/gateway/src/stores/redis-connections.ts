import { connectRedis, openRedis, type RedisConnection } from '@solegate/redis-infra';

/** The connections of one process, by what they are for. */
export interface RedisConnections {
  /** A caller waits: locks, gates, the node lease. */
  readonly decision: RedisConnection;
  /** Nobody waits: publishing, rate limits, probes. */
  readonly background: RedisConnection;
  /** Messages to subscribers of GraphQL. */
  readonly subscriber: RedisConnection;
}

/**
 * @param mayBeAway connects when Redis answers, instead of failing while it does not
 * @throws RedisUnavailableError, RedisUrlError: with what to do, and with nothing left open
 */
export async function openRedisConnections(url: string, mayBeAway: boolean): Promise<RedisConnections> {
  const purposes = {
    decision: 'decision',
    background: 'background',
    subscriber: 'subscriber',
  } as const;
  const names = Object.keys(purposes) as (keyof typeof purposes)[];
  const open = mayBeAway
    ? async (options: Parameters<typeof openRedis>[0]) => connectRedis(options)
    : openRedis;
  const opened = await Promise.allSettled(
    names.map((name) => open({ url, purpose: purposes[name], name: `solegate-${name}` })),
  );
  const failure = opened.find((result) => result.status === 'rejected');
  const connections = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failure !== undefined) {
    for (const connection of connections) connection.disconnect();
    throw failure.reason;
  }
  const [decision, background, subscriber] = connections as [
    RedisConnection,
    RedisConnection,
    RedisConnection,
  ];
  return { decision, background, subscriber };
}

export function closeRedisConnections(connections: RedisConnections): void {
  const { decision, background, subscriber } = connections;
  for (const connection of [decision, background, subscriber]) connection.disconnect();
}
