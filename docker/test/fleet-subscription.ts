import { until } from '@solegate/testkit';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A subscription over WebSocket. */
export interface FleetSubscription extends AsyncDisposable {
  /** All events received. */
  readonly events: readonly unknown[];
}

/**
 * Subscribes through nginx and resolves when the gateway has accepted the token.
 *
 * @param ca authority of nginx's certificate, for an https URL; PEM
 */
export async function subscribeThroughNginx(
  url: string,
  token: string,
  { query, ca }: { readonly query: string; readonly ca?: string },
): Promise<FleetSubscription> {
  class TrustingWebSocket extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, ca === undefined ? {} : { ca });
    }
  }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: TrustingWebSocket,
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
