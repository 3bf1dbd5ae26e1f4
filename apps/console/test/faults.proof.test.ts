import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type GatewayProcess,
  type PostgresTestServer,
  type RedisTestServer,
  startGateway,
  startPostgresServer,
  startRedisServer,
} from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Browser, Page } from 'playwright-core';
import { hundredIssued, openPage, violationsOf } from './browser.js';

/** What the page shows during an outage, and that it recovers by itself. */
let postgres: PostgresTestServer;
let redis: RedisTestServer;
let gateway: GatewayProcess;
let browser: Browser;

beforeAll(async () => {
  [postgres, redis, browser] = await Promise.all([
    startPostgresServer(),
    startRedisServer(),
    launchChromium(),
  ]);
  gateway = await startGateway({ environment: { DATABASE_URL: postgres.url, REDIS_URL: redis.url } });
});

afterAll(async () => {
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
  await Promise.all([postgres?.[Symbol.asyncDispose](), redis?.[Symbol.asyncDispose]()]);
});

/** Ends the fault. The notice of recovery shows only for some seconds, so the wait for it begins first. */
async function comesBack(page: Page, end: () => unknown): Promise<void> {
  const again = page.getByText('Everything is available again.').waitFor();
  await Promise.all([again, end()]);
}

describe('the page reports an outage, and recovers by itself', () => {
  test('when the gateway is killed and restarted; a watched trip continues', async () => {
    const { requestTrip } = await gateway.ask<{ requestTrip: { id: string } }>(
      // The offer outlasts a restart, however slow the machine.
      'mutation { requestTrip(input: { offerTtlMs: 600000 }) { ... on Trip { id } } }',
    );
    await using watched = await openPage(browser, { url: `${gateway.origin}/trips/${requestTrip.id}` });
    const { page } = watched;
    await page.getByText('Requested by the rider').waitFor();
    await gateway.end();
    await page.getByText('The gateway does not answer', { exact: false }).waitFor();
    await comesBack(page, () => gateway.start());
    await gateway.ask('mutation ($input: AnswerOfferInput!) { acceptTrip(input: $input) { __typename } }', {
      variables: { input: { tripId: requestTrip.id, offerEpoch: 1 } },
      headers: { 'x-demo-user': 'driver-9' },
    });
    await page.getByText('Accepted by a driver').waitFor();
    expect(await page.getByText('Requested by the rider').count()).toBe(1);
  });

  test('when a newer console was installed, which is loaded on request', async () => {
    await using watched = await openPage(browser, { url: `${gateway.origin}/ledger` });
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
    await page.route('**/assets/nodes-view-*.js', (route) => route.fulfill({ status: 404 }));
    await page.route(`${gateway.origin}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-new.js">' }),
    );
    await page.getByRole('link', { name: 'Nodes' }).click();
    await page.getByRole('heading', { level: 1, name: 'A new version is available' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unrouteAll();
    const nodes = page.getByRole('heading', { level: 1, name: 'Nodes' });
    // On a busy machine, a probe can be late; then the page has reloaded by itself, and a click on the heading does nothing.
    await page.getByRole('button', { name: 'Reload the page' }).or(nodes).click();
    await nodes.waitFor();
    expect(page.url()).toBe(`${gateway.origin}/nodes`);
  });

  test('when a view cannot be displayed; another one can', async () => {
    await using watched = await openPage(browser, { url: `${gateway.origin}/ledger` });
    const { page } = watched;
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('documentNumberCounters') !== true) return route.fallback();
      const data = { documentNumberCounters: { edges: [null], pageInfo: { hasNextPage: false } } };
      return route.fulfill({ json: { data } });
    });
    await page.getByRole('link', { name: 'Counters' }).click();
    await page.getByRole('heading', { level: 1, name: 'This view could not be displayed' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
  });

  test('when a view is opened while the gateway is down', async () => {
    await using watched = await openPage(browser, { url: `${gateway.origin}/ledger` });
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor();
    await gateway.end();
    await page.getByText('The gateway does not answer', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Nodes' }).click();
    await page.getByRole('heading', { level: 1, name: 'This view could not be loaded' }).waitFor();
    await gateway.start();
    await page.getByRole('heading', { level: 1, name: 'Nodes' }).waitFor();
  });

  test('when Redis is killed and restarted', async () => {
    await using watched = await openPage(browser, { url: `${gateway.origin}/load` });
    const { page } = watched;
    await page.getByLabel('Discipline').waitFor();
    await redis.kill();
    await page.getByText('Redis does not answer', { exact: false }).waitFor();
    await using other = await openPage(browser, { url: `${gateway.origin}/nodes/912448363604043402` });
    await other.page.getByRole('heading', { name: 'Read as decimal' }).waitFor();
    expect(await other.page.getByText('is not an ID').count()).toBe(0);
    await other.page.goto(gateway.origin);
    await other.page.getByRole('row', { name: /^Document numbers works/ }).waitFor();
    await other.page.getByRole('row', { name: /^Driver positions does not work/ }).waitFor();
    await page.getByRole('button', { name: 'Issue 100 at once' }).click();
    await hundredIssued(page);
    await comesBack(page, () => redis.restart());
  });

  test('when PostgreSQL is paused and resumed', async () => {
    await using watched = await openPage(browser, { url: `${gateway.origin}/ledger` });
    const { page } = watched;
    await page.getByText('Rows 1 to 50').waitFor();
    await postgres.pause();
    try {
      await page.getByText('PostgreSQL does not answer', { exact: false }).waitFor();
      await comesBack(page, () => postgres.resume());
    } finally {
      await postgres.resume();
    }
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Rows 51 to 100').waitFor();
  });
});
