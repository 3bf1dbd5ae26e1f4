import { computed } from '@preact/signals';
import { type Client, type ClientOptions, createClient, type Methods } from '@solegate/client';
import { webSockets } from '@solegate/client/websocket';
import { ANSWER_WITHIN_MS, answered } from './gateway-state.js';
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
  newest = open(chosenUser.value);
  return newest;
});

const chosenUser = computed(() => {
  if (!isDemo) return { token: token.value };
  return demoUser.value === '' ? {} : { headers: { 'x-demo-user': demoUser.value } };
});

/** A client for a demo user, independent of the user chosen on the page. */
export function clientAs(user: string): GatewayClient {
  return open({ headers: { 'x-demo-user': user } });
}

/** Subscriptions share one socket, so that they use none of the browser's few connections for requests. */
function open(who: Pick<ClientOptions, 'token' | 'headers'>, url = '/graphql'): GatewayClient {
  return createClient({
    url,
    timeoutMs: 10_000,
    fetch: noticedFetch,
    webSocket: webSockets(),
    ...who,
  });
}

async function noticedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  // A balancer answers with 502 to 504 for a gateway that does not.
  if (response.status < 500) answered();
  return response;
}

/** With an address of its own, so that a polled request is not measured among those of a view. */
const poller = computed(() => open(chosenUser.value, '/graphql?poll'));

/** What is wrong with the parts of the gateway that responds; empty if all work. */
export async function problemsOfParts(): Promise<readonly string[]> {
  const promises = await poller.value.promises({}, { timeoutMs: ANSWER_WITHIN_MS });
  return [...new Set(promises.flatMap(({ limits }) => limits.map(({ reason }) => reason)))];
}
