import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleOfFile } from './console-fixture.js';

/** Several administrators define the series of one project. */
const fixture = consoleOfFile();

function definitionForm(page: Page) {
  const define = page.locator('section', { hasText: 'Define or change a series' });
  const save = async (label: string): Promise<void> => {
    await define.getByRole('button', { name: `${label}…` }).click();
    await page.getByRole('dialog').getByRole('button', { name: label }).click();
  };
  return {
    define,
    save,
    choose: async (type: string): Promise<void> => {
      await define.getByLabel('Project').selectOption('DEMO');
      await define.getByLabel('Type').selectOption(type);
    },
    change: async (last: string): Promise<void> => {
      await define.getByLabel('Last number').fill(last);
      await save('Change');
    },
  };
}

/** Both make the page read the series again. */
async function blockAndOpen(page: Page, type: string): Promise<void> {
  await page.getByRole('button', { name: `Block ${type}…` }).click();
  await page.getByLabel('Reason').fill('for a moment');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Block ${type}` })
    .click();
  await page.getByRole('button', { name: `Open ${type}` }).click();
  await page.getByRole('button', { name: `Block ${type}…` }).waitFor();
}

test('a series that another administrator changed in the meantime is not changed', async () => {
  await using watched = await fixture.visit('/counters');
  const { page } = watched;
  const { define, choose, change } = definitionForm(page);
  await choose('RFI');
  await change('8000');
  await page.getByText('DEMO · RFI is defined.').waitFor();
  await change('7000');
  await page.getByRole('cell', { name: '7,000', exact: true }).waitFor();
  await fixture.gateway.ask(
    `mutation { defineDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFI", endAt: 7000, rules: {
      reset: YEAR, timeZone: "Asia/Bangkok", closedUntil: "2021-06-30" } }) { __typename } }`,
  );
  await blockAndOpen(page, 'MEMO');
  await page.getByRole('cell', { name: '30 Jun 2021' }).waitFor();
  await change('6000');
  await page.getByRole('dialog').getByText('SERIES_CHANGED').waitFor();
  await page.getByRole('button', { name: 'Go back' }).click();
  await choose('RFA');
  await choose('RFI');
  expect(await define.getByLabel('Closed up to').inputValue()).toBe('2021-06-30');
  await change('6000');
  await page.getByRole('row', { name: /DEMO · RFI .* 6,000 30 Jun 2021/ }).waitFor();
});

test('a series can be changed after it was blocked and opened', async () => {
  await using watched = await fixture.visit('/counters');
  const { page, complaints } = watched;
  const { choose, change } = definitionForm(page);
  await choose('MEMO');
  await blockAndOpen(page, 'MEMO');
  await change('5000');
  await page.getByText('DEMO · MEMO is defined.').waitFor();
  expect(complaints).toEqual([]);
});

test('a series that another administrator defined in the meantime is not replaced', async () => {
  const { gateway } = fixture;
  await gateway.ask(
    'mutation { createCorrespondenceType(input: { code: "NEW", name: "New" }) { __typename } }',
  );
  await using watched = await fixture.visit('/counters');
  const { page } = watched;
  const { choose, save } = definitionForm(page);
  await choose('NEW');
  await gateway.ask(
    `mutation { defineDocumentSeries(input: { projectCode: "DEMO", typeCode: "NEW", authorityCode: "ABC", rules: {
      reset: YEAR, timeZone: "Asia/Bangkok" } }) { __typename } }`,
  );
  await save('Define');
  await page.getByRole('dialog').getByText('SERIES_CHANGED').waitFor();
});
