import { expect, test } from '@jest/globals';
import { hundredIssued } from './browser.js';
import { consoleOfFile } from './console-fixture.js';

/** The console of a gateway that runs no documents but those it knows by ID. */
const fixture = consoleOfFile({ TRUSTED_DOCUMENTS_ONLY: 'on' });

test.each([
  ['/', 'works'],
  ['/nodes', 'An ID in any spelling'],
  ['/ledger', 'No numbers'],
  ['/counters', 'DEMO · RFA'],
  ['/formats', '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}'],
])('%s shows its data', async (path, text) => {
  await using watched = await fixture.visit(path);
  await watched.page.getByText(text).first().waitFor();
  expect(watched.complaints).toEqual([]);
});

test('numbers are issued, and drivers race for a trip', async () => {
  await using load = await fixture.visit('/load');
  await load.page.getByRole('button', { name: 'Issue 100 at once' }).click();
  await hundredIssued(load.page);
  expect(load.complaints).toEqual([]);
  await using trips = await fixture.visit('/trips');
  await trips.page.getByLabel('Drivers').selectOption('16');
  await trips.page.getByRole('button', { name: 'Request a trip and race for it' }).click();
  await trips.page.getByText('One of 16 has the trip').waitFor();
  expect(trips.complaints).toEqual([]);
});
