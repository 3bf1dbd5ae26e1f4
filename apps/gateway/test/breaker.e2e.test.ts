import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import Fastify from 'fastify';
import { Breaker } from '../src/breaking/breaker.js';
import { registerBreakRoutes } from '../src/http/break-routes.js';

/** The attempts to break a gateway find what is wrong with a control that has no guard. */
const PROGRAM = new URL('../dist/breaking/load-process.js', import.meta.url);
const taken = new Set<number>();
const losers = new Set<string>();
const stopped: number[] = [];
let control: Server;
let last = 0;
let tripCount = 0;

/** Reads, waits, and writes what it read plus one, as code without a lock does; now and then it fails in between. */
async function issue(): Promise<object> {
  const next = last + 1;
  await pause(Math.random() * 5);
  last = Math.random() < 0.05 ? next + 1 : next;
  taken.add(last);
  return { number: `CONTROL-${last}` };
}

async function accept(tripId: string): Promise<object> {
  const isOpen = !losers.has(tripId);
  await pause(Math.random() * 20);
  losers.add(tripId);
  return { __typename: isOpen ? 'TripAccepted' : 'TripTaken' };
}

async function answer(query: string, input: { readonly tripId?: string }): Promise<object> {
  if (query.includes('issueDocumentNumber')) return { issueDocumentNumber: await issue() };
  if (query.includes('acceptTrip')) return { acceptTrip: await accept(input.tripId ?? '') };
  tripCount += 1;
  return { requestTrip: { id: String(tripCount), offerEpoch: 1 }, startTrip: null, completeTrip: null };
}

beforeAll(async () => {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { query, variables } = JSON.parse(await text(request));
    response.end(JSON.stringify({ data: await answer(query, variables.input) }));
  };
  control = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  control.closeAllConnections();
  control.close();
});

function controlBreaker(countHoles = async () => Math.max(...taken, 0) - taken.size): Breaker {
  return new Breaker({
    url: () => `http://127.0.0.1:${(control.address() as AddressInfo).port}/graphql`,
    prepare: async () => ({
      projectCode: 'CONTROL',
      typeCode: 'RFA',
      organizationCodes: ['TEAM'],
      disciplineCodes: ['STR'],
    }),
    countHoles,
    stopRedis: async (forMs) => void stopped.push(forMs),
    program: PROGRAM,
  });
}

test('on a control without a guard, duplicates, holes and second winners are counted', async () => {
  const breaker = controlBreaker();
  expect(breaker.state).toMatchObject({ isRunning: false, startedAt: null, holesCheckedAt: null });
  await breaker.start();
  try {
    await until(() => {
      const { duplicateCount, holeCount, secondWinnerCount } = breaker.state;
      return duplicateCount > 0 && holeCount > 0 && secondWinnerCount > 0;
    });
    expect(breaker.state.processCount).toBe(4);
  } finally {
    await breaker.stop();
  }
  expect(breaker.state).toMatchObject({ isRunning: false, processCount: 0 });
});

/** Searches of a ledger that end when the test says so. */
function heldSearches() {
  const searches: { readonly end: (holeCount: number) => void; readonly fail: () => void }[] = [];
  const countHoles = () =>
    new Promise<number>((end, reject) => {
      searches.push({ end, fail: () => reject(new Error('the ledger does not answer')) });
    });
  const begun = async (count: number) => {
    await until(() => searches.length === count);
    const search = searches[count - 1];
    if (search === undefined) throw new Error('more searches than asked for');
    return search;
  };
  return { countHoles, begun };
}

test('a run is over once the ledger was searched after its end', async () => {
  const { countHoles, begun } = heldSearches();
  const breaker = controlBreaker(countHoles);
  await breaker.start();
  const during = await begun(1);
  const stopped = Promise.all([breaker.stop(), breaker.stop()]);
  await until(() => breaker.state.endedAt !== null);
  expect(breaker.state).toMatchObject({ isRunning: true, processCount: 0, holesCheckedAt: null });
  await breaker.start();
  during.end(1);
  const last = await begun(2);
  expect(breaker.state).toMatchObject({ isRunning: true, processCount: 0, holeCount: 1 });
  last.end(2);
  await stopped;
  const { isRunning, holeCount, endedAt, holesCheckedAt } = breaker.state;
  expect({ isRunning, holeCount }).toEqual({ isRunning: false, holeCount: 2 });
  expect(Date.parse(holesCheckedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(endedAt ?? ''));
});

test('a last search that fails leaves the time of the one before the end', async () => {
  const { countHoles, begun } = heldSearches();
  const breaker = controlBreaker(countHoles);
  await breaker.start();
  const during = await begun(1);
  const stopped = breaker.stop();
  await until(() => breaker.state.endedAt !== null);
  during.end(0);
  (await begun(2)).fail();
  await stopped;
  const { isRunning, endedAt, holesCheckedAt } = breaker.state;
  expect(isRunning).toBe(false);
  expect(Date.parse(holesCheckedAt ?? '')).toBeLessThan(Date.parse(endedAt ?? ''));
});

test('Redis is stopped for ten seconds at a time', async () => {
  const breaker = controlBreaker();
  await Promise.all([breaker.stopRedis(), breaker.stopRedis()]);
  expect(stopped).toEqual([10_000]);
  expect(Date.parse(breaker.state.redisBackAt ?? '')).toBeGreaterThan(Date.now());
});

test.each([
  ['without the header of the console', {}],
  ['through a proxy', { 'x-solegate-break': 'console', 'x-forwarded-for': '127.0.0.1' }],
  ['through another proxy', { 'x-solegate-break': 'console', via: '1.1 proxy' }],
])('a request %s is refused', async (_, headers) => {
  await using app = Fastify();
  registerBreakRoutes(app, controlBreaker());
  for (const [method, url] of [
    ['GET', '/demo/break'],
    ['POST', '/demo/break'],
    ['POST', '/demo/break/redis'],
  ] as const) {
    const refused = await app.inject({ method, url, headers });
    expect(refused.json().message).toMatch(/^Open the console of this gateway/);
  }
  const own = await app.inject({ url: '/demo/break', headers: { 'x-solegate-break': 'console' } });
  expect(own.json()).toMatchObject({ isRunning: false, numberCount: 0 });
});
