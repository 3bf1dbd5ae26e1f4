import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { launchChromium } from '@solegate/testkit/chromium';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { gatewayOfFile } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, tokenOf } from './tokens.js';

/**
 * A real Chromium enforces CORS: with fetch, Apollo Client and urql, every operation succeeds from a page of an allowed
 * origin, and none from a page of another origin.
 */
const KINDS = ['fetch', 'apollo', 'urql'] as const;
let browser: Browser;
/** Both serve the same page. */
let servers: { readonly allowed: Server; readonly foreign: Server };

beforeAll(async () => {
  const page = await bundlePage();
  servers = { allowed: await serve(page), foreign: await serve(page) };
  browser = await launchChromium();
});

const gateway = gatewayOfFile(() => ({ ...JWT_ENVIRONMENT, ALLOWED_ORIGINS: originOf(servers.allowed) }));

afterAll(async () => {
  await browser?.close();
  servers?.allowed.close();
  servers?.foreign.close();
});

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./browser-page.mjs', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script');
  return `<!doctype html><title>page</title><script>${script}</script>`;
}

async function serve(page: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the page of this server with each client, and returns the outcomes. */
async function callFrom(server: Server, tripId: string): Promise<Record<string, unknown>> {
  const url = `${gateway.url}/graphql`;
  const where = { url, socketUrl: url.replace('http', 'ws'), token: await tokenOf() };
  const page = await browser.newPage();
  await page.goto(originOf(server));
  const outcomes: Record<string, unknown> = {};
  for (const kind of KINDS) {
    outcomes[kind] = await page.evaluate(`run(${[kind, where, tripId].map((one) => JSON.stringify(one))})`);
  }
  await page.close();
  return outcomes;
}

const ALL = { mutation: 'ok', query: 'ok', subscription: 'ok' };
const NOTHING = { mutation: 'failed', query: 'failed', subscription: 'failed' };

test('a page of an allowed origin can mutate, query and subscribe; a page of another origin can do nothing', async () => {
  const { data } = await gateway.ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', {
    headers: await bearer(),
  });
  expect(await callFrom(servers.allowed, data.requestTrip.id)).toEqual({
    fetch: ALL,
    apollo: ALL,
    urql: ALL,
  });
  expect(await callFrom(servers.foreign, data.requestTrip.id)).toEqual({
    fetch: NOTHING,
    apollo: NOTHING,
    urql: NOTHING,
  });
  const trips = await gateway.ask('{ trips(first: 100) { edges { cursor } } }', { headers: await bearer() });
  expect(trips.data.trips.edges).toHaveLength(4);
});
