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
import { nodeMap, openPage, placeOfNode } from '../test/browser.js';
import { DEMO_SERIES, issueNumbers } from '../test/demo-series.js';

/*
 * How smooth the page stays with 10,000 rows and 1,024 nodes, and how soon it reports an outage:
 * `pnpm --filter @solegate/console smoothness`, on its own stores. A long task takes more than 50 ms, by the browser's
 * own definition.
 */

const ROW_COUNT = 10_000;
const PAGE_COUNT = 20;
const FAULT_COUNT = 5;

async function issueRows(gateway: GatewayProcess): Promise<void> {
  for (let batch = 0; batch < ROW_COUNT / 1_000; batch += 1) {
    const typeCode = batch < 9 ? 'RFA' : 'RFI';
    await issueNumbers(gateway, { ...DEMO_SERIES, typeCode, count: 1_000 });
  }
}

/** Durations of the long tasks of a page, in milliseconds, from its opening until `act` has ended. */
async function longTasks(
  browser: Browser,
  url: string,
  act: (page: Page) => Promise<void>,
): Promise<readonly number[]> {
  await using watched = await openPage(browser, { url: 'about:blank' });
  const { page } = watched;
  await page.addInitScript(() => {
    const lengths: number[] = [];
    Object.assign(globalThis, { longTasks: lengths });
    new PerformanceObserver((list) => {
      lengths.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(url);
  await act(page);
  return await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
}

async function turnPages(page: Page): Promise<void> {
  await page.getByText('Rows 1 to 50').waitFor();
  for (let turned = 1; turned <= PAGE_COUNT; turned += 1) {
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`Rows ${turned * 50 + 1} to ${turned * 50 + 50}`).waitFor();
  }
}

async function readNodes(page: Page): Promise<void> {
  await nodeMap(page).waitFor();
  for (const node of [3, 500, 1_000]) await nodeMap(page).click({ position: await placeOfNode(page, node) });
  // The page reads the fleet every few seconds.
  await page.waitForTimeout(10_000);
}

/** Milliseconds from each fault to its notice. */
async function noticeTimes(
  page: Page,
  words: string,
  fault: { readonly begin: () => Promise<unknown>; readonly end: () => Promise<void> },
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let count = 0; count < FAULT_COUNT; count += 1) {
    // Data that is reloaded after the previous fault occupies the browser's connections.
    await page.waitForTimeout(2_000);
    const notice = page.getByText(words, { exact: false }).waitFor();
    const beganAtMs = performance.now();
    await fault.begin();
    await notice;
    times.push(Math.round(performance.now() - beganAtMs));
    await fault.end();
    await page.getByText(words, { exact: false }).waitFor({ state: 'hidden' });
  }
  return times;
}

async function measure(
  postgres: PostgresTestServer,
  redis: RedisTestServer,
  gateway: GatewayProcess,
  browser: Browser,
): Promise<void> {
  await issueRows(gateway);
  const tasks = {
    [`the ledger, ${PAGE_COUNT} pages of ${ROW_COUNT} rows`]: await longTasks(
      browser,
      `${gateway.origin}/ledger`,
      turnPages,
    ),
    'the map of 1,024 nodes, read for 10 s': await longTasks(browser, `${gateway.origin}/nodes`, readNodes),
  };
  for (const [what, lengths] of Object.entries(tasks)) {
    const words = lengths.map((length) => `${Math.round(length)} ms`).join(', ');
    process.stdout.write(`long tasks, ${what}: ${lengths.length}${words && ` (${words})`}\n`);
  }
  await using watched = await openPage(browser, { url: `${gateway.origin}/ledger` });
  const { page } = watched;
  await page.getByText('Rows 1 to 50').waitFor();
  const faults = [
    ['Redis does not answer', { begin: () => redis.kill(), end: () => redis.restart() }],
    [
      'PostgreSQL does not answer',
      { begin: async () => postgres.pause(), end: async () => postgres.resume() },
    ],
    ['The gateway does not answer', { begin: () => gateway.end(), end: () => gateway.start() }],
  ] as const;
  for (const [words, fault] of faults) {
    const times = await noticeTimes(page, words, fault);
    process.stdout.write(`"${words}" after ${times.toSorted((one, other) => one - other).join(', ')} ms\n`);
  }
}

const [postgres, redis, browser] = await Promise.all([
  startPostgresServer(),
  startRedisServer(),
  launchChromium(),
]);
const gateway = await startGateway({
  environment: { DATABASE_URL: postgres.url, REDIS_URL: redis.url },
});
try {
  await measure(postgres, redis, gateway, browser);
} finally {
  await browser.close();
  await gateway[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
}
