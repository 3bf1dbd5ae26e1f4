import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { SAMPLES } from '../src/views/api/samples.js';
import { writeQuery } from './browser.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES } from './demo-series.js';

/** The API explorer under the content security policy that the gateway sends: every browser error fails the test. */
const fixture = consoleOfFile();

function editorOf(page: Page): Locator {
  return page.getByLabel('GraphQL', { exact: true });
}

/** The focused element, also inside a shadow root. */
function focusedLabel(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.getAttribute('aria-label');
  });
}

describe('the explorer', () => {
  test('runs every demo operation as the right user, without an error', async () => {
    await using watched = await fixture.visit('/api');
    const { page, complaints } = watched;
    for (const [index, { name, user }] of SAMPLES.entries()) {
      await page.getByLabel('Operation').selectOption(String(index));
      await page.getByText('Nothing has been run yet.').waitFor();
      expect(await page.getByLabel('Act as').inputValue()).toBe(user);
      await page.getByRole('button', { name: 'Run' }).click();
      if (name.startsWith('Watch')) {
        await page.getByText('Subscribed; no events yet.').waitFor();
        continue;
      }
      await page.getByText('HTTP 200 after').waitFor();
      const answer = (await page.getByLabel('Answer, as JSON').textContent()) ?? '';
      expect([name, /"data":/.test(answer), /"errors":/.test(answer)]).toEqual([name, true, false]);
    }
    expect(complaints).toEqual([]);
  });

  test('completes a field from the schema, marks and explains an error, and runs on Ctrl-Enter', async () => {
    await using watched = await fixture.visit('/api');
    const { page, complaints } = watched;
    await writeQuery(page, '{ overview { proc');
    // The keyboard accepts a completion only after it has been visible for a moment; the mouse accepts it at once.
    await page.getByRole('option', { name: 'process' }).click();
    await expectText(editorOf(page), /\{ overview \{ process\s*\}\s*\}/);
    await page.keyboard.press('Control+Enter');
    await page.getByText('HTTP 200 after').waitFor();
    expect(await page.getByLabel('Answer, as JSON').textContent()).toMatch(/"process": ".+"/);

    await writeQuery(page, '{ overvew { process } }');
    await page.getByText('Line 1: Cannot query field "overvew" on type "Query"').waitFor();
    await writeQuery(page, '{ overview { process } }');
    await page.getByText('Cannot query field').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });

  test('runs the operation at the cursor with its variables, and reports variables that are not JSON', async () => {
    await using watched = await fixture.visit('/api');
    const { page, complaints } = watched;
    const variables = page.getByLabel('Variables, as JSON');
    await writeQuery(page, 'query One { __typename }');
    await page.keyboard.press('Enter');
    await page.keyboard.type(
      'mutation Two($count: Int!) { generateTsids(count: $count) { ... on TsidsGenerated { ids } } }',
    );
    await variables.click();
    await page.keyboard.type('{ "count": ');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The variables are not valid JSON').waitFor();
    await page.keyboard.type('2');
    await page.keyboard.press('Control+Enter');
    await expectText(page.getByLabel('Answer, as JSON'), /"ids": \[\s*"\d+",\s*"\d+"\s*\]/);
    await editorOf(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Enter');
    await expectText(page.getByLabel('Answer, as JSON'), /"__typename": "Query"/);
    expect(complaints).toEqual([]);
  });

  test('follows a subscription until it is stopped', async () => {
    await using watched = await fixture.visit('/api');
    const { page, complaints } = watched;
    await page.getByLabel('Operation').selectOption({ label: 'Watch numbers being issued · auditor-3' });
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Subscribed; no events yet.').waitFor();
    const issue = () =>
      fixture.gateway.ask(
        'mutation ($input: IssueDocumentNumberInput!) { issueDocumentNumber(input: $input) { __typename } }',
        { variables: { input: DEMO_SERIES } },
      );
    await issue();
    await page.getByText('1 event, newest first').waitFor();
    await issue();
    await page.getByText('2 events, newest first').waitFor();
    await expectText(page.getByLabel('Answer, as JSON'), /"number": "TEAM-RFA-STR-\d{4}-\d{4}"/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });

  test('lets Tab leave the editor, also after Escape has dismissed a completion', async () => {
    await using watched = await fixture.visit('/api');
    const { page } = watched;
    await writeQuery(page, '{ overview { proc');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await page.keyboard.press('Tab');
    expect(await focusedLabel(page)).toBe('Variables, as JSON');
    await page.keyboard.press('Shift+Tab');
    expect(await focusedLabel(page)).toBe('GraphQL');
  });

  test('explains each type at its own address, reached by search, link, or F1', async () => {
    await using watched = await fixture.visit('/api');
    const { page, complaints } = watched;
    await page.getByLabel('Type, field, or word').fill('TripTaken');
    await page.getByRole('link', { name: 'TripTaken', exact: true }).click();
    await page.getByRole('heading', { name: 'Schema › TripTaken' }).waitFor();
    expect(page.url()).toMatch(/\/api\?type=TripTaken$/);
    await page.goBack();
    await page.getByRole('heading', { name: 'Schema', exact: true }).waitFor();
    await writeQuery(page, '{ trip(id: "1") { status } }');
    await page.keyboard.press('Escape');
    for (let steps = 0; steps < 7; steps += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('F1');
    await page.getByRole('heading', { name: 'Schema › TripStatus' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Schema › TripStatus');
    await expectText(editorOf(page), /trip\(id: "1"\)/);
    expect(complaints).toEqual([]);
  });
});

async function expectText(locator: Locator, pattern: RegExp): Promise<void> {
  await locator.filter({ hasText: pattern }).waitFor();
}
