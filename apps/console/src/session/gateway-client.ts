import { computed } from '@preact/signals';
import { type Client, type ClientOptions, createClient, type Methods } from '@solegate/client';
import { webSockets } from '@solegate/client/websocket';
import { answered } from './gateway-state.js';
import { demoUser, isDemo, token } from './identity.js';

export type GatewayClient = Client;

/** What a method of the client comes to. */
export type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;

/** One event of a subscription. */
export type EventOf<Name extends keyof Methods> =
  ReturnType<Methods[Name]> extends AsyncIterable<infer Event> ? Event : never;

let newest: GatewayClient | undefined;

/** Asks as whoever is chosen on the page; another one each time that somebody else is chosen. */
export const client = computed<GatewayClient>(() => {
  void newest?.close();
  if (!isDemo) newest = open({ token: token.value });
  else newest = demoUser.value === '' ? open({}) : clientAs(demoUser.value);
  return newest;
});

/** Asks as one of the people of the demo, whoever is chosen on the page. */
export function clientAs(user: string): GatewayClient {
  return open({ headers: { 'x-demo-user': user } });
}

/** Subscriptions share one socket, so that they take none of the few connections that a browser has for requests. */
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
