import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { createTestDatabase, createTestRedis, ServiceProcess } from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';

/** The examples in this checkout. */
export const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

/**
 * Runs an example's server on its own stores for as long as `use` runs with its origin.
 *
 * @param args arguments of Node: the program and its own arguments
 */
export async function withServer(
  directory: string,
  args: readonly string[],
  use: (origin: string) => Promise<void>,
): Promise<void> {
  await using database = await createTestDatabase({ migrations: [] });
  await using redis = await createTestRedis();
  const { HOME = '' } = process.env;
  const server = new ServiceProcess({
    directory,
    args,
    environment: { HOME, NODE_ENV: 'production', DATABASE_URL: database.url, REDIS_URL: redis.url },
    announcement: /(http:\/\/[\w.]+:\d+)\D/,
  });
  try {
    await server.start();
    await use(server.origin);
  } catch (error) {
    throw new Error(`The example failed: ${server.output}`, { cause: error });
  } finally {
    await server.end('SIGTERM');
  }
}

async function send(method: string, url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) };
}

/** Two letters get consecutive numbers; one without a subject takes none. */
export async function useLetters(address: string): Promise<void> {
  const post = (body: object) => send('POST', `${address}/letters`, body);
  const first = { status: 201, number: expect.stringMatching(/^LETTER-\d{4}-0001$/) };
  expect(await post({ subject: 'one' })).toMatchObject(first);
  expect((await fetch(`${address}/letters`, { method: 'POST' })).ok).toBe(false);
  const second = { status: 201, number: expect.stringMatching(/^LETTER-\d{4}-0002$/) };
  expect(await post({ subject: 'two' })).toMatchObject(second);
}

/** Two orders get ascending keys and consecutive numbers; one without a customer takes none. */
export async function useOrders(address: string): Promise<void> {
  const post = (body: object) => send('POST', `${address}/orders`, body);
  const one = (await post({ customer: 'ann' })) as { id: string; invoice: string };
  expect(one.invoice).toMatch(/^INV-\d{4}-00001$/);
  expect(await post({})).toMatchObject({ status: 500 });
  const two = (await post({ customer: 'bob' })) as { id: string; invoice: string };
  expect(two.invoice).toMatch(/^INV-\d{4}-00002$/);
  expect(BigInt(two.id) > BigInt(one.id)).toBe(true);
}

/** Three drivers accept one trip: exactly one gets it. */
export async function useTrips(address: string): Promise<void> {
  expect(await send('PUT', `${address}/trips/1`, { riderId: '7' })).toMatchObject({
    status: 'FINDING',
    epoch: 1,
  });
  const accept = (driverId: string) =>
    send('POST', `${address}/trips/1/accept`, { driverId, offerEpoch: 1 }) as Promise<{ kind: string }>;
  const outcomes = await Promise.all(['501', '502', '503'].map(accept));
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['ACCEPTED', 'TAKEN', 'TAKEN']);
}

/** Opens the built page in a browser, with a gateway that answers every request with the same number. */
export async function usePage(folder: string): Promise<void> {
  const gateway = await listen(
    createServer((_request, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      const number = { __typename: 'DocumentNumber', number: 'TEAM-RFA-0001' };
      response.end(JSON.stringify({ data: { issueDocumentNumber: number } }));
    }),
  );
  const site = await listen(
    createServer((request, response) => {
      const isScript = request.url?.startsWith('/page.js') ?? false;
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      createReadStream(join(folder, 'public', isScript ? 'page.js' : 'index.html')).pipe(response);
    }),
  );
  try {
    const address = `${addressOfServer(site)}/?gateway=${addressOfServer(gateway)}/graphql`;
    expect(await takeNumber(address)).toBe('TEAM-RFA-0001');
  } finally {
    for (const server of [gateway, site]) server.closeAllConnections();
    for (const server of [gateway, site]) server.close();
  }
}

/** Presses the button of the page, and returns what appears beside it. */
export async function takeNumber(address: string): Promise<string | null> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.click('#issue');
    await page.waitForFunction("document.getElementById('number').textContent !== ''");
    return await page.textContent('#number');
  } finally {
    await browser.close();
  }
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function addressOfServer(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
