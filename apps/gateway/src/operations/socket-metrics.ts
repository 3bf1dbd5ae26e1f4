import type { Server } from 'node:http';
import type { PubSub } from '@solegate/redis-infra';
import { Gauge, type Registry } from 'prom-client';

export interface SocketMetricsParts {
  readonly server: Server;
  readonly sockets: { readonly socketCount: number; readonly subscriptionCount: number };
  readonly streams: { readonly streamCount: number };
  readonly pubSub: PubSub;
}

/** Connections, WebSockets and event streams: how many, what they listen to, and how many channels of Redis that takes. */
export function registerSocketMetrics(
  registry: Registry,
  { server, sockets, streams, pubSub }: SocketMetricsParts,
): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  };
  gauge('solegate_gateway_connections', 'Open connections over HTTP, WebSockets included', () =>
    countOf(server),
  );
  gauge('solegate_gateway_sockets', 'WebSockets that have said who they are', () => sockets.socketCount);
  gauge('solegate_gateway_streams', 'Subscriptions as server-sent events', () => streams.streamCount);
  gauge('solegate_gateway_subscriptions', 'Subscriptions under way', () => sockets.subscriptionCount);
  gauge('solegate_gateway_channels', 'Channels of Redis that somebody listens to', () => pubSub.channelCount);
}

function countOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
