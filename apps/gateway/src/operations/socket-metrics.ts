import type { Server } from 'node:http';
import type { PubSub } from '@solegate/redis-infra';
import type { Registry } from 'prom-client';
import { gaugeOf } from './instruments.js';

export interface SocketMetricsParts {
  readonly server: Server;
  readonly sockets: { readonly socketCount: number; readonly subscriptionCount: number };
  readonly streams: { readonly streamCount: number };
  readonly held: { readonly byteCount: number };
  readonly pubSub: PubSub;
}

/** Registers the numbers of connections, WebSockets, event streams, subscriptions, held bytes and Redis channels. */
export function registerSocketMetrics(
  registry: Registry,
  { server, sockets, streams, held, pubSub }: SocketMetricsParts,
): void {
  const gauge = gaugeOf(registry);
  gauge('solegate_gateway_connections', 'Open HTTP connections, including WebSockets', () => countOf(server));
  gauge('solegate_gateway_sockets', 'Authenticated WebSockets', () => sockets.socketCount);
  gauge('solegate_gateway_streams', 'Subscriptions over server-sent events', () => streams.streamCount);
  gauge('solegate_gateway_subscriptions', 'Active WebSocket subscriptions', () => sockets.subscriptionCount);
  gauge(
    'solegate_gateway_held_bytes',
    'Request bodies, and responses and events that clients have not read',
    () => held.byteCount,
  );
  gauge('solegate_gateway_channels', 'Redis channels with a local subscriber', () => pubSub.channelCount);
}

function countOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
