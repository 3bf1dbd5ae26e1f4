import { expect, test } from '@jest/globals';
import { hide, hundredIssued } from './browser.js';
import { holdCalls, keysOf, loseReplies } from './calls.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES } from './demo-series.js';

/** The two demonstrations for newcomers, in a real Chromium with a real gateway. */
const fixture = consoleOfFile();

async function requestedTrip(): Promise<string> {
  const { requestTrip } = await fixture.gateway.ask<{ requestTrip: { id: string } }>(
    'mutation { requestTrip(input: {}) { ... on Trip { id } } }',
  );
  return requestTrip.id;
}

async function accept(tripId: string, driver: string): Promise<void> {
  await fixture.gateway.ask(
    'mutation ($input: AnswerOfferInput!) { acceptTrip(input: $input) { __typename } }',
    { variables: { input: { tripId, offerEpoch: 1 } }, headers: { 'x-demo-user': driver } },
  );
}

const SERIES = { ...DEMO_SERIES, organizationCode: 'OWN', typeCode: 'RFI', disciplineCode: 'MEP' };

test('one click issues a hundred numbers, and the page shows that none is duplicated and none is missing', async () => {
  await using watched = await fixture.visit('/load');
  const { page, complaints } = watched;
  await page.getByLabel('Organization').selectOption(SERIES.organizationCode);
  await page.getByLabel('Type').selectOption(SERIES.typeCode);
  await page.getByLabel('Discipline').selectOption(SERIES.disciplineCode);
  await page.getByRole('button', { name: 'Issue 100 at once' }).click();
  await hundredIssued(page);
  expect(await page.locator('.answers li.given').count()).toBe(100);
  await page.getByRole('img', { name: 'Latency of 100 requests' }).waitFor();
  const { documentNumberPreview } = await fixture.gateway.ask<{
    documentNumberPreview: { sequence: number };
  }>('query ($input: DocumentSeriesInput!) { documentNumberPreview(input: $input) { sequence } }', {
    variables: { input: SERIES },
  });
  expect(documentNumberPreview.sequence).toBe(101);
  expect(complaints).toEqual([]);
});

test('of sixteen drivers who accept at once, one gets the trip, and its page shows what happened', async () => {
  await using watched = await fixture.visit('/trips');
  const { page, complaints } = watched;
  await page.getByLabel('Drivers').selectOption('16');
  await page.getByRole('button', { name: 'Request a trip and race for it' }).click();
  await page.getByText('One of 16 has the trip').waitFor();
  await page.getByText('Show as table').click();
  expect(await page.getByRole('cell', { name: 'got the trip', exact: true }).count()).toBe(1);
  expect(await page.getByRole('cell', { name: 'taken by another' }).count()).toBe(15);

  await page.getByText('full history, event by event').getByRole('link').click();
  await page.getByText('Accepted by a driver').waitFor();
  await page.getByRole('button', { name: 'Release the trip…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release the trip' }).click();
  await page.getByRole('heading', { name: 'Epoch 2' }).waitFor();
  await page.getByRole('button', { name: 'Race for this trip' }).click();
  await page.getByText('One of 8 has the trip').waitFor();
  await page.getByRole('button', { name: 'Rider is on board' }).click();
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('The trip was completed').waitFor();
  expect(complaints).toEqual([]);
});

test('a trip is cancelled after a confirmation', async () => {
  await using watched = await fixture.visit('/trips');
  const { page } = watched;
  await page.getByRole('button', { name: 'Request a trip only' }).click();
  await page.getByRole('button', { name: 'Cancel for the rider…' }).click();
  await page.getByRole('button', { name: 'Go back' }).click();
  expect(await page.getByText('finding a driver').count()).toBe(1);
  await page.getByRole('button', { name: 'Cancel for the rider…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel for the rider' }).click();
  await page.locator('.timeline').getByText('Cancelled').waitFor();
});

test('a trip whose answer was lost is requested again under the same key', async () => {
  await using watched = await fixture.visit('/trips');
  const { page } = watched;
  const keys = keysOf(page, 'requestTrip');
  const button = page.getByRole('button', { name: 'Request a trip only' });
  await loseReplies(page, 'requestTrip');
  await button.evaluate((element: HTMLButtonElement) => {
    element.click();
    element.click();
  });
  await page.getByText('requests no second trip').waitFor();
  await page.unrouteAll();
  await button.click();
  await page.getByRole('heading', { level: 1, name: /^Trip \d/ }).waitFor();
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a race whose request was lost is run for the trip of the first request', async () => {
  await using watched = await fixture.visit('/trips');
  const { page } = watched;
  const keys = keysOf(page, 'requestTrip');
  const button = page.getByRole('button', { name: 'Request a trip and race for it' });
  await loseReplies(page, 'requestTrip');
  await button.click();
  await page.getByRole('alert').waitFor();
  await page.unrouteAll();
  await button.click();
  await page.getByText('One of 8 has the trip').waitFor();
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a trip that is accepted while its page is hidden is up to date when the page is shown', async () => {
  await using watched = await fixture.visit(`/trips/${await requestedTrip()}`);
  const { page } = watched;
  await page.getByText('finding a driver').waitFor();
  await hide(page);
  await accept(new URL(page.url()).pathname.slice('/trips/'.length), 'driver-91');
  await page.getByRole('button', { name: 'Rider is on board' }).waitFor();
});

test('a refusal is no longer shown beside a later success', async () => {
  const id = await requestedTrip();
  await accept(id, 'driver-92');
  await using watched = await fixture.visit(`/trips/${id}`);
  const { page } = watched;
  await page.getByRole('button', { name: 'Rider did not show up…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rider did not show up' }).click();
  const refusal = page.getByRole('status').locator('.notice');
  await refusal.waitFor();
  await page.getByRole('button', { name: 'Rider is on board' }).click();
  await page.getByRole('button', { name: 'Complete' }).waitFor();
  expect(await refusal.count()).toBe(0);
});

test.each([
  ['a requested trip', '/trips', 'Request a trip only', 'requestTrip'],
  ['a generated ID', '/nodes', 'Generate', 'generateTsids'],
])('%s that arrives late does not open what was left', async (_, path, name, field) => {
  await using watched = await fixture.visit(path);
  const { page, complaints } = watched;
  const release = await holdCalls(page, field);
  const button = page.getByRole('button', { name });
  await button.click();
  expect(await button.isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Counters' }).click();
  await page.getByRole('heading', { level: 1, name: 'Counters' }).waitFor();
  await release();
  expect(new URL(page.url()).pathname).toBe('/counters');
  expect(complaints).toEqual([]);
});

test("a race whose last answer arrives after the winner's event still shows who has the trip", async () => {
  await using watched = await fixture.visit(`/trips/${await requestedTrip()}`);
  const { page } = watched;
  let acceptCount = 0;
  await page.route('**/graphql', async (route) => {
    const isLate = /acceptTrip/i.test(route.request().postData() ?? '') && ++acceptCount === 8;
    if (!isLate) return route.continue();
    const response = await route.fetch();
    await page.getByRole('button', { name: 'Rider is on board' }).waitFor();
    return route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Race for this trip' }).click();
  await page.getByText('One of 8 has the trip').waitFor();
  expect(acceptCount).toBe(8);
  expect(await page.getByRole('button', { name: 'Race for this trip' }).count()).toBe(0);
});

test('two tabs that race for one trip see one winner', async () => {
  const address = `/trips/${await requestedTrip()}`;
  await using one = await fixture.visit(address);
  await using other = await fixture.visit(address);
  for (const [tab, driver] of [
    [one, 'driver-1'],
    [other, 'driver-2'],
  ] as const) {
    await tab.page.getByLabel('Act as').selectOption(driver);
    await tab.page.getByRole('button', { name: 'Accept trip' }).waitFor();
  }
  await Promise.all(
    [one, other].map(async ({ page }) => {
      await page.getByRole('button', { name: 'Accept trip' }).click();
      await page.getByText('Result:').waitFor();
    }),
  );
  const answers = await Promise.all([one, other].map(({ page }) => page.getByText('Result:').textContent()));
  expect(new Set(answers)).toEqual(new Set(['Result: got the trip.', 'Result: taken by another.']));
});
