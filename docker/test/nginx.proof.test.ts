import { request } from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@solegate/local-services';
import { until } from '@solegate/testkit';

import { readText } from './deployment-files.js';
import { findNginx } from './nginx-program.js';
import { startNginx } from './nginx-server.js';
import { startStubGateway } from './stub-gateway.js';

// On the first run it is downloaded.
beforeAll(findNginx);

function post(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"query":"{ __typename }"}',
  });
}

test('forwards a request with its true address, protocol and request ID', async () => {
  await using gateway = await startStubGateway();
  await using nginx = await startNginx([gateway.port]);
  await post(nginx.url, { 'x-forwarded-for': '6.6.6.6', 'x-request-id': 'mine.1' });
  await post(nginx.url, { 'x-request-id': 'not "an ID' });
  const [first, second] = gateway.requests.map((seen) => seen.headers);
  expect(first).toMatchObject({
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-request-id': 'mine.1',
    host: `127.0.0.1:${nginx.port}`,
  });
  expect(second?.['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  expect(first).not.toHaveProperty('upgrade');
});

test('reuses connections to a gateway', async () => {
  await using gateway = await startStubGateway();
  await using nginx = await startNginx([gateway.port]);
  for (let index = 0; index < 20; index += 1) await post(nginx.url);
  const connections = new Set(gateway.requests.map((seen) => seen.socket));
  expect(gateway.requests).toHaveLength(20);
  expect(connections.size).toBeLessThan(20);
});

test('spreads requests over all gateways', async () => {
  await using first = await startStubGateway();
  await using second = await startStubGateway();
  await using nginx = await startNginx([first.port, second.port]);
  await Promise.all(Array.from({ length: 40 }, () => post(nginx.url)));
  expect(first.requests.length).toBeGreaterThan(0);
  expect(second.requests.length).toBeGreaterThan(0);
});

test('a gateway that refuses connections costs no request', async () => {
  await using gateway = await startStubGateway();
  await using nginx = await startNginx([await freePort(), gateway.port]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(nginx.url)));
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
});

test('a POST that was sent is never sent again: the answer is 502 with an unknown outcome', async () => {
  const dying = { answer: (seen: { socket: { destroy(): void } }) => seen.socket.destroy() };
  await using first = await startStubGateway(dying);
  await using second = await startStubGateway(dying);
  await using nginx = await startNginx([first.port, second.port]);
  const answer = await post(nginx.url);
  expect(answer.status).toBe(502);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toMatchObject({
    errors: [{ extensions: { code: 'OUTCOME_UNKNOWN', retryable: true, retryAfterMs: 500 } }],
  });
  expect(first.requests.length + second.requests.length).toBe(1);
});

test('with non_idempotent the same request would reach two gateways', async () => {
  expect(readText('nginx.conf')).not.toContain('non_idempotent');
  const dying = { answer: (seen: { socket: { destroy(): void } }) => seen.socket.destroy() };
  await using first = await startStubGateway(dying);
  await using second = await startStubGateway(dying);
  const reckless = (text: string) =>
    text.replace('next_upstream error', 'next_upstream non_idempotent error');
  await using nginx = await startNginx([first.port, second.port], { change: reckless });
  await post(nginx.url);
  expect(first.requests.length + second.requests.length).toBe(2);
});

test('reports that nothing was done when no gateway accepts a connection, also when it tries none any more', async () => {
  await using nginx = await startNginx([await freePort(), await freePort()]);
  for (const _time of ['refused', 'none left']) {
    const answer = await post(nginx.url);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE', reason: 'NO_GATEWAY', retryable: true } }],
    });
  }
});

test("a gateway's refusal is passed through unchanged", async () => {
  await using gateway = await startStubGateway({
    answer: (_request, response) => response.writeHead(503, { 'retry-after': '1' }).end('{"errors":[]}'),
  });
  await using nginx = await startNginx([gateway.port]);
  const answer = await post(nginx.url);
  expect([answer.status, await answer.text(), answer.headers.get('retry-after')]).toEqual([
    503,
    '{"errors":[]}',
    '1',
  ]);
});

test('a WebSocket is passed through in both directions', async () => {
  await using gateway = await startStubGateway({
    upgrade: (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    },
  });
  await using nginx = await startNginx([gateway.port]);
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'x-forwarded-for': '6.6.6.6' };
  const echoed = await new Promise<string>((resolve, reject) => {
    const client = request(`${nginx.url}/graphql`, { headers });
    client.on('error', reject);
    client.on('upgrade', (_response, socket) => {
      socket.write('hello');
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
    });
    client.end();
  });
  expect(echoed).toBe('hello');
  expect(gateway.requests[0]?.headers).toMatchObject({
    upgrade: 'websocket',
    connection: 'upgrade',
    'x-forwarded-for': '127.0.0.1',
  });
});

test.each(['/metrics', '/health/ready', '/health/live', '/', '/graphql/'])(
  '%s is not reachable from outside',
  async (path) => {
    await using gateway = await startStubGateway();
    await using nginx = await startNginx([gateway.port]);
    const answer = await fetch(`${nginx.url}${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
    expect(gateway.requests).toHaveLength(0);
  },
);

test('serves the console: its page at every address that a browser opens, its files, its export, and nothing else', async () => {
  await using gateway = await startStubGateway();
  await using nginx = await startNginx([gateway.port]);
  const addresses = [
    '/',
    '/ledger/TEAM-1?project=DEMO',
    '/metrics',
    '/health/ready',
    '//health/ready',
    '/%68ealth/ready',
    '/assets/../health/ready',
    '/assets/index.js',
    '/export/document-numbers.csv?projectCode=DEMO',
  ];
  for (const path of addresses) {
    await new Promise<void>((resolve, reject) => {
      // Unlike fetch, this sends the path as it is.
      const headers = { accept: 'text/html,*/*' };
      const asked = request({ port: nginx.port, path, headers }, (response) =>
        response.resume().on('end', resolve),
      );
      asked.on('error', reject).end();
    });
  }
  expect(gateway.requests.map(({ url }) => url)).toEqual([
    '/',
    '/?project=DEMO',
    '/',
    '/',
    '/',
    '/',
    '/',
    '/assets/index.js',
    '/export/document-numbers.csv?projectCode=DEMO',
  ]);
});

test('a body that is too large is refused with 413 and JSON', async () => {
  await using gateway = await startStubGateway();
  await using nginx = await startNginx([gateway.port]);
  const answer = await fetch(`${nginx.url}/graphql`, { method: 'POST', body: 'x'.repeat(1_100_000) });
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  expect(gateway.requests).toHaveLength(0);
});

test('writes one JSON line for each request, without its query string', async () => {
  await using gateway = await startStubGateway();
  await using nginx = await startNginx([gateway.port]);
  await fetch(`${nginx.url}/graphql?token=hunter2`);
  const lines = await until(async () => (await nginx.log()).match(/^\{.*"path":"\/graphql".*\}$/gm));
  expect(JSON.parse(lines?.[0] ?? '')).toMatchObject({ status: 200, gateways: `127.0.0.1:${gateway.port}` });
  expect(await nginx.log()).not.toContain('hunter2');
});
