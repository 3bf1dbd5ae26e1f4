import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hundredIssued, violationsOf, writeQuery } from './browser.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES, issueNumbers } from './demo-series.js';

/** Accessibility of every view: for screen readers, by keyboard alone, on a phone and on a wide screen. */
const NUMBER = 'TEAM-RFA-STR-2026-0001';
const fixture = consoleOfFile();
let views: readonly string[];

beforeAll(async () => {
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, count: 60, date: '2026-11-22' });
  const { requestTrip } = await fixture.gateway.ask<{ requestTrip: { id: string } }>(
    'mutation { requestTrip(input: {}) { ... on Trip { id } } }',
  );
  const trip = `/trips/${requestTrip.id}`;
  const id = `/nodes/${requestTrip.id}`;
  views = [
    '/',
    '/load',
    '/break',
    '/trips',
    trip,
    id,
    '/ledger',
    '/ledger?text=team',
    `/ledger/${NUMBER}`,
    '/counters',
    '/formats',
    '/codes',
    '/api',
  ];
});

describe('the console', () => {
  test.each(['light', 'dark'] as const)('axe finds nothing wrong in %s', async (theme) => {
    await using watched = await fixture.visit('/', { theme });
    const { page } = watched;
    for (const view of views) {
      await page.goto(fixture.gateway.origin + view);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main .panel').first().waitFor();
      for (const details of await page.locator('details').all()) {
        await details.evaluate((element) => element.setAttribute('open', ''));
      }
      expect([view, await violationsOf(page)]).toEqual([view, []]);
    }
  });

  test('axe finds nothing wrong with a confirmation dialog, a race and a load', async () => {
    await using watched = await fixture.visit(`/ledger/${NUMBER}`);
    const { page } = watched;
    await page.getByRole('button', { name: 'Void this number…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Load' }).click();
    await page.getByRole('button', { name: 'Issue 100 at once' }).click();
    await hundredIssued(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Trips', exact: true }).click();
    await page.getByRole('button', { name: 'Request a trip and race for it' }).click();
    await page.getByText('One of 8 has the trip').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing wrong in %s with a completion, an error and a response of the explorer',
    async (theme) => {
      await using watched = await fixture.visit('/api?type=Query', { theme });
      const { page } = watched;
      await writeQuery(page, '{ overview { proc');
      await page.getByRole('listbox').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByText('Line 1:').waitFor();
      await page.keyboard.press('Control+Enter');
      await page.getByLabel('Answer, as JSON').waitFor();
      await page.keyboard.type('\n'.repeat(30));
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  test.each([360, 390, 1_280, 1_920])('no view is wider than a screen of %i px', async (width) => {
    await using watched = await fixture.visit('/', { width });
    const { page } = watched;
    for (const view of views) {
      await page.goto(fixture.gateway.origin + view);
      await page.locator('main .panel').first().waitFor();
      const wide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect([view, wide]).toEqual([view, 0]);
    }
  });

  test('no text of a race or a load is cut off on a phone', async () => {
    await using watched = await fixture.visit('/trips', { width: 360 });
    const { page } = watched;
    await page.getByRole('button', { name: 'Request a trip and race for it' }).click();
    await page.getByText('One of 8 has the trip').waitFor();
    expect(await cutTexts(page)).toEqual([]);
    await page.getByRole('link', { name: 'Load' }).click();
    await page.getByRole('button', { name: 'Issue 100 at once' }).click();
    await page.getByRole('img', { name: /^Latency/ }).waitFor();
    expect(await cutTexts(page)).toEqual([]);
  });

  test('everything can be done by keyboard alone', async () => {
    await using watched = await fixture.visit('/');
    const { page } = watched;
    await settledByHeading(page, 'Overview');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await tabTo(page, 'Load', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await settledByHeading(page, 'Load');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.getByLabel('Discipline').waitFor();
    await tabTo(page, 'Issue 100 at once');
    await page.keyboard.press('Enter');
    await hundredIssued(page);

    await page.goto(`${fixture.gateway.origin}/ledger/TEAM-RFA-STR-2026-0002`);
    await page.getByRole('button', { name: 'Void this number…' }).waitFor();
    await tabTo(page, 'Void this number…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Void this number…');
    await page.keyboard.press('Enter');
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByText('number voided by Anong: by keyboard').waitFor();
  });

  test('a chosen control keeps the focus, also when the address changes with it', async () => {
    await using watched = await fixture.visit('/formats/DEMO/RFA');
    const { page } = watched;
    await page.getByText('This is version 1, the newest').waitFor();
    await page.getByLabel('Type').focus();
    await page.getByLabel('Type').selectOption('RFI');
    await page.waitForURL('**/formats/DEMO/RFI');
    await page.getByRole('heading', { name: 'Formats' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
  });

  test('the colors follow the system until the user chooses, and the choice is kept', async () => {
    await using watched = await fixture.visit('/', { theme: 'dark' });
    const { page } = watched;
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.getByLabel('Theme').selectOption('light');
    const light = await ground();
    expect(light).not.toBe(dark);
    await page.reload();
    await settledByHeading(page, 'Overview');
    expect(await ground()).toBe(light);
    await page.getByLabel('Theme').selectOption('auto');
    expect(await ground()).toBe(dark);
  });
});

/** Elements that extend beyond their chart, once the chart has its final width. */
async function cutTexts(page: Page): Promise<readonly (string | null)[]> {
  await page.waitForFunction(() => {
    const chart = document.querySelector<SVGSVGElement>('.chart');
    return chart !== null && chart.viewBox.baseVal.width === Math.round(chart.getBoundingClientRect().width);
  });
  return page.evaluate(() =>
    [...document.querySelectorAll('.chart text')]
      .filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        const picture = text.closest('svg')?.getBoundingClientRect();
        return picture === undefined || left < picture.left - 1 || right > picture.right + 1;
      })
      .map((text) => text.textContent),
  );
}

async function settledByHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent?.trim());
}

/** Presses a key until an element with this text has the focus. */
async function tabTo(page: Page, text: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press(key);
    if ((await focused(page)) === text) return;
  }
  throw new Error(`"${text}" is not reached by ${key}`);
}
