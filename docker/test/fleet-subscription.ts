import { until } from '@solegate/testkit';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A subscription over WebSocket. */
export interface FleetSubscription extends AsyncDisposable {
  /** What came so far. */
  readonly events: readonly unknown[];
}

/** Subscribes through nginx and resolves when the gateway has said yes to the token. */
export async function subscribeThroughNginx(
  url: string,
  token: string,
  query: string,
): Promise<FleetSubscription> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
  });
  let isConnected = false;
  client.on('connected', () => {
    isConnected = true;
  });
  const events: unknown[] = [];
  client.subscribe(
    { query },
    { next: (event) => events.push(event.data), error: (error) => events.push(error), complete: () => {} },
  );
  await until(() => isConnected, { what: 'A WebSocket through nginx' });
  return {
    events,
    async [Symbol.asyncDispose]() {
      await client.dispose();
    },
  };
}
