import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { FIRST_QUERY } from '../src/first-query.js';
import { registerConsolePage } from '../src/http/console-page.js';
import { gatewayOfFile, startTestGateway } from './gateway-fixture.js';
import { JWT_ENVIRONMENT } from './tokens.js';

const gateway = gatewayOfFile();

test('every URL opened in a browser serves one page, without inline content and revalidated', async () => {
  const page = await (await fetch(gateway.url)).text();
  expect(page).toContain('<meta name="solegate-identity" content="demo"');
  expect(page).not.toMatch(/https?:\/\/|<style|<script(?![^>]* src="\/assets\/)| on[a-z]+=| style=/);
  for (const address of [
    '/',
    '/ledger',
    '/ledger/TEAM-RFA-STR-2026-0001',
    '/ledger/A%2F1',
    '/nothing-of-ours',
  ]) {
    const response = await fetch(`${gateway.url}${address}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(await response.text()).toBe(page);
  }
  expect((await fetch(`${gateway.url}/nothing-of-ours`)).status).toBe(404);
});

test('a gateway on stores of its own choice cannot be broken from the console', async () => {
  const headers = { 'x-solegate-break': 'console' };
  expect((await fetch(`${gateway.url}/demo/break`, { headers })).status).toBe(404);
  expect((await fetch(`${gateway.url}/demo/break/redis`, { method: 'POST', headers })).status).toBe(404);
});

test('hashed assets are cached for a year and sent compressed', async () => {
  const page = await (await fetch(gateway.url)).text();
  const files = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const path of files) {
    const response = await fetch(`${gateway.url}${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (path?.endsWith('.js')) expect(response.headers.get('content-encoding')).toBe('gzip');
  }
  expect((await fetch(`${gateway.url}/assets/index-00000000.js`)).status).toBe(404);
});

test('a console rebuilt under a running gateway is served immediately, and the old page during the build', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'console-'));
  const build = async (name: string) => {
    await mkdir(join(directory, 'assets'), { recursive: true });
    await writeFile(join(directory, 'assets', name), `// ${name}`);
    await writeFile(join(directory, 'index.html'), `<script type="module" src="/assets/${name}"></script>`);
  };
  await build('index-old.js');
  const app = Fastify();
  try {
    await registerConsolePage(app, { identityMode: 'demo', directory });
    const pageText = async () => (await app.inject('/')).body;
    expect(await pageText()).toContain('/assets/index-old.js');
    await rm(join(directory, 'index.html'));
    expect(await pageText()).toContain('/assets/index-old.js');
    await build('index-new.js');
    expect(await pageText()).toContain('/assets/index-new.js');
    expect((await app.inject('/assets/index-new.js')).body).toBe('// index-new.js');
  } finally {
    await app.close();
    await rm(directory, { recursive: true });
  }
});

test('in jwt mode the page declares that mode', async () => {
  const production = await startTestGateway(gateway.stores, { ...JWT_ENVIRONMENT });
  const page = await (await fetch(production.url)).text();
  expect(page).toContain('<meta name="solegate-identity" content="jwt"');
  await production.stop();
});

test('a request with a foreign host name (DNS rebinding) is refused', async () => {
  const status = await new Promise((resolve) => {
    const { port } = gateway;
    request({ port, host: '127.0.0.1', path: '/health/live', headers: { host: 'evil.test' } }, (response) =>
      resolve(response.statusCode),
    ).end();
  });
  expect(status).toBe(403);
});

test('the metrics report on every guarantee', async () => {
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
