import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { SECURITY_HEADERS } from '../src/http/security-headers.js';
import { type Answer, gatewayOfFile } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, tokenOf } from './tokens.js';

/** An attacker's requests. Each is refused with 4xx and JSON; none causes a 5xx. */
const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '100000' });

interface RawAnswer {
  readonly status: number;
  readonly json: { readonly errors?: readonly { extensions: Record<string, unknown>; message: string }[] };
}

/** Sends any request; an answer that is not JSON fails the test. */
async function send(path: string, init: RequestInit): Promise<RawAnswer> {
  const response = await fetch(`${gateway.url}${path}`, init);
  expect(response.headers.get('content-type')).toMatch(/^application\/(?:graphql-response\+)?json/);
  return { status: response.status, json: (await response.json()) as RawAnswer['json'] };
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return send('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(await bearer()),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function expectRefused(answer: RawAnswer | Answer, status: number, reason?: string): void {
  const errors = 'json' in answer ? answer.json.errors : answer.errors;
  expect(answer.status).toBe(status);
  expect(errors?.[0]?.extensions.code).toEqual(expect.any(String));
  if (reason) expect(errors?.[0]?.extensions.reason).toBe(reason);
}

const QUERY = '{ tsid(id: "1") { node } }';
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('authentication', () => {
  test('no token', async () => {
    expectRefused(await gateway.ask(QUERY), 401, 'TOKEN_MISSING');
  });

  test('a token without signature (alg none)', async () => {
    const [, payload] = (await tokenOf()).split('.');
    const token = `${base64url({ alg: 'none', typ: 'JWT' })}.${payload}.x`;
    expectRefused(await post({ query: QUERY }, { authorization: `Bearer ${token}` }), 401, 'TOKEN_INVALID');
  });

  test('a token for another audience, of another issuer, with another secret', async () => {
    for (const facts of [
      { audience: 'other' },
      { issuer: 'https://evil.test' },
      { secret: 'x'.repeat(40) },
    ]) {
      expectRefused(await post({ query: QUERY }, await bearer(facts)), 401, 'TOKEN_INVALID');
    }
  });

  test('an expired token', async () => {
    expectRefused(await post({ query: QUERY }, await bearer({ expiresInS: -60 })), 401, 'TOKEN_EXPIRED');
  });

  test('a subject that is not a TSID', async () => {
    for (const subject of ['root', '-1', '9223372036854775808', "1'; DROP TABLE trips"]) {
      expectRefused(await post({ query: QUERY }, await bearer({ subject })), 401, 'TOKEN_SUBJECT');
    }
  });

  test('a role that the operation does not allow', async () => {
    const query = 'mutation { createProject(input: { code: "X", name: "X" }) { ... on Project { id } } }';
    expectRefused(await post({ query }, await bearer({ roles: ['clerk'] })), 403, 'ROLE_MISSING');
    const hidden = `mutation { ...F } fragment F on Mutation { createProject(input: { code: "X", name: "X" }) { ... on Project { id } } }`;
    expectRefused(await post({ query: hidden }, await bearer({ roles: ['clerk'] })), 403, 'ROLE_MISSING');
    expectRefused(await post({ query }, await bearer({ roles: ['emperor'] })), 403, 'ROLE_MISSING');
  });

  test('every 401 names the scheme, and says whether a token was wrong', async () => {
    const none = await gateway.ask(QUERY);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const wrong = await gateway.ask(QUERY, { headers: await bearer({ secret: 'x'.repeat(40) }) });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    const refused = await fetch(`${gateway.url}/export/document-numbers.csv`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test('demo users are rejected in jwt mode', async () => {
    expectRefused(await gateway.ask(QUERY, { as: 'admin-1' }), 401, 'TOKEN_MISSING');
  });

  test("another driver's and another rider's trip", async () => {
    const rider = await bearer({ subject: '10', roles: ['rider'] });
    const driver = await bearer({ subject: '20', roles: ['driver'] });
    const stranger = await bearer({ subject: '21', roles: ['driver'] });
    const request = await gateway.ask(
      'mutation { requestTrip(input: { offeredTo: ["20"] }) { ... on Trip { id } } }',
      {
        headers: rider,
      },
    );
    const id = request.data.requestTrip.id;
    const accept = `mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`;
    expect((await gateway.ask(accept, { headers: stranger })).data.acceptTrip.__typename).toBe('NotOffered');
    // Like a client: retries while the outcome is undecided.
    await until(
      async () =>
        (await gateway.ask(accept, { headers: driver })).data.acceptTrip.__typename === 'TripAccepted',
    );
    const foreign = [
      `mutation { startTrip(input: { tripId: "${id}" }) { __typename } }`,
      `{ trip(id: "${id}") { status } }`,
    ];
    for (const query of [...foreign, `mutation { cancelTrip(input: { tripId: "${id}" }) { __typename } }`]) {
      expectRefused(await gateway.ask(query, { headers: stranger }), 403, 'NOT_YOUR_TRIP');
    }
    const otherRider = await bearer({ subject: '11', roles: ['rider'] });
    expectRefused(
      await gateway.ask(`{ trip(id: "${id}") { status } }`, { headers: otherRider }),
      403,
      'NOT_YOUR_TRIP',
    );
  });
});

describe('documents and variables', () => {
  const nested = (depth: number): string =>
    `{ __type(name: "Query") ${'{ fields { type '.repeat(depth)}{ name } ${'} }'.repeat(depth)} }`;

  test('a document that is too deep', async () => {
    expectRefused(await post({ query: nested(8) }), 400);
  });

  test('too many aliases', async () => {
    const query = `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: tsid(id: "1") { node }`).join(' ')} }`;
    expectRefused(await post({ query }), 400);
  });

  test('too many directives', async () => {
    expectRefused(
      await post({ query: `{ tsid(id: "1") { node ${'@include(if: true) '.repeat(60)} } }` }),
      400,
    );
  });

  test('too many tokens', async () => {
    const query = `{ tsid(id: "1") { ${'node '.repeat(5_000)} } }`;
    expectRefused(await post({ query }), 400, 'GRAPHQL_PARSE_FAILED');
  });

  test('a document whose cost is too high', async () => {
    const trips =
      'trips(first: 100) { edges { node { id status riderId driverId rider { id name } driver { id name } } } }';
    const query = `{ ${['a', 'b', 'c', 'd'].map((alias) => `${alias}: ${trips}`).join(' ')} }`;
    expectRefused(await post({ query }), 400);
  });

  test.each([
    ['in the document', 'first: 100', '', undefined],
    ['in a variable', 'first: $first', '($first: Int)', { first: 100 }],
    ['by the default of a variable', 'first: $first', '($first: Int = 100)', undefined],
    ['by nothing but the default of the field', 'after: null', '', undefined],
  ])('many pages whose size is stated %s', async (_where, page, parameters, variables) => {
    const fields = 'edges { node { number status project { code } organizationCode typeCode period date } }';
    const pages = Array.from(
      { length: 30 },
      (_, index) => `a${index}: documentNumbers(${page}) { ${fields} }`,
    );
    expectRefused(
      await post({ query: `query ${parameters} { ${pages.join(' ')} }`, variables }),
      400,
      'TOO_COSTLY',
    );
  });

  test('long texts under several names', async () => {
    const pageOf = (fields: string) => `{ correspondences(first: 100) { edges { node { ${fields} } } } }`;
    expectRefused(await post({ query: pageOf('body again: body') }), 400, 'TOO_COSTLY');
    const once = await post({ query: pageOf('id documentNumber subject body createdAt createdBy') });
    expect(once.status).toBe(200);
  });

  test('an answer that is too large, because of its values or of names that the client chose', async () => {
    const name = 'a'.repeat(3_000);
    expectRefused(
      await post({ query: `{ nodeFleet { nodes { ${name}: node } } }` }),
      400,
      'ANSWER_TOO_LARGE',
    );
    const mintOften = Array.from(
      { length: 14 },
      (_, index) => `a${index}: generateTsids(count: 10000) { ... on TsidsGenerated { ids } }`,
    );
    const mint = (times: number) => post({ query: `mutation { ${mintOften.slice(0, times).join(' ')} }` });
    expectRefused(await mint(14), 400, 'ANSWER_TOO_LARGE');
    expect((await mint(10)).status).toBe(200);
  });

  test('one page of any size may be requested', async () => {
    const query =
      'query ($first: Int) { documentNumbers(first: $first) { edges { node { number status } } } }';
    for (const first of [100, 1, undefined, null]) {
      const { status } = await post({ query, variables: { first } });
      expect([first, status]).toEqual([first, first === null ? 400 : 200]);
    }
  });

  test('a fragment cycle', async () => {
    expectRefused(
      await post({ query: '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }' }),
      400,
    );
  });

  test('a batch', async () => {
    expectRefused(await post([{ query: QUERY }, { query: QUERY }]), 400);
  });

  test('introspection in production, and suggestions of field names', async () => {
    expectRefused(await post({ query: '{ __schema { types { name } } }' }), 400);
    const { json } = await post({ query: '{ tsidd(id: "1") { node } }' });
    expect(JSON.stringify(json)).not.toMatch(/did you mean/i);
  });

  test('a page that is too large', async () => {
    expectRefused(
      await post({ query: '{ trips(first: 101) { pageInfo { hasNextPage } } }' }),
      400,
      'PAGE_SIZE',
    );
    const query = 'query ($first: Int!) { documentNumbers(first: $first) { pageInfo { hasNextPage } } }';
    expectRefused(await post({ query, variables: { first: 1_000_000 } }), 400, 'PAGE_SIZE');
  });

  test('a malformed TSID, in the text and in a variable', async () => {
    expectRefused(await post({ query: '{ tsid(id: "1 OR 1=1") { node } }' }), 400, 'MALFORMED_TSID');
    const query = 'query ($id: TSID!) { tsid(id: $id) { node } }';
    for (const id of ['1;', '', ' 1', '1e3', '٣', 'a'.repeat(10_000)]) {
      expectRefused(await post({ query, variables: { id } }), 400, 'MALFORMED_TSID');
    }
  });
});

describe('transport', () => {
  test('a content type that an HTML form can send', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await post(JSON.stringify({ query: QUERY }), { 'content-type': type });
      expect([400, 415]).toContain(answer.status);
      expectRefused(answer, answer.status);
    }
  });

  test('a mutation or a query by GET', async () => {
    for (const query of ['mutation { generateTsids { __typename } }', QUERY]) {
      const answer = await send(`/graphql?query=${encodeURIComponent(query)}`, { headers: await bearer() });
      expectRefused(answer, 405, 'POST_ONLY');
    }
  });

  test('a body that is too large, broken, or missing', async () => {
    expectRefused(await post({ query: QUERY, padding: 'x'.repeat(2_000_000) }), 413);
    expectRefused(await post('{"query": '), 400);
    expectRefused(await post(''), 400);
    expectRefused(await post('{"__proto__": {"admin": true}, "query": "{ __typename }"}'), 400);
  });

  test('an unknown path', async () => {
    expectRefused(await send('/admin', { headers: await bearer() }), 404, 'NO_SUCH_PATH');
  });

  test.each([
    ['/assets/%00', 400],
    ['/assets/../../package.json', 403],
  ])('a path outside the assets: %s', async (path, status) => {
    // Sent as it is; fetch would resolve the dots.
    const [response] = (await once(request({ port: gateway.port, path }).end(), 'response')) as [
      IncomingMessage,
    ];
    const answer = (await json(response)) as RawAnswer['json'];
    expectRefused({ status: response.statusCode ?? 0, json: answer }, status);
    expect(answer.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', retryable: false } });
  });

  test('a subscription without a token, and one without the role', async () => {
    const url = gateway.url.replace('http', 'ws');
    const closed = await closeOf(url, {});
    expect(closed.code).toBe(4401);
    const client = createClient({
      url: `${url}/graphql`,
      webSocketImpl: WebSocket,
      lazy: false,
      connectionParams: await bearer({ roles: ['rider'] }),
    });
    const events = client.iterate({ query: 'subscription { tripOffered { id } }' });
    await expect(events.next()).rejects.toMatchObject([
      { extensions: { code: 'FORBIDDEN', reason: 'ROLE_MISSING' } },
    ]);
    await client.dispose();
  });

  test('a WebSocket from a page of a foreign origin', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { origin: 'https://evil.test' },
    });
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(403);
  });
});

test('every response has the security headers', async () => {
  const { headers } = await gateway.ask(QUERY, { headers: await bearer() });
  expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('strict-transport-security')).toMatch(/max-age/);
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('x-request-id')).toEqual(expect.any(String));
});

async function closeOf(url: string, connectionParams: object): Promise<{ code: number }> {
  const socket = new WebSocket(`${url}/graphql`, 'graphql-transport-ws');
  return new Promise((resolve, reject) => {
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: connectionParams })),
    );
    socket.on('close', (code) => resolve({ code }));
    socket.on('error', reject);
  });
}
