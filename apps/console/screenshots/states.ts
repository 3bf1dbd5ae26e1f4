import type { Page } from 'playwright-core';
import { NUMBER, rows, type Shot, shown, URL_OF_CONSOLE } from './shot.js';

/** Views that are empty, loading, out of order or refused, for others than everyone, or with very many codes. */
export const STATES: readonly Shot[] = [
  {
    name: 'ledger-clerk',
    path: '/ledger',
    user: 'clerk-2',
    async act(page) {
      await rows(page);
      await page.getByRole('button', { name: 'Issue' }).click();
      await page.locator('section', { hasText: 'Take a number' }).getByRole('link').first().waitFor();
    },
  },
  { name: 'ledger-empty', path: '/ledger?status=IMPORTED', act: shown('No numbers match these filters') },
  { name: 'ledger-loading', path: '/ledger', instead: 'NOTHING' },
  { name: 'ledger-error', path: '/ledger', instead: 'ERRORS', act: failure },
  { name: 'ledger-refused', path: '/ledger', instead: 'REFUSALS', act: failure },
  { name: 'ledger-not-loaded', path: '/ledger', instead: 'NO_VIEW', act: shown('could not be loaded') },
  {
    name: 'offline',
    path: '/counters',
    async act(page) {
      await rows(page);
      await page.context().setOffline(true);
      await page.locator('.away').waitFor();
    },
  },
  {
    name: 'number-clerk',
    path: `/ledger/${NUMBER}?project=HARBOUR`,
    user: 'clerk-2',
    act: shown('Number voided'),
  },
  { name: 'number-none', path: '/ledger/NO-SUCH?project=HARBOUR', act: shown('There is no such number') },
  { name: 'overview-loading', path: '/', instead: 'NOTHING' },
  { name: 'overview-error', path: '/', instead: 'ERRORS', act: failure },
  { name: 'trips-driver', path: '/trips', user: 'driver-1', act: shown('Trips') },
  { name: 'trips-error', path: '/trips', instead: 'ERRORS', act: failure },
  { name: 'trip-none', path: '/trips/1234567', act: shown('This trip does not exist') },
  { name: 'trip-loading', path: '/trips/1234567', instead: 'NOTHING' },
  { name: 'nodes-error', path: '/nodes', instead: 'ERRORS', act: failure },
  { name: 'nodes-clerk', path: '/nodes', user: 'clerk-2', act: shown('visible to administrators only') },
  { name: 'load-error', path: '/load', instead: 'ERRORS', act: failure },
  { name: 'counters-clerk', path: '/counters', user: 'clerk-2', act: rows },
  { name: 'counters-error', path: '/counters', instead: 'ERRORS', act: failure },
  {
    name: 'formats-clerk',
    path: '/formats/HARBOUR/RFI',
    user: 'clerk-2',
    act: shown('Only an administrator'),
  },
  { name: 'formats-error', path: '/formats/HARBOUR/RFI', instead: 'ERRORS', act: failure },
  { name: 'codes-clerk', path: '/codes', user: 'clerk-2', act: rows },
  {
    name: 'codes-error',
    path: '/codes',
    async act(page) {
      await page.getByLabel('Code', { exact: true }).fill('no such-code');
      await page.getByLabel('Name').fill('Not allowed');
      await page.getByRole('button', { name: 'Add' }).click();
      await failure(page);
    },
  },
  { name: 'break-before', path: '/break', act: shown('Start the attempts') },
  {
    name: 'number-projects',
    path: `/ledger/${NUMBER}`,
    async act(page) {
      await issueForDemo(page);
      await page.goto(`${URL_OF_CONSOLE}/ledger/${NUMBER}`);
      await page.locator('tbody tr').nth(1).waitFor();
    },
  },
  // With more codes than a list can have, and names as long as they may be. They stay, so this is the last.
  {
    name: 'many-codes',
    path: '/codes?kind=organizations',
    async act(page) {
      await addCodes(page);
      await page.reload();
      await rows(page);
    },
  },
  {
    name: 'many-ledger',
    path: '/ledger?projectCode=PROJECT_29',
    act: shown('No numbers match these filters'),
  },
  {
    name: 'many-load',
    path: '/load',
    async act(page) {
      await page.getByLabel('Project').selectOption('PROJECT_29');
      await page.getByLabel('Organization').fill('ORGANIZATION_14');
      await page.getByRole('button', { name: 'Issue 100 at once' }).waitFor();
    },
  },
];

async function failure(page: Page): Promise<void> {
  await page.getByRole('alert').first().waitFor();
}

/** Calls the gateway as everyone. */
async function ask(page: Page, query: string): Promise<void> {
  const answer = await page.request.post(`${URL_OF_CONSOLE}/graphql`, { data: { query } });
  if (!answer.ok()) throw new Error(await answer.text());
}

/** The same number in a second project. */
async function issueForDemo(page: Page): Promise<void> {
  const series =
    'projectCode: "DEMO", organizationCode: "CON", typeCode: "RFA", disciplineCode: "STR", count: 4';
  await ask(page, `mutation { issueDocumentNumbers(input: { ${series} }) { __typename } }`);
}

async function addCodes(page: Page): Promise<void> {
  const name = 'A name of eighty characters, as long ones are, with the place and legal form, Ltd.';
  for (const [kind, count] of [
    ['Organization', 150],
    ['Project', 30],
  ] as const) {
    for (let first = 0; first < count; first += 10) {
      const calls = Array.from({ length: 10 }, (_, index) => {
        const input = `{ code: "${kind.toUpperCase()}_${first + index}", name: "${name}" }`;
        return `_${index}: create${kind}(input: ${input}) { __typename }`;
      });
      await ask(page, `mutation { ${calls.join(' ')} }`);
    }
  }
}
