import { beforeAll, expect, test } from '@jest/globals';
import type { Request } from 'playwright-core';
import { nodeMap } from './browser.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES, issueNumbers } from './demo-series.js';

/** With a ledger of 10,000 rows, 2,000 trips and a fleet of 1,024 nodes, a page costs no more than what it shows. */
const fixture = consoleOfFile();

beforeAll(async () => {
  for (let batch = 0; batch < 10; batch += 1) {
    // A counter of four digits ends at 9,999.
    const typeCode = batch < 9 ? 'RFA' : 'RFI';
    await issueNumbers(fixture.gateway, { ...DEMO_SERIES, typeCode, count: 1_000 });
  }
  const requests = Array.from(
    { length: 25 },
    (_, index) => `t${index}: requestTrip(input: { offerTtlMs: 3600000 }) { ... on Trip { id } }`,
  );
  for (let batch = 0; batch < 80; batch += 1) await fixture.gateway.ask(`mutation { ${requests.join(' ')} }`);
});

test('of 10,000 rows, only those of the current page are in the document', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page } = watched;
  await page.getByText('Rows 1 to 50').waitFor();
  const seen = new Set<string | null>();
  const see = async () => seen.add(await page.locator('tbody a').first().textContent());
  await see();
  for (let turned = 1; turned <= 20; turned += 1) {
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(`Rows ${turned * 50 + 1} to ${turned * 50 + 50}`).waitFor();
    await see();
  }
  expect(seen.size).toBe(21);
  expect(await page.locator('tbody tr').count()).toBe(50);
});

test('pressing "Next page" again before the page arrives gets the next page once', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page } = watched;
  await page.getByText('Rows 1 to 50').waitFor();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isPage = (request: Request): boolean => /documentNumbers\(/.test(request.postData() ?? '');
  await page.route('**/graphql', async (route) => {
    if (isPage(route.request())) await held;
    await route.continue();
  });
  const next = page.getByRole('button', { name: 'Next page' });
  await Promise.all([page.waitForRequest(isPage), next.click()]);
  await next.click();
  expect(await page.getByText('Rows 1 to 50').count()).toBe(1);
  release();
  await page.getByText('Rows 51 to 100').waitFor();
  await next.click();
  await page.getByText('Rows 101 to 150').waitFor();
});

test('one of 10,000 numbers is found by its sequence, and one of 2,000 trips by the end of its offer', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page } = watched;
  await page.getByRole('searchbox', { name: 'Search' }).fill('8765');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^TEAM-RFA-STR-\d{4}-8765$/ }).waitFor();
  const late = await fixture.gateway.ask<{ requestTrip: { id: string } }>(
    'mutation { requestTrip(input: { offerTtlMs: 600000 }) { ... on Trip { id } } }',
  );
  await page.goto(`${fixture.gateway.origin}/trips`);
  await page.getByLabel('Order').selectOption('LATE');
  const open = page.getByRole('region', { name: 'Open trips by the end of their offers' });
  await open.locator('tbody tr').first().getByRole('link', { name: late.requestTrip.id }).waitFor();
});

test('the map of nodes consists of a few shapes, and a refresh does not redraw it', async () => {
  await using watched = await fixture.visit('/nodes');
  const { page } = watched;
  await nodeMap(page).waitFor();
  expect(await nodeMap(page).locator('*').count()).toBeLessThan(10);
  const changes = await nodeMap(page).evaluate(async (map) => {
    let count = 0;
    const watcher = new MutationObserver((records) => {
      count += records.length;
    });
    watcher.observe(map, { subtree: true, childList: true, attributes: true });
    const reads = () =>
      performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/graphql')).length;
    const before = reads();
    while (reads() < before + 2) await new Promise((resolve) => setTimeout(resolve, 100));
    watcher.disconnect();
    return count;
  });
  expect(changes).toBe(0);
});
