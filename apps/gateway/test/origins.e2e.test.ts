import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { FileStores, type TestGateway } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/** CORS: which web pages may call, tested with a browser's requests. browser.e2e.test.ts uses a real browser. */
const APP = 'https://app.example.com';
const FOREIGN = 'https://evil.test';
const stores = new FileStores();
const demo = stores.gateway();
const production = stores.gateway({ ...JWT_ENVIRONMENT, ALLOWED_ORIGINS: APP });

async function preflight(gateway: TestGateway, origin: string, path = '/graphql'): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,baggage,content-type,sentry-trace',
    },
  });
}

/** The status of a WebSocket upgrade; 101 if the socket opened. */
async function upgrade(gateway: TestGateway, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers,
  });
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
  });
}

describe('an allowed origin', () => {
  test('is allowed in the preflight and the response, without cookies', async () => {
    const asked = await preflight(production, APP);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(APP);
    expect(asked.headers.get('access-control-allow-methods')).toBe('POST');
    expect(asked.headers.get('access-control-allow-headers')).toBe(
      'authorization,baggage,content-type,sentry-trace',
    );
    expect(asked.headers.get('vary')).toBe('origin');
    const { status, headers } = await production.ask('{ __typename }', {
      headers: { ...(await bearer()), origin: APP },
    });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(APP);
    expect(headers.get('access-control-expose-headers')).toContain('retry-after');
    for (const answered of [asked.headers, headers]) {
      expect(answered.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('may export the ledger', async () => {
    const asked = await preflight(production, APP, '/export/document-numbers.csv');
    expect(asked.headers.get('access-control-allow-origin')).toBe(APP);
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET');
  });

  test('can read errors as well', async () => {
    const { status, headers } = await production.ask('{ __typename }', { headers: { origin: APP } });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, APP]);
  });

  test('opens a WebSocket', async () => {
    expect(await upgrade(production, { origin: APP })).toBe(101);
  });
});

describe('a foreign origin', () => {
  test.each([
    ['in production', () => production],
    ['in demo mode', () => demo],
  ])('gets no permission %s', async (_where, gateway) => {
    const asked = await preflight(gateway(), FOREIGN);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    expect(asked.headers.get('access-control-allow-headers')).toBeNull();
    expect(await upgrade(gateway(), { origin: FOREIGN })).toBe(403);
    expect(await upgrade(gateway(), { origin: 'null' })).toBe(403);
  });

  test('is refused a WebSocket with a GraphQL error', async () => {
    const { hostname, port } = new URL(production.url);
    const body = await new Promise<string>((resolve, reject) => {
      const sent = request({
        hostname,
        port,
        path: '/graphql',
        headers: {
          connection: 'upgrade',
          upgrade: 'websocket',
          origin: FOREIGN,
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-version': '13',
        },
      });
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(JSON.parse(body).errors[0].extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'FOREIGN_ORIGIN',
    });
  });
});

describe('in development', () => {
  test('a page from any loopback port may call a gateway in demo mode', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8080']) {
      expect((await preflight(demo, origin)).headers.get('access-control-allow-origin')).toBe(origin);
      expect(await upgrade(demo, { origin })).toBe(101);
    }
    expect((await preflight(production, 'http://localhost:5173')).headers.get('vary')).toBe('origin');
    expect(await upgrade(production, { origin: 'http://localhost:5173' })).toBe(403);
  });

  test.each([
    ['a development server', { 'x-forwarded-for': '::1', 'x-forwarded-host': 'localhost:3000' }, 200],
    ['two proxies of this machine', { 'x-forwarded-for': '127.0.0.1, ::ffff:127.0.0.1' }, 200],
    ['a tunnel', { 'x-forwarded-for': '203.0.113.7' }, 403],
    ['a tunnel, for a caller who claims to be local', { 'x-forwarded-for': '127.0.0.1, 203.0.113.7' }, 403],
    ['a tunnel that states its name alone', { 'x-forwarded-host': 'abc.tunnel.example.com' }, 403],
    ['a proxy that states the address its own way', { 'x-real-ip': '203.0.113.7' }, 403],
    ['a proxy of RFC 7239', { forwarded: 'for=203.0.113.7' }, 403],
  ])('demo mode judges what is forwarded by %s', async (_proxy, headers, status) => {
    const answer = await demo.ask('{ __typename }', { headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.errors[0]?.extensions.reason).toBe('FOREIGN_HOST');
    expect(await upgrade(demo, headers)).toBe(status === 200 ? 101 : 403);
    expect(
      (await production.ask('{ __typename }', { headers: { ...(await bearer()), ...headers } })).status,
    ).toBe(200);
  });

  test('a proxy can forward the page’s host or its own', async () => {
    const { host } = new URL(demo.url);
    expect(await upgrade(demo, { origin: 'http://localhost:5173', host: 'localhost:5173' })).toBe(101);
    expect(await upgrade(demo, { origin: 'http://localhost:5173', host })).toBe(101);
    expect(await upgrade(production, { origin: 'https://own.example.com', host: 'own.example.com' })).toBe(
      101,
    );
  });
});
