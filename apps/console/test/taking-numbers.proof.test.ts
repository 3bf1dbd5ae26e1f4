import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { search } from './browser.js';
import { isCallOf, keysOf, loseReplies, polledTwice } from './calls.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES, issueNumbers } from './demo-series.js';

/** A clerk takes each number once, whatever happens to the answer. */
const fixture = consoleOfFile();
const YEAR = new Date().getFullYear();

beforeAll(async () => {
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, count: 1 });
});

/** The form that takes a number, with the codes of a series. */
async function takeOf(page: Page, organizationCode: string, disciplineCode: string): Promise<Locator> {
  const take = page.locator('section', { hasText: 'Take a number' });
  await take.getByLabel('Organization').selectOption(organizationCode);
  await take.getByLabel('Discipline').selectOption(disciplineCode);
  return take;
}

test('issues one number by a double click', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page, complaints } = watched;
  const keys = keysOf(page, 'issueDocumentNumber');
  const take = await takeOf(page, 'OWN', 'ARC');
  await take.getByRole('button', { name: 'Issue' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await take.getByRole('link', { name: `OWN-RFA-ARC-${YEAR}-0001` }).waitFor();
  expect(keys).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test.each([
  ['Issue', 'next number', 'issueDocumentNumber', 'ARC'],
  ['Reserve', 'reserve 5 min', 'reserveDocumentNumber', 'MEP'],
])(
  'gets the same number by another %s after a lost answer, then the next',
  async (label, way, field, code) => {
    await using watched = await fixture.visit('/ledger');
    const { page } = watched;
    const keys = keysOf(page, field);
    const take = await takeOf(page, 'CON', code);
    await take.getByLabel('How').selectOption(way);
    const button = take.getByRole('button', { name: label, exact: true });
    const again = take.getByText('takes no second number');
    await loseReplies(page, field);
    await button.click();
    await again.waitFor();
    await page.unrouteAll();
    await take.getByLabel('Discipline').selectOption('STR');
    await again.waitFor({ state: 'detached' });
    await take.getByLabel('Discipline').selectOption(code);
    await button.click();
    await take.getByRole('link', { name: `CON-RFA-${code}-${YEAR}-0001` }).waitFor();
    await again.waitFor({ state: 'detached' });
    await button.click();
    await take.getByRole('link', { name: `CON-RFA-${code}-${YEAR}-0002` }).waitFor();
    const [lost, repeated, next] = keys;
    expect(repeated).toBe(lost);
    expect(next).not.toBe(lost);
  },
);

test('gets the same number after its repetition was refused before the gateway looked for the key', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page } = watched;
  const keys = keysOf(page, 'issueDocumentNumber');
  const take = await takeOf(page, 'TEAM', 'ARC');
  const button = take.getByRole('button', { name: 'Issue' });
  const again = take.getByText('takes no second number');
  await loseReplies(page, 'issueDocumentNumber');
  await button.click();
  await again.waitFor();
  for (const code of ['FORBIDDEN', 'GRAPHQL_VALIDATION_FAILED', 'PERSISTED_QUERY_NOT_FOUND', 'NOT_FOUND']) {
    const refusal = { errors: [{ message: `refused: ${code}`, extensions: { code } }] };
    await page.route('**/graphql', (route) =>
      isCallOf('issueDocumentNumber', route.request())
        ? route.fulfill({ status: 400, json: refusal })
        : route.fallback(),
    );
    await button.click();
    await take.getByRole('alert').getByText(`refused: ${code}`).waitFor();
    await again.waitFor();
  }
  await page.unrouteAll();
  await button.click();
  await take.getByRole('link', { name: `TEAM-RFA-ARC-${YEAR}-0001` }).waitFor();
  await again.waitFor({ state: 'detached' });
  expect(new Set(keys).size).toBe(1);
});

test('gets the same number after a reload of the page while it was requested', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page } = watched;
  const keys = keysOf(page, 'issueDocumentNumber');
  const again = page.getByText('takes no second number');
  let take = await takeOf(page, 'TEAM', 'MEP');
  let isDelivered = false;
  await page.route('**/graphql', (route) =>
    isDelivered || !isCallOf('issueDocumentNumber', route.request()) ? route.fallback() : undefined,
  );
  await take.getByRole('button', { name: 'Issue' }).click();
  await polledTwice(page);
  expect([keys.length, await again.count()]).toEqual([1, 0]);
  await page.reload();
  isDelivered = true;
  take = await takeOf(page, 'TEAM', 'MEP');
  await again.waitFor();
  await take.getByRole('button', { name: 'Issue' }).click();
  await take.getByRole('link', { name: `TEAM-RFA-MEP-${YEAR}-0001` }).waitFor();
  await again.waitFor({ state: 'detached' });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('keeps a reservation that becomes the only number found, after leaving the view, and after a reload', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page, complaints } = watched;
  const take = await takeOf(page, 'OWN', 'MEP');
  await search(page, 'own-rfa-mep');
  await page.getByText('No number begins like this').waitFor();
  await take.getByLabel('How').selectOption('reserve 5 min');
  await take.getByRole('button', { name: 'Reserve' }).click();
  const found = page.getByRole('region', { name: 'Numbers found' });
  await found.getByRole('link', { name: `OWN-RFA-MEP-${YEAR}-0001` }).click();
  await page.getByRole('heading', { level: 1, name: `OWN-RFA-MEP-${YEAR}-0001` }).waitFor();
  await page.getByRole('link', { name: 'Full ledger' }).click();
  await take.getByRole('button', { name: 'Confirm' }).waitFor();
  await page.reload();
  await take.getByRole('button', { name: 'Confirm' }).click();
  await take.getByText('confirmed').waitFor();
  await page.getByLabel('Act as').selectOption('clerk-2');
  await take.getByText('confirmed').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('is told why a series is blocked', async () => {
  await using watched = await fixture.visit('/counters');
  const { page } = watched;
  const row = page.getByRole('row', { name: 'DEMO · RFI' });
  await row.getByRole('button', { name: 'Block RFI' }).click();
  await page.keyboard.type('the archive is being moved');
  await page.keyboard.press('Enter');
  await row.getByText('blocked: the archive is being moved').waitFor();
  await page.getByRole('link', { name: 'Ledger', exact: true }).click();
  const take = await takeOf(page, 'OWN', 'ARC');
  await take.getByLabel('Type').selectOption('RFI');
  await take.getByRole('button', { name: 'Issue' }).click();
  await take.getByRole('alert').getByText('the archive is being moved').waitFor();
  expect(await take.getByText('takes no second number').count()).toBe(0);
  await page.getByRole('link', { name: 'Counters' }).click();
  await row.getByRole('button', { name: 'Open RFI' }).click();
  await row.getByText('open', { exact: true }).waitFor();
});

test('replaces a number once, although the first answer was lost', async () => {
  await using watched = await fixture.visit(`/ledger/TEAM-RFA-STR-${YEAR}-0001?project=DEMO`);
  const { page } = watched;
  const keys = keysOf(page, 'replaceDocumentNumber');
  await page.getByRole('button', { name: 'Replace this number…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('wrong discipline');
  const replace = dialog.getByRole('button', { name: 'Replace this number' });
  await loseReplies(page, 'replaceDocumentNumber');
  await replace.click();
  await dialog.getByRole('alert').waitFor();
  await page.unrouteAll();
  await replace.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Replaced by').waitFor();
  expect(keys).toEqual([keys[0], keys[0]]);
});
