import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { type Client, createClient } from 'graphql-sse';
import { Redis } from 'ioredis';
import { FileStores, type Json, startTestGateway, type TestGateway } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/** Subscriptions as server-sent events, for networks that block WebSockets. */
const clients: Client[] = [];

afterAll(() => {
  for (const client of clients) client.dispose();
});
const stores = new FileStores();
const gateway = stores.gateway(JWT_ENVIRONMENT);
const limitless = stores.gateway({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });

async function subscribe(
  query: string,
  facts: TokenFacts,
  of: TestGateway = gateway,
): Promise<AsyncIterableIterator<Json>> {
  const client = createClient({ url: `${of.url}/graphql`, headers: await bearer(facts), retryAttempts: 0 });
  clients.push(client);
  return client.iterate({ query });
}

const rider: TokenFacts = { subject: '1', roles: ['rider'] };
const updates = (id: string): string =>
  `subscription { tripUpdated(tripId: "${id}", afterRevision: 0) { revision status } }`;

async function request(of: TestGateway = gateway): Promise<string> {
  const { data } = await of.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
    headers: await bearer(rider),
  });
  return data.requestTrip.id;
}

async function post(query: string, facts = rider, accept = 'text/event-stream'): Promise<Response> {
  return fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...(await bearer(facts)) },
    body: JSON.stringify({ query }),
  });
}

test.each([
  ['text/event-stream', 'text/event-stream; charset=utf-8'],
  ['text/event-stream, application/json;q=0', 'text/event-stream; charset=utf-8'],
  [
    'application/graphql-response+json, application/json, text/event-stream, multipart/mixed',
    'application/graphql-response+json; charset=utf-8',
  ],
  ['application/json, text/event-stream;q=0', 'application/json; charset=utf-8'],
  ['text/event-stream, */*;q=0.1', 'application/json; charset=utf-8'],
  ['application/graphql-response+json;q=0.1, application/json', 'application/json; charset=utf-8'],
  ['application/graphql-response+json;q=0, */*', 'application/json; charset=utf-8'],
])('a query with accept: %s', async (accept, type) => {
  const response = await post('{ __typename }', rider, accept);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  await response.text();
});

test('a client that refuses events gets no stream', async () => {
  const response = await post(updates(await request()), rider, 'application/json, text/event-stream;q=0');
  expect(((await response.json()) as Json).errors[0].extensions.reason).toBe('SUBSCRIPTION_TRANSPORT');
});

test('events come in order, and the end of the trip ends the stream', async () => {
  const id = await request();
  const events = await subscribe(updates(id), rider);
  expect((await events.next()).value.data.tripUpdated).toEqual({ revision: 1, status: 'FINDING' });
  await gateway.ask(`mutation { cancelTrip(input: { tripId: "${id}" }) { __typename } }`, {
    headers: await bearer(rider),
  });
  expect((await events.next()).value.data.tripUpdated).toEqual({ revision: 2, status: 'CANCELLED' });
  expect((await events.next()).done).toBe(true);
});

test('a query is one event and a completion', async () => {
  const response = await post('{ __typename }');
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('x-request-id')).toEqual(expect.any(String));
  expect(await response.text()).toBe(
    ':\n\nevent: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\ndata: \n\n',
  );
});

describe('a rejection is a response with a status, not a stream', () => {
  test.each([
    ['a missing role', 'subscription { tripOffered { id } }', 403],
    ['an unknown field', 'subscription { tripUpdatd { id } }', 200],
    ["a stranger's trip", updates('5'), 200],
  ])('%s', async (_what, query, status) => {
    const response = await post(query);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(((await response.json()) as Json).errors).toHaveLength(1);
  });

  test('a subscription whose client does not accept events', async () => {
    const { status, errors } = await gateway.ask(updates(await request()), { headers: await bearer(rider) });
    expect([status, errors[0]?.extensions.reason]).toEqual([400, 'SUBSCRIPTION_TRANSPORT']);
  });
});

test('a client that disconnects leaves nothing behind', async () => {
  const id = await request();
  const events = await Promise.all(Array.from({ length: 20 }, () => subscribe(updates(id), rider)));
  await Promise.all(events.map((stream) => stream.next()));
  const redis = new Redis(stores.redisUrl);
  const channels = () => redis.pubsub('CHANNELS', `*${id}*`);
  expect(await channels()).not.toEqual([]);
  for (const stream of events) await stream.return?.();
  await until(async () => (await channels()).length === 0);
  redis.disconnect();
});

test('a person can have at most 100 streams', async () => {
  const facts: TokenFacts = { subject: '88', roles: ['rider'] };
  const { data } = await gateway.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
    headers: await bearer(facts),
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(await bearer(facts)),
  };
  const over = new AbortController();
  // Kept: a response that nobody refers to is collected, which ends its stream.
  const responses: Response[] = [];
  for (let index = 0; index < 101; index += 1) {
    const response = await fetch(`${limitless.url}/graphql`, {
      method: 'POST',
      headers,
      signal: over.signal,
      body: JSON.stringify({ query: updates(data.requestTrip.id) }),
    });
    responses.push(response);
  }
  over.abort();
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.at(-1)).toBe(429);
}, 30_000);

test('a stream ends when its token expires', async () => {
  const events = await subscribe(updates(await request()), { ...rider, expiresInS: 1 });
  await events.next();
  const ended = events.next().then(
    ({ done }) => done,
    () => true,
  );
  expect(await ended).toBe(true);
});

test('a stream that is cut short is not completed, so that its client reconnects', async () => {
  const other = await startTestGateway(stores, JWT_ENVIRONMENT);
  const open = async (facts: TokenFacts): Promise<Response> =>
    fetch(`${other.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(await bearer(facts)),
      },
      body: JSON.stringify({ query: updates(await request(other)) }),
    });
  const expired = await open({ ...rider, expiresInS: 1 });
  expect(await expired.text()).not.toContain('complete');
  const stopped = await open(rider);
  await other.stop();
  expect(await stopped.text()).not.toContain('complete');
});

test('shutdown ends streams without waiting for slow readers', async () => {
  const other = await startTestGateway(stores, JWT_ENVIRONMENT);
  const events = await subscribe(updates(await request(other)), rider, other);
  await events.next();
  const ended = events.next().then(
    ({ done }) => done,
    () => true,
  );
  await other.stop();
  expect(await ended).toBe(true);
});
