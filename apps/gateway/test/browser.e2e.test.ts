import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestStores, startTestGateway, type TestGateway, type TestStores } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, tokenOf } from './tokens.js';

/**
 * A real Chromium decides who may read what: a page of an allowed origin does everything, with fetch, with Apollo Client
 * and with urql; a page of another origin does nothing. The browser comes from the registry, for this test alone.
 */
const DIRECTORY = fileURLToPath(new URL('./browser/', import.meta.url));
const run = promisify(execFile);
let stores: TestStores;
let gateway: TestGateway;
let ports: { readonly allowed: number; readonly foreign: number };

beforeAll(async () => {
  if (!existsSync(`${DIRECTORY}node_modules/playwright-core`)) {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: DIRECTORY });
  }
  stores = await createTestStores();
  ports = { allowed: await freePort(), foreign: await freePort() };
  gateway = await startTestGateway(stores, {
    ...JWT_ENVIRONMENT,
    ALLOWED_ORIGINS: `http://127.0.0.1:${ports.allowed}`,
  });
}, 180_000);

afterAll(async () => {
  await gateway?.stop();
  await stores?.[Symbol.asyncDispose]();
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

const ALL = { mutation: 'ok', query: 'ok', subscription: 'ok' };
const NOTHING = { mutation: 'failed', query: 'failed', subscription: 'failed' };

test('a page of an allowed origin mutates, queries and subscribes; a page of another origin does none of it', async () => {
  const { data } = await gateway.ask('mutation { requestTrip(input: {}) { id } }', {
    headers: await bearer(),
  });
  const url = `${gateway.url}/graphql`;
  const order = {
    gateway: { url, socketUrl: url.replace('http', 'ws'), token: await tokenOf() },
    tripId: data.requestTrip.id,
    ports,
  };
  const { stdout } = await run(process.execPath, ['drive.mjs', JSON.stringify(order)], { cwd: DIRECTORY });
  expect(JSON.parse(stdout)).toEqual({
    allowed: { fetch: ALL, apollo: ALL, urql: ALL },
    foreign: { fetch: NOTHING, apollo: NOTHING, urql: NOTHING },
  });
  const trips = await gateway.ask('{ trips(first: 100) { edges { cursor } } }', { headers: await bearer() });
  expect(trips.data.trips.edges).toHaveLength(4);
}, 120_000);
