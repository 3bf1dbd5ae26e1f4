import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { createClient } from 'graphql-ws';
import { pino } from 'pino';
import WebSocket from 'ws';
import { buildGatewaySchema } from '../src/assembly/schema.js';
import { IncidentLog } from '../src/errors/incident-log.js';
import { DocumentReader, DocumentRefusal } from '../src/execution/document-reader.js';
import { FileStores, type Json, startTestGateway, type TestGateway } from './gateway-fixture.js';
import { MANY_FIELDS } from './many-fields.js';
import { bearer, JWT_ENVIRONMENT, tokenOf } from './tokens.js';

/** The work that faulty or malicious clients cause is charged to them and does not affect other callers. */
const stores = new FileStores();
const gateway = stores.gateway({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });
const limited = stores.gateway({
  ...JWT_ENVIRONMENT,
  RATE_LIMIT_PER_SECOND: '5',
  TRUSTED_PROXIES: '127.0.0.1',
});

async function post(of: TestGateway, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${of.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...headers,
    },
    body,
  });
  return { status: response.status, error: ((await response.json()) as Json).errors?.[0] };
}

describe('cached documents', () => {
  const logger = pino({ level: 'silent' });
  const start = () =>
    DocumentReader.start(buildGatewaySchema(), {
      introspection: true,
      incidents: new IncidentLog(logger),
      logger,
    });
  const wide = (index: number): string => `query Q${index} {${MANY_FIELDS}}`;

  async function run(reader: DocumentReader, text: string): Promise<void> {
    const document = reader.known(text) ?? (await reader.read(text));
    if (!(document instanceof DocumentRefusal)) reader.learn(text, document);
  }

  test('are those that have run twice', async () => {
    const reader = await start();
    await run(reader, '{ __typename }');
    expect(reader.known('{ __typename }')).toBeUndefined();
    await run(reader, '{ __typename }');
    expect(reader.known('{ __typename }')).toBeDefined();
    await reader.stop();
  });

  test('are limited by their total tokens; the least recently used are evicted', async () => {
    const reader = await start();
    for (let index = 0; index < 80; index += 1) {
      for (const _time of ['first', 'second']) await run(reader, wide(index));
      expect(reader.known(wide(0))).toBeDefined();
    }
    const kept = Array.from({ length: 80 }, (_, index) => reader.known(wide(index)) !== undefined);
    expect(kept.filter(Boolean).length).toBeLessThan(60);
    expect([kept[0], kept[1], kept[79]]).toEqual([true, false, true]);
    await reader.stop();
  });
});

describe('a mistake over WebSocket', () => {
  const subscribe = async (query: string, variables?: Record<string, unknown>): Promise<Json> => {
    const client = createClient({
      url: `${gateway.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: await bearer(),
      retryAttempts: 0,
    });
    const events = client.iterate({ query, ...(variables && { variables }) });
    try {
      const { value } = (await events.next()) as { value: Json };
      return value.errors;
    } catch (errors) {
      return errors;
    } finally {
      await client.dispose();
    }
  };
  const QUERY =
    'subscription ($id: TSID!, $after: Int) { tripUpdated(tripId: $id, afterRevision: $after) { id } }';

  test.each([
    ['an unknown field', 'subscription { tripUpdatd { id } }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['a syntax error', 'subscription { tripUpdated(', undefined, 'GRAPHQL_PARSE_FAILED'],
    ['a missing variable', QUERY, {}, 'BAD_USER_INPUT'],
    ['a variable of the wrong type', QUERY, { id: '1', after: 'hunter2' }, 'BAD_USER_INPUT'],
    [
      'an unknown operation name',
      'subscription A { tripOffered { id } } subscription B { tripOffered { id } }',
      undefined,
      'BAD_USER_INPUT',
    ],
  ])('%s gets the same error as over HTTP, and is not an incident', async (_what, query, variables, code) => {
    const [error] = await subscribe(query, variables);
    expect(error.extensions).toMatchObject({ code, retryable: false });
    expect(error.extensions.incidentId).toBeUndefined();
    expect(JSON.stringify(error)).not.toMatch(/hunter2|did you mean/i);
    const http = await post(gateway, JSON.stringify({ query, variables }), {
      ...(await bearer()),
      accept: 'text/event-stream, application/graphql-response+json',
    });
    expect(http.error).toMatchObject({ message: error.message, extensions: error.extensions });
  });

  test('costs points', async () => {
    const client = createClient({
      url: `${limited.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: await bearer({ subject: '301' }),
      retryAttempts: 0,
    });
    const codes = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const events = client.iterate({ query: `subscription Q${index} { tripUpdatd { id } }` });
        return events.next().then(
          () => 'none',
          (errors) => (errors as Json)[0].extensions.code,
        );
      }),
    );
    expect(new Set(codes)).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED', 'RATE_LIMITED']));
    await client.dispose();
  });
});

describe.each(['variables', 'extensions', 'of no use'])('members of a request: %s', (member) => {
  const requestOf = (value: string): string => `{"query":"{ __typename }","${member}":{"x":${value}}}`;
  const deep = (depth: number): string => requestOf('['.repeat(depth) + ']'.repeat(depth));

  test('with too many values are rejected', async () => {
    const body = requestOf(`[${Array.from({ length: 60_000 }, () => '[]').join()}]`);
    const { status, error } = await post(gateway, body, await bearer());
    expect([status, error?.extensions.reason]).toEqual([400, 'TOO_MANY_VALUES']);
  });

  test('that are nested too deeply are rejected with 400, and without a token with 401', async () => {
    for (const depth of [33, 5_000, 400_000]) {
      expect((await post(gateway, deep(depth))).status).toBe(401);
      const { status, error } = await post(gateway, deep(depth), await bearer());
      expect([status, error?.extensions.reason]).toEqual([400, 'VARIABLES_TOO_DEEP']);
    }
    expect((await post(gateway, deep(20), await bearer())).status).toBe(200);
  });
});

describe('bodies', () => {
  const head = (path: string, length: number, token?: string): string =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${
      token === undefined ? '' : `authorization: Bearer ${token}\r\n`
    }\r\n`;

  /** Sends the head of a request and part of its body; resolves with the first line of the response. */
  const begin = (text: string): { socket: Socket; answered: Promise<string> } => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(text));
    const answered = new Promise<string>((resolve) => {
      socket.once('data', (part) => resolve(String(part).split('\r\n', 1)[0] ?? ''));
    });
    socket.on('error', () => undefined);
    return { socket, answered };
  };

  test.each([
    ['without a token', '/graphql', '401'],
    ['to a path that does not exist', '/nothing', '404'],
  ])('%s are refused before they have arrived', async (_what, path, status) => {
    const { socket, answered } = begin(`${head(path, 999_000)}{`);
    expect(await answered).toContain(status);
    socket.destroy();
  });

  test('from one address are limited in total, until they are whole or given up', async () => {
    const token = await tokenOf();
    const begun = Array.from({ length: 20 }, () => begin(`${head('/graphql', 990_000, token)}{`));
    const refused: string[] = [];
    for (const { answered } of begun) void answered.then((line) => refused.push(line));
    await until(() => refused.length === 4);
    expect(new Set(refused)).toEqual(new Set(['HTTP/1.1 429 Too Many Requests']));
    const { status, error } = await post(
      gateway,
      JSON.stringify({ query: 'x'.repeat(900_000) }),
      await bearer(),
    );
    expect([status, error?.extensions.reason]).toEqual([429, 'TOO_MANY_BYTES']);
    for (const { socket } of begun) socket.destroy();
    await until(async () => (await heldBytes()) === 0);
    expect((await post(gateway, JSON.stringify({ query: '{ __typename }' }), await bearer())).status).toBe(
      200,
    );
  });

  test('of a request that is refused or complete are not counted any more', async () => {
    await post(gateway, '{', await bearer());
    await post(gateway, 'x'.repeat(1_100_000), await bearer());
    await post(gateway, JSON.stringify({ query: '{ __typename }' }), await bearer());
    await post(gateway, JSON.stringify({ query: '{ nothing }' }));
    await until(async () => (await heldBytes()) === 0);
  });

  async function heldBytes(): Promise<number> {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    return Number(/^solegate_gateway_held_bytes (\d+)$/m.exec(text)?.[1]);
  }
});

describe('rejected work costs points', () => {
  const valid = JSON.stringify({ query: '{ tsid(id: "1") { node } }' });

  test.each([
    ['an unknown field', JSON.stringify({ query: '{ nothing }' }), {}],
    ['a syntax error', JSON.stringify({ query: '{' }), {}],
    ['a missing role', JSON.stringify({ query: '{ nodeFleet { nodeCount } }' }), { roles: ['rider'] }],
    ['no document', JSON.stringify({ variables: {} }), {}],
    ['a body that is no JSON', '{', {}],
  ])('%s', async (what, body, facts) => {
    const headers = await bearer({ subject: `4${what.length}`, ...facts });
    const address = `198.51.100.${what.length}`;
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async () => {
        return (await post(limited, body, { ...headers, 'x-forwarded-for': address })).status;
      }),
    );
    expect(statuses).toContain(429);
  });

  test('a long document costs more before it is parsed', async () => {
    const headers = await bearer({ subject: '420' });
    const query = `{ nothing } # ${'x'.repeat(9_000)}`;
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      statuses.push((await post(limited, JSON.stringify({ query: `${query}${turn}` }), headers)).status);
    }
    expect(statuses).toContain(429);
  });

  test('an operation that costs more than the limit can run if it is the only one in its second', async () => {
    const headers = await bearer({ subject: '421' });
    const query = `mutation { issueDocumentNumbers(input: { count: 1000,
      projectCode: "NONE", organizationCode: "X", typeCode: "X", disciplineCode: "X"
    }) { __typename } }`;
    expect((await post(limited, JSON.stringify({ query }), headers)).error?.extensions.reason).toBe(
      'UNKNOWN_CODE',
    );
    expect((await post(limited, valid, headers)).status).toBe(429);
  });

  test('numbers count however they are stated', async () => {
    const mint = (query: string, variables?: object) => async (headers: Record<string, string>) =>
      (await post(limited, JSON.stringify({ query, variables }), headers)).status;
    const ways = [
      mint('mutation { generateTsids(count: 400) { ... on TsidsGenerated { ids } } }'),
      mint('mutation ($count: Int!) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }', {
        count: 400,
      }),
      mint('mutation ($count: Int = 400) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }'),
    ];
    for (const [index, way] of ways.entries()) {
      const headers = await bearer({ subject: String(430 + index) });
      expect([await way(headers), await way(headers)]).toEqual([200, 429]);
    }
  });

  test('requesting many IDs costs more than one', async () => {
    const headers = await bearer({ subject: '422' });
    const query =
      'mutation ($count: Int!) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }';
    const mint = (count: number) => post(limited, JSON.stringify({ query, variables: { count } }), headers);
    expect((await mint(400)).status).toBe(200);
    expect((await mint(1)).status).toBe(429);
    await pause(1_100);
    for (let turn = 0; turn < 4; turn += 1) expect((await mint(1)).status).toBe(200);
  });
});

describe('behind a load balancer', () => {
  test('people with different addresses do not share the limit of sockets and subscriptions', async () => {
    const results = await Promise.all(
      Array.from({ length: 80 }, async (_, index) => {
        const client = createClient({
          url: `${limited.url.replace('http', 'ws')}/graphql`,
          webSocketImpl: class extends WebSocket {
            constructor(url: string, protocols?: string[]) {
              super(url, protocols, { headers: { 'x-forwarded-for': `203.0.113.${index}` } });
            }
          },
          connectionParams: await bearer({ subject: String(500 + index), roles: ['driver'] }),
          retryAttempts: 0,
        });
        const events = client.iterate({ query: 'subscription { tripOffered { id } }' });
        const heard = await Promise.race([
          events.next().then(
            ({ value }) => (value as Json)?.errors?.[0]?.extensions.reason ?? 'an event',
            (errors) => (errors as Json)[0]?.extensions.code ?? 'closed',
          ),
          pause(1_500).then(() => 'listening'),
        ]);
        await client.dispose();
        return heard;
      }),
    );
    // Where Redis confirms the channel late, the subscription begins with a gap: it was not refused.
    const others = results.filter((heard) => heard !== 'listening' && heard !== 'EVENTS_MISSED');
    expect(others).toEqual([]);
  });

  test('an address cannot open unlimited unauthenticated sockets', async () => {
    const open = (): Promise<WebSocket | number> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        socket.on('open', () => resolve(socket));
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        socket.on('error', () => undefined);
      });
    const opened: (WebSocket | number)[] = [];
    // A socket that says nothing is closed after a few seconds, so that a slow machine has to open more.
    await until(async () => {
      opened.push(...(await Promise.all(Array.from({ length: 520 }, open))));
      return opened.includes(429);
    });
    for (const socket of opened) if (socket instanceof WebSocket) socket.terminate();
  });
});

describe('malformed HTTP', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (part) => {
        answer += part;
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  test.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', 400, 'BAD_HTTP'],
    [
      'oversized headers',
      `POST /graphql HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a malformed path', 'GET /%E0%A4%A HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 400, 'BAD_URL'],
    ['incomplete headers', 'POST /graphql HTTP/1.1\r\nhost: a\r\n', 408, 'REQUEST_INCOMPLETE'],
  ])(
    '%s is refused with a GraphQL error',
    async (_what, text, status, reason) => {
      const answer = await raw(text);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const [{ extensions }] = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).errors;
      expect(extensions).toMatchObject({ reason, retryable: status === 408 });
    },
    15_000,
  );
});

test('a preconnected idle connection does not delay shutdown', async () => {
  const other = await startTestGateway(stores, JWT_ENVIRONMENT);
  const socket = connect(other.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await other.stop();
  await closed;
});

test('rejections are counted and logged like operations', async () => {
  await post(gateway, '{', await bearer());
  await post(gateway, JSON.stringify({ query: '{ __typename }' }));
  await post(gateway, JSON.stringify({ query: '{ nothing }' }), {
    authorization: `Bearer ${await tokenOf()}`,
  });
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  for (const code of ['BAD_USER_INPUT', 'UNAUTHENTICATED', 'GRAPHQL_VALIDATION_FAILED']) {
    expect(metrics).toMatch(
      new RegExp(`solegate_gateway_operation_seconds_count\\{operation="unread",code="${code}"\\} [1-9]`),
    );
  }
});
