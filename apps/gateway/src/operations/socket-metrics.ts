import type { PubSub } from '@solegate/redis-infra';
import { Gauge, type Registry } from 'prom-client';

/** What is counted of the listener for WebSockets. */
interface SocketCounts {
  readonly socketCount: number;
  readonly subscriptionCount: number;
}

/** WebSockets: how many, what they listen to, and how many channels of Redis that takes. */
export function registerSocketMetrics(registry: Registry, sockets: SocketCounts, pubSub: PubSub): void {
  const gauge = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge('solegate_gateway_sockets', 'WebSockets that have said who they are', () => sockets.socketCount);
  gauge('solegate_gateway_subscriptions', 'Subscriptions under way', () => sockets.subscriptionCount);
  gauge('solegate_gateway_channels', 'Channels of Redis that somebody listens to', () => pubSub.channelCount);
}
