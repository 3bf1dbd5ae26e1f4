import { computed } from '@preact/signals';
import { type Client, type ClientOptions, createClient, type Methods } from '@solegate/client';
import { webSockets } from '@solegate/client/websocket';
import { answered } from './gateway-state.js';
import { demoUser, isDemo, token } from './identity.js';

export type GatewayClient = Client;

/** The result type of a client method. */
export type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;

/** The event type of a subscription. */
export type EventOf<Name extends keyof Methods> =
  ReturnType<Methods[Name]> extends AsyncIterable<infer Event> ? Event : never;

let newest: GatewayClient | undefined;

/** The client of the chosen user; replaced whenever another user is chosen. */
export const client = computed<GatewayClient>(() => {
  void newest?.close();
  if (!isDemo) newest = open({ token: token.value });
  else newest = demoUser.value === '' ? open({}) : clientAs(demoUser.value);
  return newest;
});

/** A client for a demo user, independent of the user chosen on the page. */
export function clientAs(user: string): GatewayClient {
  return open({ headers: { 'x-demo-user': user } });
}

/** Subscriptions share one socket, so that they use none of the browser's few connections for requests. */
function open(who: Pick<ClientOptions, 'token' | 'headers'>): GatewayClient {
  return createClient({
    url: '/graphql',
    timeoutMs: 10_000,
    fetch: noticedFetch,
    webSocket: webSockets(),
    ...who,
  });
}

async function noticedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  answered();
  return response;
}
