import { once } from 'node:events';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { gatewayOfFile } from './gateway-fixture.js';

/** Passes every MUST and SHOULD audit of the GraphQL-over-HTTP reference implementation. */
const gateway = gatewayOfFile();

/** The MAY audits are left out: they are optional, and some need GET, which the gateway does not support. */
const audits = serverAudits({ url: () => `${gateway.url}/graphql` }).filter(
  ({ name }) => !name.startsWith('MAY'),
);

test('the audits include both MUST and SHOULD', () => {
  for (const verb of ['MUST', 'SHOULD']) {
    expect(audits.filter(({ name }) => name.startsWith(verb)).length).toBeGreaterThan(10);
  }
});

test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))(
  '%s',
  async (_name, audit) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
  },
);

test('a long body in small pieces is answered', async () => {
  const body = Buffer.from(JSON.stringify({ query: '{ __typename }', padding: 'é'.repeat(250_000) }));
  async function* pieces() {
    for (let at = 0; at < body.length; at += 99) yield body.subarray(at, at + 99);
  }
  const headers = { 'content-type': 'application/json' };
  const asked = request(`${gateway.url}/graphql`, { method: 'POST', headers });
  const [[answer]] = await Promise.all([once(asked, 'response'), pipeline(pieces(), asked)]);
  expect(await new Response(answer).json()).toEqual({ data: { __typename: 'Query' } });
});

interface Sent {
  readonly status: number;
  readonly type: string | null;
}

async function send(query: string, accept: string): Promise<Sent> {
  const { status, headers } = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query }),
  });
  return { status, type: headers.get('content-type') };
}

test('a rejected operation has its own status if the client accepts that, and 200 otherwise', async () => {
  const query = '{ trip(id: "1e3") { id } }';
  expect(await send(query, 'application/graphql-response+json')).toEqual({
    status: 400,
    type: 'application/graphql-response+json; charset=utf-8',
  });
  expect(await send(query, 'application/json')).toEqual({
    status: 200,
    type: 'application/json; charset=utf-8',
  });
});
