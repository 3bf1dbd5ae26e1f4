import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';

/** The page of the README, in a real Chromium, on the real gateway. */
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const page = /```html\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
let gateway: GatewayProcess;
let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGatewayWithStores(), launchChromium()]);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  const script = outputFiles[0]?.text ?? '';
  const html = page.replaceAll('http://127.0.0.1:4000/graphql', gateway.url);
  server = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  await gateway?.[Symbol.asyncDispose]();
});

test('a page of thirty lines issues numbers, watches a trip, and shows when the gateway is unavailable', async () => {
  expect(page.trim().split('\n').length).toBeLessThanOrEqual(30);
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on('pageerror', (error) => complaints.push(String(error)));
  await tab.goto(url);
  await tab.click('#issue');
  await tab.waitForFunction(() =>
    /^TEAM-RFA-STR-\d{4}-0001$/.test(document.querySelector('#number')?.textContent ?? ''),
  );
  await tab.click('#trip');
  await tab.waitForFunction(() => document.querySelector('#events')?.textContent === 'TRIP_REQUESTED');
  expect(await tab.textContent('#status')).toBe('CONNECTED');
  await gateway.end();
  await tab.waitForFunction(() => document.querySelector('#status')?.textContent === 'GATEWAY_AWAY');
  expect(complaints).toEqual([]);
});
