import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FIRST_QUERY } from '../src/first-query.js';
import { createTestStores, startTestGateway, type TestGateway, type TestStores } from './gateway-fixture.js';
import { JWT_ENVIRONMENT } from './tokens.js';

let stores: TestStores;
let gateway: TestGateway;

beforeAll(async () => {
  stores = await createTestStores();
  gateway = await startTestGateway(stores);
});

afterAll(async () => {
  await gateway?.stop();
  await stores?.[Symbol.asyncDispose]();
});

test('in demo mode a browser gets a page with the first query, and its policy allows just that page', async () => {
  const response = await fetch(gateway.url);
  const page = await response.text();
  expect(page).toContain(FIRST_QUERY);
  const policy = response.headers.get('content-security-policy') ?? '';
  const parts = [/<style>([\s\S]*)<\/style>/, /<script>([\s\S]*)<\/script>/].map(
    (part) => part.exec(page)?.[1] ?? '',
  );
  for (const part of parts) {
    expect(policy).toContain(`'sha256-${createHash('sha256').update(part).digest('base64')}'`);
  }
  expect(page).not.toMatch(/https?:\/\//);
});

test('where there are tokens there is no page', async () => {
  const production = await startTestGateway(stores, { ...JWT_ENVIRONMENT });
  expect((await fetch(production.url)).status).toBe(404);
  await production.stop();
});

test('a page of another site that points its name at loopback gets nothing', async () => {
  const status = await new Promise((resolve) => {
    const { port } = gateway;
    request({ port, host: '127.0.0.1', path: '/health/live', headers: { host: 'evil.test' } }, (response) =>
      resolve(response.statusCode),
    ).end();
  });
  expect(status).toBe(403);
});

test('the metrics tell of every guarantee', async () => {
  await gateway.ask(FIRST_QUERY);
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  for (const name of [
    'solegate_tsid_lease_seconds_left',
    'solegate_tsid_free_nodes',
    'solegate_numbers_commit_seconds_count',
    'solegate_numbers_batch_size_count',
    'solegate_trips_accept_seconds_count',
    'solegate_trips_outcomes_total',
    'solegate_gateway_operation_seconds_count',
    'process_resident_memory_bytes',
  ]) {
    expect(text).toMatch(new RegExp(`^${name}`, 'm'));
  }
});
