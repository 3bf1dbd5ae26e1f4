import { beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import type { Locator } from 'playwright-core';
import { hide, search, violationsOf } from './browser.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES, issueNumbers } from './demo-series.js';

/** What the people who work with the page do every day: clerks, dispatchers, operators. */
const fixture = consoleOfFile();
const YEAR = new Date().getFullYear();
const LAST_YEAR = YEAR - 1;

beforeAll(async () => {
  await issueNumbers(fixture.gateway, { ...DEMO_SERIES, count: 120 });
  for (let index = 0; index < 10; index += 1) {
    await issueNumbers(fixture.gateway, { ...DEMO_SERIES, typeCode: 'RFI', count: 120 });
  }
});

describe('a clerk', () => {
  test('finds numbers by their beginning in any case, newest first, and the total stops at a thousand', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    await search(page, 'team-rfa');
    await page.getByText('120 numbers, newest first.').waitFor();
    await page.getByRole('link', { name: `DEMO · TEAM-RFA-STR-${YEAR}-0120` }).waitFor();
    await page.getByText('Rows 1 to 50').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Rows 51 to 100').waitFor();
    await search(page, 'team-');
    await page.getByText('1,000 or more numbers').waitFor();
    expect(page.url()).toMatch(/\/ledger\?text=team-$/);
    await page.goBack();
    await page.getByText('120 numbers, newest first.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await search(page, 'nothing-like-it');
    await page.getByText('No number begins like this').waitFor();
    expect(complaints).toEqual([]);
  });

  test('finds numbers by sequence, date and person', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page } = watched;
    await search(page, '0042');
    await page.getByText('2 numbers, newest first.').waitFor();
    await page.getByLabel('Dated to').fill('2020-12-31');
    await search(page, '0042');
    await page.getByText('No number begins like this').waitFor();
    await page.goto(`${fixture.gateway.origin}/ledger`);
    await search(page, 'anong');
    await page.getByText('Taken by').getByRole('link', { name: 'Anong' }).click();
    await page.waitForURL('**/ledger?actorId=1');
    await page.getByText('Rows 1 to 50').waitFor();
  });

  test('finds and voids a number by keyboard within ten stops', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page } = watched;
    await page.getByText('Rows 1 to 50').waitFor();
    await page.getByRole('link', { name: 'Ledger', exact: true }).focus();
    await page.keyboard.press('Enter');
    let stops = 0;
    const tabTo = async (isThere: () => Promise<boolean>) => {
      while (!(await isThere())) {
        stops += 1;
        if (stops > 10) throw new Error('more than ten stops');
        await page.keyboard.press('Tab');
      }
    };
    await page.locator('main').focus();
    await tabTo(() => page.evaluate(() => document.activeElement?.getAttribute('type') === 'search'));
    await page.keyboard.type(`team-rfa-str-${YEAR}-0100`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `TEAM-RFA-STR-${YEAR}-0100` }).waitFor();
    await page.getByRole('button', { name: 'Void this number…' }).waitFor();
    await tabTo(() =>
      page.evaluate(() => document.activeElement?.textContent?.trim() === 'Void this number…'),
    );
    await page.keyboard.press('Enter');
    await page.keyboard.type('found and voided by keyboard');
    await page.keyboard.press('Enter');
    await page.getByText('number voided by Anong: found and voided by keyboard').waitFor();
  });

  test('sees who voided a number first, after being refused', async () => {
    const address = `/ledger/TEAM-RFA-STR-${YEAR}-0101?project=DEMO`;
    await using first = await fixture.visit(address);
    await using second = await fixture.visit(address);
    for (const [{ page }, reason] of [
      [first, 'by the first'],
      [second, 'by the second'],
    ] as const) {
      await page.getByRole('button', { name: 'Void this number…' }).click();
      await page.keyboard.type(reason);
    }
    await first.page.keyboard.press('Enter');
    await first.page.getByText('Number voided by Anong: by the first').waitFor();
    await second.page.keyboard.press('Enter');
    await second.page.getByRole('alert').getByText('is void').waitFor();
    await second.page.getByRole('button', { name: 'Go back' }).click();
    await second.page.getByText('Number voided by Anong: by the first').waitFor();
  });

  test('opens a number in a hidden tab, where it is loaded', async () => {
    await using watched = await fixture.visit('/');
    const { page, complaints } = watched;
    await hide(page);
    await page.goto(`${fixture.gateway.origin}/ledger/TEAM-RFA-STR-${YEAR}-0003?project=DEMO`);
    await page.getByText('Business date').waitFor();
    await page.getByText('Taken by Anong').waitFor();
    expect(complaints).toEqual([]);
  });

  test('reads that a view is loading', async () => {
    await using watched = await fixture.visit('/');
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    // Never delivered.
    await page.route(/codes-view.*\.js$/, () => {});
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.getByRole('main').filter({ hasText: /^$/ }).waitFor();
    const words = await page.evaluate(
      () => getComputedStyle(document.querySelector('main') as Element, '::before').content,
    );
    expect(words).toBe('"Loading …"');
  });

  test('sees who may void a number, define a series or add a code', async () => {
    await using watched = await fixture.visit(`/ledger/TEAM-RFA-STR-${YEAR}-0001?project=DEMO`);
    const { page } = watched;
    await page.getByLabel('Act as').selectOption('clerk-2');
    await page.getByText('Only an administrator can void or replace this number.').waitFor();
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.getByText('Only an administrator can add a code').waitFor();
    await page.getByRole('link', { name: 'Counters' }).click();
    await page.getByText('Only an administrator can define').waitFor();
    await page.getByRole('link', { name: 'Formats' }).click();
    await page.getByText('Only an administrator can save a format.').waitFor();
  });

  test('adds a project, renames it, gives it a default format and a series of fiscal years', async () => {
    await using watched = await fixture.visit('/codes');
    const { page, complaints } = watched;
    await page.getByLabel('Code', { exact: true }).fill('QUAY');
    await page.getByLabel('Name').fill('The quay');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Rename QUAY' }).click();
    await page.getByLabel('Name').fill('The old quay');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('cell', { name: 'The old quay' }).waitFor();
    await page.goto(`${fixture.gateway.origin}/formats/QUAY/RFA`);
    await page.getByLabel('By default').fill('{PROJECT}-{ORG}-{TYPE}-{DISCIPLINE}-{FISCAL_YEAR}-{SEQ:4}');
    await page.getByRole('button', { name: 'Save the default…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save the default' }).click();
    await page.getByText('Saved for QUAY').waitFor();
    await page.goto(`${fixture.gateway.origin}/counters`);
    const define = page.locator('section', { hasText: 'Define or change a series' });
    await define.getByLabel('Project').selectOption('QUAY');
    await define.getByLabel('Type').selectOption('RFA');
    await define.getByLabel('Resets').selectOption('FISCAL_YEAR');
    await define.getByLabel('Fiscal year starts in').selectOption('October');
    expect(await define.getByRole('button', { name: 'Define…' }).isDisabled()).toBe(true);
    await define.getByLabel('Time zone').fill('Asia/Bangkok');
    await define.getByRole('button', { name: 'Define…' }).click();
    await page.getByText('restarts each fiscal year, which starts in October').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Define' }).click();
    await page.getByText('QUAY · RFA is defined.').waitFor();
    await page.getByRole('row', { name: /QUAY · RFA each fiscal year/ }).waitFor();
    // The next series of the project begins with the calendar of the first.
    await define.getByLabel('Closed up to').fill('2020-12-31');
    await define.getByLabel('Type').selectOption('RFI');
    expect(await define.getByLabel('Time zone').inputValue()).toBe('Asia/Bangkok');
    expect(await define.getByLabel('Fiscal year starts in').inputValue()).toBe('10');
    expect(await define.getByLabel('Closed up to').inputValue()).toBe('');
    // The series was not there yet.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
  });
});

describe('a dispatcher', () => {
  test('sees late offers first, offers a trip again, and cancels it, which its history says', async () => {
    const { gateway } = fixture;
    const request = async (seconds: number, rider: string) => {
      const { requestTrip } = await gateway.ask<{ requestTrip: { id: string } }>(
        `mutation { requestTrip(input: { offerTtlMs: ${seconds * 1_000}, offeredTo: ["77"] }) { ... on Trip { id } } }`,
        { headers: { 'x-demo-user': rider } },
      );
      return requestTrip.id;
    };
    const late = await request(900, 'rider-71');
    await request(1_800, 'rider-72');
    await using watched = await fixture.visit('/trips');
    const { page, complaints } = watched;
    await page.getByLabel('Act as').selectOption('admin-1');
    await page.getByLabel('Rider (ID)').fill('72');
    await page.getByRole('link', { name: late }).waitFor({ state: 'detached' });
    await page.getByLabel('Rider (ID)').fill('');
    await page.getByLabel('Order').selectOption('LATE');
    const open = page.getByRole('region', { name: 'Open trips by the end of their offers' });
    await open.getByRole('link', { name: late }).click();
    await page.getByRole('cell', { name: '77', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Offer to every driver' }).click();
    await page.getByRole('cell', { name: 'every driver' }).waitFor();
    await page.getByRole('button', { name: 'Cancel for both…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel for both' }).click();
    await page.getByText('Cancelled · by a dispatcher').waitFor();
    await page.getByRole('button', { name: 'Cancel for both…' }).waitFor({ state: 'detached' });
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** On a busy machine a list above the button can be drawn while it is pressed, and move it away: then it is pressed again. */
const pressUntil = (button: Locator, shown: Locator): Promise<boolean> =>
  until(async () => {
    if (!(await shown.isVisible())) await button.click({ timeout: 10_000 });
    await shown.waitFor({ timeout: 10_000 });
    return true;
  });

describe('an operator', () => {
  test('sees all processes with their nodes, the memory of Redis and the marks that wait', async () => {
    await using watched = await fixture.visit('/');
    const { page } = watched;
    await page.getByRole('row', { name: /answers now/ }).waitFor();
    await page.locator('dl.facts > div', { hasText: 'Memory of Redis' }).getByText(/MB/).waitFor();
    await page.locator('dl.facts > div', { hasText: 'Marks waiting' }).getByText('none').waitFor();
  });

  test('corrects a counter that a restore set back, in the period that the check names', async () => {
    const series = { ...DEMO_SERIES, organizationCode: 'CON' };
    await issueNumbers(fixture.gateway, { ...series, count: 5, date: `${LAST_YEAR}-03-31` });
    await issueNumbers(fixture.gateway, { ...series, count: 2 });
    await fixture.database.pool.query(`
      BEGIN; SET LOCAL session_replication_role = replica;
      DELETE FROM document_numbers WHERE sequence > 1 AND number LIKE 'CON-RFA-STR-${LAST_YEAR}-%';
      UPDATE document_number_counters SET last_number = 1 WHERE id =
        (SELECT counter_id FROM document_numbers WHERE number = 'CON-RFA-STR-${LAST_YEAR}-0001');
      COMMIT`);
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    const advice = page
      .getByText(`${LAST_YEAR} is at 1, but 5 was already issued`)
      .filter({ hasText: 'skip to 5 in the counters view with a business date in that period' });
    await pressUntil(page.getByRole('button', { name: 'Check the ledger' }), advice);
    await page.getByRole('link', { name: 'Counters' }).click();
    const correct = page.locator('section', { hasText: 'Correct a counter' });
    await correct.getByLabel('Organization').selectOption('CON');
    await correct.getByLabel('Business date').fill(`${LAST_YEAR}-12-31`);
    await correct.getByLabel('Skip up to').fill('5');
    const dialog = page.getByRole('dialog');
    await pressUntil(
      correct.getByRole('button', { name: 'Skip up to 5…' }),
      dialog.getByText(`DEMO · CON · RFA · STR in the period of 31 Dec ${LAST_YEAR} up to 5`),
    );
    await dialog.getByLabel('Reason').fill('restored from the night before');
    await dialog.getByRole('button', { name: 'Skip up to 5' }).click();
    await page.getByText('4 numbers recorded as cancelled.').waitFor();
    await pressUntil(
      correct.getByRole('button', { name: 'Accept after a restore…' }),
      dialog.getByText(`The counter of DEMO · CON · RFA · STR in the period of 31 Dec ${LAST_YEAR}`),
    );
    await dialog.getByLabel('Reason').fill('to see the counter');
    await dialog.getByRole('button', { name: 'Accept after a restore' }).click();
    await page.getByText('The counter is at 5, and no higher number was ever issued.').waitFor();
    const { rows } = await fixture.database.pool.query(
      `SELECT c.period, c.last_number::int AS last FROM document_number_counters c WHERE EXISTS
        (SELECT FROM document_numbers n WHERE n.counter_id = c.id AND n.number LIKE 'CON-RFA-STR-%') ORDER BY c.period`,
    );
    expect(rows.map(({ last }) => last)).toEqual([5, 2]);
    expect(complaints).toEqual([]);
  });

  test('sees a format that prints more digits as it was saved', async () => {
    const created = ['createCorrespondenceType(input: { code: "NOTE", name: "Note" })'];
    created.push(`saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "NOTE", overflow: WIDEN,
      template: "{ORG}/{TYPE}/{DISCIPLINE}/{YEAR}/{SEQ:2}" })`);
    for (const call of created) await fixture.gateway.ask(`mutation { ${call} { __typename } }`);
    await using watched = await fixture.visit('/formats/DEMO/NOTE');
    const { page, complaints } = watched;
    await page.getByText('This is version 1, the newest.').waitFor();
    await page.getByRole('cell', { name: 'print more digits' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
