import { computed } from '@preact/signals';
import { type Client, createClient, type Methods } from '@solegate/client';
import { answered } from './gateway-state.js';
import { demoUser, isDemo, token } from './identity.js';

export type GatewayClient = Client;

/** What a method of the client comes to. */
export type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;

/** One event of a subscription. */
export type EventOf<Name extends keyof Methods> =
  ReturnType<Methods[Name]> extends AsyncIterable<infer Event> ? Event : never;

const OPTIONS = { url: '/graphql', timeoutMs: 10_000, fetch: noticedFetch };

/** Asks as whoever is chosen on the page; another one each time that somebody else is chosen. */
export const client = computed<GatewayClient>(() => {
  if (!isDemo) return createClient({ ...OPTIONS, token: token.value });
  return demoUser.value === '' ? createClient(OPTIONS) : clientAs(demoUser.value);
});

/** Asks as one of the people of the demo, whoever is chosen on the page. */
export function clientAs(user: string): GatewayClient {
  return createClient({ ...OPTIONS, headers: { 'x-demo-user': user } });
}

async function noticedFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  answered();
  return response;
}
