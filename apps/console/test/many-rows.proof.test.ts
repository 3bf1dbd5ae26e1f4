import { beforeAll, expect, test } from '@jest/globals';
import { hundredIssued } from './browser.js';
import { holdCalls } from './calls.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES, issueNumbers } from './demo-series.js';

/** 30 projects, two of which print the same numbers, 150 organizations and 50 trips: nothing is hidden or confused. */
const NUMBER = /TEAM-RFA-STR-\d{4}-0001$/;
const fixture = consoleOfFile();

beforeAll(async () => {
  const { gateway } = fixture;
  /** Sends as many mutations as one request may have aliases. */
  const repeat = async (count: number, mutationOf: (index: number) => string) => {
    for (let from = 0; from < count; from += 25) {
      const length = Math.min(25, count - from);
      const fields = Array.from({ length }, (_, index) => `a${index}: ${mutationOf(from + index)}`);
      await gateway.ask(`mutation { ${fields.join(' ')} }`);
    }
  };
  const coded = (code: string) => `(input: { code: "${code}", name: "One of many" }) { __typename }`;
  await gateway.ask(
    `mutation { createProject${coded('HARBOUR')} ${['RFA', 'RFI'].map(
      (
        typeCode,
      ) => `${typeCode}: saveDocumentNumberFormat(input: { projectCode: "HARBOUR", typeCode: "${typeCode}",
      template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}" }) { ... on DocumentNumberFormat { version } }`,
    )} }`,
  );
  await issueNumbers(gateway, { ...DEMO_SERIES, projectCode: 'HARBOUR', count: 3 });
  await repeat(30, (index) => `createProject${coded(`P${index}`)}`);
  await repeat(150, (index) => `createOrganization${coded(`ORG${index}`)}`);
  await repeat(50, () => 'requestTrip(input: {}) { ... on Trip { id } }');
});

async function statusOf(number: string, projectCode: string): Promise<string> {
  const { documentNumber } = await fixture.gateway.ask<{ documentNumber: { status: string } }>(
    'query ($by: DocumentNumberBy!) { documentNumber(by: $by) { status } }',
    { variables: { by: { number: { number, projectCode } } } },
  );
  return documentNumber.status;
}

test("a link leads to its project's number, and voiding it leaves another project's alone", async () => {
  await using watched = await fixture.visit('/load');
  const { page, complaints } = watched;
  const organization = page.getByLabel('Organization');
  await organization.waitFor();
  // Until the gateway has answered what a text stands for, none is chosen.
  const release = await holdCalls(page, 'organizations');
  await organization.fill('TEAM');
  const issue = page.getByRole('button', { name: 'Issue 100 at once' });
  expect(await issue.isDisabled()).toBe(true);
  await release();
  await issue.click();
  await hundredIssued(page);
  await page.getByRole('link', { name: NUMBER }).click();
  await page.getByText('Project DEMO').waitFor();
  await page.getByRole('button', { name: 'Void this number…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/ of project DEMO \(/).waitFor();
  await dialog.getByLabel('Reason').fill('issued for show');
  await dialog.getByRole('button', { name: 'Void this number' }).click();
  await page.getByText(/^Number voided by/).waitFor();
  const number = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  expect([await statusOf(number, 'DEMO'), await statusOf(number, 'HARBOUR')]).toEqual(['VOID', 'ISSUED']);
  expect(complaints).toEqual([]);
});

test('a number without a project is looked up in all of them', async () => {
  const year = new Date().getFullYear();
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, typeCode: 'RFI', count: 1 });
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, projectCode: 'HARBOUR', typeCode: 'RFI', count: 1 });
  await using watched = await fixture.visit('/ledger');
  const { page } = watched;
  await page.getByRole('searchbox', { name: 'Search' }).fill(`team-rfi-str-${year}-0001`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('2 numbers, newest first.').waitFor();
  await page.getByRole('link', { name: /^DEMO · TEAM/ }).waitFor();
  await page.getByRole('link', { name: /^HARBOUR · TEAM/ }).click();
  await page.getByText('Project HARBOUR').waitFor();
  await page.goto(`${fixture.gateway.origin}/ledger/TEAM-RFI-STR-${year}-0099`);
  await page.getByText('There is no such number in your projects').waitFor();
});

test('a number being left does not lead back while the next view is loading', async () => {
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, typeCode: 'MEMO', count: 1 });
  await using watched = await fixture.visit(`/ledger/TEAM-MEMO-STR-${new Date().getFullYear()}-0001`);
  const { page } = watched;
  await page.waitForURL('**?project=DEMO');
  const polled = () => page.waitForResponse((response) => response.url().endsWith('?poll'));
  await page.route('**/assets/nodes-view-*.js', async (route) => {
    for (let times = 0; times < 3; times += 1) await polled();
    await route.continue();
  });
  await page.getByRole('link', { name: 'Nodes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Nodes' }).waitFor();
});

test('a code beyond the first hundred is chosen by typing it', async () => {
  await using watched = await fixture.visit('/ledger');
  const { page, complaints } = watched;
  const filter = page.getByRole('region', { name: 'Filter' });
  await filter.getByLabel('Organization').fill('tea');
  await filter.locator('datalist option[value="TEAM"]').waitFor({ state: 'attached' });
  await filter.getByLabel('Organization').fill('TEAM');
  await page.waitForURL('**/ledger?organizationCode=TEAM');
  await page
    .getByRole('link', { name: /TEAM-RFA-STR/ })
    .first()
    .waitFor();
  await filter.getByLabel('Organization').fill('NOBODY');
  await filter.getByText('No code begins like this.').waitFor();
  await filter.getByLabel('Organization').fill('');
  await page.waitForURL('**/ledger');
  const take = page.locator('section', { hasText: 'Take a number' });
  await take.getByLabel('Organization').fill('ORG7');
  await take.locator('.hint', { hasText: 'One of many' }).waitFor();
  await take.getByRole('button', { name: 'Issue' }).click();
  await take.getByRole('link', { name: /^DEMO · ORG7-/ }).waitFor();
  expect(complaints).toEqual([]);
});

test('trips beyond the newest twenty are on the next pages', async () => {
  await using watched = await fixture.visit('/trips');
  const { page } = watched;
  await page.getByText('Rows 1 to 20').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('Rows 21 to 40').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText(/^Rows 41 to/).waitFor();
});
