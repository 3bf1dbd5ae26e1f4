import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { nodeMap, placeOfNode } from './browser.js';
import { holdCalls, isCallOf, polledTwice } from './calls.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES, issueNumbers } from './demo-series.js';

/** What each view is for, on a demo gateway. */
const NUMBER = 'TEAM-RFA-STR-2026-0001';
const fixture = consoleOfFile();

beforeAll(async () => {
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, count: 120, date: '2026-11-22' });
});

/** Opens the form to import a register, once the list above it is there: it moves the form away from the pointer. */
async function openImport(page: Page): Promise<Locator> {
  await page.getByText('Rows 1 to 50').waitFor();
  await page.getByText('Import an older register').click();
  return page.locator('details', { hasText: 'Import an older register' });
}

describe('the console in demo mode', () => {
  test('the overview shows what works, the process that it shows by name, and the state of the stores', async () => {
    await using watched = await fixture.visit('/');
    const { page, complaints } = watched;
    await page.getByRole('heading', { name: 'System status' }).waitFor();
    await page.getByRole('cell', { name: 'Document numbers' }).waitFor();
    expect(await page.getByRole('cell', { name: 'works', exact: true }).count()).toBe(7);
    expect(await page.getByText('available', { exact: true }).count()).toBe(3);
    expect(await page.getByRole('img', { name: /over the last hour/ }).count()).toBe(4);
    await page.getByText(/This is process \S+:\d+, which started/).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an ID in any spelling is decoded, with the holder of its node', async () => {
    await using watched = await fixture.visit('/nodes');
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByText(/Node \d+ was held by/).waitFor();
    expect(page.url()).toMatch(/\/nodes\/\d{15,20}$/);
    const hex = await page
      .getByRole('row', { name: /hexadecimal/ })
      .locator('code')
      .textContent();
    await page.getByLabel('An ID in any spelling').fill(hex ?? '');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByRole('heading', { name: 'Read as hexadecimal' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Read as decimal' }).waitFor();
    await page.getByLabel('An ID in any spelling').fill('not an ID!');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('is not an ID in any spelling').waitFor();
    await page.getByLabel('An ID in any spelling').fill('hello');
    await page.getByRole('button', { name: 'Decode' }).click();
    await page.getByText('Probably not an ID').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a counter whose year ends before its numbers do is not said to be full on a day', async () => {
    await using watched = await fixture.visit('/counters');
    await watched.page.getByRole('cell', { name: 'not in 2026' }).first().waitFor();
  });

  test('a gateway that cannot be broken is asked once, and again on request', async () => {
    await using watched = await fixture.visit('/');
    const { page } = watched;
    let askCount = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/demo/break')) askCount += 1;
    });
    await page.getByRole('link', { name: 'Break it' }).click();
    await page.getByText('This gateway has stores that others may use.').waitFor();
    await polledTwice(page);
    expect(askCount).toBe(1);
    const asked = page.waitForRequest('**/demo/break');
    await page.getByRole('button', { name: 'Try again' }).click();
    await asked;
  });

  test('an address that is none is explained', async () => {
    await using watched = await fixture.visit('/nothing-of-ours');
    await watched.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test('the map shows all 1,024 nodes, and the holder of a node on hover and click', async () => {
    await using watched = await fixture.visit('/nodes');
    const { page } = watched;
    await page.getByRole('img', { name: '1024 nodes, 1 of them held' }).waitFor();
    const map = nodeMap(page);
    const shapes = await map
      .locator('path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
    expect(shapes.map((shape) => shape?.split('M').length)).toEqual([1_024, 2]);
    await map.hover({ position: await placeOfNode(page, 0) });
    expect(await map.locator('title').textContent()).toBe('Node 0: never used');
    await map.click({ position: await placeOfNode(page, 700) });
    await page.getByText('Node 700 is free, and was never used.').waitFor();
    await page.getByLabel('Node, 0 to 1023').fill('1023');
    await page.getByText(/Node 1023 is held by/).waitFor();
    expect(await page.locator('table').count()).toBe(0);
    await page.getByText('Show as table').click();
    await page.getByRole('cell', { name: 'held', exact: true }).waitFor();
  });

  test('the ledger has pages and filters, and each state has its own address', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    await page.getByText('Rows 1 to 50').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Rows 51 to 100').waitFor();
    await page.getByLabel('Status').selectOption('VOID');
    await page.getByText('No numbers match these filters').waitFor();
    expect(page.url()).toMatch(/\/ledger\?status=VOID$/);
    await page.goBack();
    await page.getByText('Rows 1 to 50').waitFor();
    await page.getByRole('button', { name: 'Check the ledger' }).click();
    await page.getByText('No problems found in all projects you may see').waitFor();
    await page.getByRole('region', { name: 'Filter' }).getByLabel('Project').selectOption('DEMO');
    await page.getByText('No problems found').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check the ledger' }).click();
    await page.getByText('No problems found in project DEMO').waitFor();
    expect(complaints).toEqual([]);
  });

  test('the ledger can be downloaded', async () => {
    await using watched = await fixture.visit('/ledger?projectCode=DEMO');
    const { page } = watched;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const file = await download.createReadStream();
    let text = '';
    for await (const chunk of file) text += String(chunk);
    expect(text.trim().split('\n')).toHaveLength(121);
  });

  test('a number is voided once, with a reason, and its history shows by whom and why', async () => {
    await using watched = await fixture.visit(`/ledger/${NUMBER}`);
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Void this number…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${NUMBER} of project DEMO`).waitFor();
    expect(await page.title()).toBe(`${NUMBER} · Solegate`);
    expect(await dialog.getByRole('button', { name: 'Void this number' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('drawn for the wrong discipline');
    await dialog.getByRole('button', { name: 'Void this number' }).click();
    await page.getByText('number voided by Anong: drawn for the wrong discipline').waitFor();
    expect(await page.getByRole('button', { name: 'Void this number…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Copy the number' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(NUMBER);
    expect(complaints).toEqual([]);
  });

  test('a number that does not exist is reported as such', async () => {
    await using watched = await fixture.visit('/ledger/NOBODY-0001');
    await watched.page.getByText('There is no such number').waitFor();
  });

  test('a series is blocked with a reason and unblocked; numbers are skipped permanently', async () => {
    await using watched = await fixture.visit('/counters');
    const { page, complaints } = watched;
    await page.getByRole('img', { name: /Used of 9,999/ }).waitFor();
    await page.getByRole('button', { name: 'Block MEMO…' }).click();
    await page.getByLabel('Reason').fill('replaced by RFI');
    await page.getByRole('dialog').getByRole('button', { name: 'Block MEMO' }).click();
    await page.getByText('blocked: replaced by RFI').waitFor();
    await page.getByRole('button', { name: 'Open MEMO' }).click();
    await page.getByRole('button', { name: 'Block MEMO…' }).waitFor();

    const correct = page.locator('section', { hasText: 'Correct a counter' });
    await correct.getByLabel('Type').selectOption('RFI');
    await correct.getByLabel('Skip up to').fill('5');
    await page.getByRole('button', { name: 'Skip up to 5…' }).click();
    await page.getByLabel('Reason').fill('on paper already');
    await page.getByRole('dialog').getByRole('button', { name: 'Skip up to 5' }).click();
    await page.getByText('5 numbers recorded as cancelled.').waitFor();
    await page.getByRole('button', { name: 'Accept after a restore…' }).click();
    await page.getByLabel('Reason').fill('restored from the night before');
    await page.getByRole('dialog').getByRole('button', { name: 'Accept after a restore' }).click();
    await page.getByText('The counter is at 5, and no higher number was ever issued.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a period is closed after a confirmation', async () => {
    await using watched = await fixture.visit('/counters');
    const { page, complaints } = watched;
    const define = page.locator('section', { hasText: 'Define or change a series' });
    await define.getByLabel('Project').selectOption('DEMO');
    await define.getByLabel('Type').selectOption('MEMO');
    expect(await define.getByLabel('Time zone').inputValue()).toBe('Asia/Bangkok');
    await define.getByLabel('Closed up to').fill('2020-12-31');
    await page.getByRole('button', { name: 'Close up to 31 Dec 2020…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close up to 31 Dec 2020' }).click();
    await page.getByText('DEMO · MEMO is defined.').waitFor();
    await page.getByRole('cell', { name: '31 Dec 2020' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a number is issued, reserved and confirmed or cancelled, chosen, and replaced', async () => {
    await using watched = await fixture.visit('/ledger?organizationCode=OWN');
    const { page, complaints } = watched;
    const take = page.locator('section', { hasText: 'Take a number' });
    const numbered = (sequence: string) => take.locator('li', { hasText: new RegExp(`-${sequence}`) });
    await take.getByRole('button', { name: 'Issue' }).click();
    await numbered('0001').getByText('issued').waitFor();
    await page.getByText('Rows 1 to 1').waitFor();

    await take.getByLabel('How').selectOption('reserve 5 min');
    await take.getByRole('button', { name: 'Reserve' }).click();
    await numbered('0002').getByRole('button', { name: 'Confirm' }).click();
    await numbered('0002').getByText('confirmed').waitFor();
    await take.getByRole('button', { name: 'Reserve' }).click();
    await numbered('0003')
      .getByRole('button', { name: /^Cancel/ })
      .click();
    await page.getByRole('dialog').getByLabel('Reason').fill('no document came of it');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await numbered('0003').getByText('cancelled', { exact: true }).waitFor();

    await take.getByLabel('How').selectOption('choose number');
    await take.getByLabel('Sequence').fill('7');
    await take.getByRole('button', { name: 'Assign 7…' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('printed on paper already');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign 7' }).click();
    await numbered('0007').getByText('assigned').waitFor();

    await numbered('0007').getByRole('link').click();
    await page.getByRole('button', { name: 'Replace this number…' }).click();
    await page.getByLabel('Reason').fill('wrong discipline');
    await page.getByRole('dialog').getByRole('button', { name: 'Replace this number' }).click();
    await page.getByText(/^Replaced by/).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an existing register is checked row by row, then imported completely or not at all', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    const importing = await openImport(page);
    await importing.getByLabel('Project').selectOption('DEMO');
    await importing.getByLabel(/^Rows/).fill('RFI,CON,ARC,2026-01-05,1\nRFI,CON,ARC,2026-01-06,3');
    await importing.getByRole('button', { name: 'Check the rows' }).click();
    await importing.getByText('1 problem; nothing was stored').waitFor();
    expect(await importing.getByRole('button', { name: 'Import rows' }).isDisabled()).toBe(true);
    await importing.getByLabel('Record gaps as cancelled').check();
    await importing.getByRole('button', { name: 'Check the rows' }).click();
    await importing.getByText('2 rows can be imported, 1 recorded as cancelled.').waitFor();
    await importing.getByRole('button', { name: 'Import rows…' }).click();
    await page
      .getByText('This imports 2 rows into project DEMO, and records 1 missing number as cancelled.')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Import rows' }).click();
    await importing.getByText('2 numbers imported, 1 recorded as cancelled.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a number in an imported register keeps its commas, and a problem names its line', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    const importing = await openImport(page);
    const rows = importing.getByLabel(/^Rows/);
    const check = importing.getByRole('button', { name: 'Check the rows' });
    await importing.getByLabel('Project').selectOption('DEMO');
    await rows.fill('\nRFA,OWN,ARC');
    await check.click();
    await importing.getByText('Line 2 is not a valid row').waitFor();
    await rows.fill('\nRFA,OWN,ARC,2024-01-31,1,Letter 1, rev. 0\n\nRFA,OWN,ARC,2024-01-31,1,Letter 2');
    await check.click();
    await importing.getByRole('row', { name: /^4 / }).waitFor();
    await rows.fill(
      '\nRFA,OWN,ARC,2024-01-31,1,Letter 1, rev. 0\n\nRFA;OWN;ARC;2024-02-01;2;Letter 2,1; rev. A,;;',
    );
    await check.click();
    await importing.getByText('2 rows can be imported.').waitFor();
    await importing.getByRole('button', { name: 'Import rows…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import rows' }).click();
    await importing.getByText('2 numbers imported.').waitFor();
    for (const number of ['Letter 1, rev. 0', 'Letter 2,1; rev. A,']) {
      await page.goto(`${fixture.gateway.origin}/ledger/${encodeURIComponent(number)}?project=DEMO`);
      await page.getByText('Business date').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  test('a register that is changed is checked again, and one that was imported meanwhile is refused', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    const importing = await openImport(page);
    const check = importing.getByRole('button', { name: 'Check the rows' });
    await importing.getByLabel('Project').selectOption('DEMO');
    await importing.getByLabel(/^Rows/).fill('MEMO,CON,ARC,2026-01-05,2');
    const release = await holdCalls(page, 'importDocumentNumbers');
    await check.click();
    expect(await check.isDisabled()).toBe(true);
    await importing.getByLabel(/^Rows/).fill('MEMO,CON,ARC,2026-01-05,1');
    await release();
    expect(await importing.getByText('problem').count()).toBe(0);
    await check.click();
    await importing.getByText('1 row can be imported.').waitFor();
    await fixture.gateway.ask(
      `mutation { importDocumentNumbers(input: { projectCode: "DEMO", rows: [{ typeCode: "MEMO",
        organizationCode: "CON", disciplineCode: "ARC", date: "2026-01-05", sequence: 1 }] }) { __typename } }`,
    );
    await importing.getByRole('button', { name: 'Import rows…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import rows' }).click();
    await importing.getByText('1 problem; nothing was stored by this attempt').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a template is checked while it is typed, its error is marked in place, and it is saved', async () => {
    await using watched = await fixture.visit('/formats/DEMO/MEMO');
    const { page, complaints } = watched;
    const template = page.getByLabel('Template');
    await template.fill('{ORG}-{TYPE}-{DISCIPLIN}-{YEAR}-{SEQ:4}');
    await page.locator('mark', { hasText: '{DISCIPLIN}' }).waitFor();
    await template.fill('{ORG}-{TYPE}-{YEAR}-{SEQ:4}');
    await page
      .locator('.notice.limit')
      .getByText(/DISCIPLINE/)
      .waitFor();
    await template.fill('{TYPE}-{ORG}-{DISCIPLINE}-{YEAR}-{SEQ:5}');
    await page.getByText('Ready to save as version 2.').waitFor();
    await page.getByText(/^MEMO-TEAM-STR-\d{4}-00001$/).waitFor();
    const preview = page.waitForRequest((request) => isCallOf('documentNumberPreview', request));
    await page.getByRole('button', { name: 'Save the next version' }).click();
    await page.getByText('Saved as version 2').waitFor();
    await preview;
    await page.getByText('This is version 2, the newest.').waitFor();
    expect(await page.getByRole('button', { name: 'Save the next version' }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('the next number is that of the chosen series, or why there is none', async () => {
    await using watched = await fixture.visit('/formats/DEMO/RFA');
    const { page } = watched;
    const next = page.getByText('Next in the current format: TEAM-');
    await next.waitFor();
    const release = await holdCalls(page, 'documentNumberPreview');
    await page.getByLabel('Organization').selectOption('OWN');
    await next.waitFor({ state: 'detached' });
    await release();
    await page.getByText('Next in the current format: OWN-').waitFor();
    await page.unrouteAll();
    await page.route('**/graphql', (route) =>
      isCallOf('documentNumberPreview', route.request())
        ? route.fulfill({ status: 404, body: 'not here' })
        : route.fallback(),
    );
    await page.getByLabel('Organization').selectOption('CON');
    await page.getByRole('alert').getByText('responded with HTTP 404').waitFor();
  });

  test('a user with fewer rights sees less', async () => {
    await using watched = await fixture.visit('/');
    const { page } = watched;
    await page.getByLabel('Act as').selectOption('driver-1');
    const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    await page.getByText('Choose a view.').waitFor();
    expect(await views.allTextContents()).toEqual(['Overview', 'Trips', 'Nodes', 'API']);
  });
});
