import type { Page } from 'playwright-core';
import { NUMBER, rows, type Shot, shown } from './shot.js';

/** Until the attempts to break it have figures to show. */
const ATTEMPTS_MS = 30_000;

/** Every view, as everyone at once sees it. */
export const VIEWS: readonly Shot[] = [
  { name: 'overview', path: '/', act: shown('System status') },
  {
    name: 'overview-driver',
    path: '/',
    async act(page) {
      await page.getByLabel('Act as').selectOption('driver-1');
      await page.getByText('Choose a view.').waitFor();
    },
  },
  {
    name: 'load',
    path: '/load',
    async act(page) {
      await page.getByRole('button', { name: 'Issue 100 at once' }).click();
      await page.getByRole('img', { name: /Latency/ }).waitFor();
    },
  },
  { name: 'trips', path: '/trips', act: race },
  {
    name: 'trips-late',
    path: '/trips',
    async act(page) {
      await page.getByLabel('Order').selectOption('LATE');
      await rows(page);
    },
  },
  {
    name: 'trip',
    path: '/trips',
    async act(page) {
      await race(page);
      await page.getByRole('region', { name: 'Trips, newest first' }).getByRole('link').first().click();
      await page.getByText('Accepted by a driver').waitFor();
      await page.getByRole('region', { name: 'Offers, step by step' }).waitFor();
    },
  },
  {
    name: 'trip-open',
    path: '/trips',
    async act(page) {
      await page.getByRole('button', { name: 'Request a trip only' }).click();
      await page.getByRole('button', { name: 'Offer to every driver' }).click();
      await page.getByText('Offered to more drivers').waitFor();
    },
  },
  { name: 'nodes', path: '/nodes', act: generateId },
  {
    name: 'nodes-none',
    path: '/nodes',
    async act(page) {
      await page.getByLabel('An ID in any spelling').fill('hello');
      await page.getByRole('button', { name: 'Decode' }).click();
      await page.getByText('Probably not an ID').waitFor();
    },
  },
  {
    name: 'ledger',
    path: '/ledger?projectCode=HARBOUR&status=VOID',
    async act(page) {
      await rows(page);
      await page.getByLabel('How').selectOption('reserve 5 min');
      await page.getByRole('button', { name: 'Reserve' }).click();
      await page.getByRole('button', { name: 'Confirm' }).waitFor();
      await page.getByRole('button', { name: 'Check the ledger' }).click();
      await page.locator('.notice').first().waitFor();
      await page.getByText('Import an older register').click();
      await page.getByLabel(/^Rows/).fill('RFI,CON,ARC,2026-01-05,1\nRFI,CON,ARC,2026-01-06,3');
      await page.locator('details').getByLabel('Project').selectOption('DEMO');
      await page.getByRole('button', { name: 'Check the rows' }).click();
      await page.getByText('nothing was stored').waitFor();
    },
  },
  { name: 'search', path: '/ledger?text=con-rfa', act: rows },
  { name: 'search-none', path: '/ledger?text=nothing-like-it', act: shown('No number begins like this') },
  { name: 'number', path: `/ledger/${NUMBER}?project=HARBOUR`, act: shown('Number voided') },
  {
    name: 'number-void',
    path: '/ledger/CON-RFA-STR-2026-0005?project=HARBOUR',
    async act(page) {
      await page.getByRole('button', { name: 'Replace this number…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'counters',
    path: '/counters',
    async act(page) {
      const define = page.locator('section', { hasText: 'Define or change a series' });
      await define.getByLabel('Project').selectOption('HARBOUR');
      await page
        .getByRole('img', { name: /Used of/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'formats',
    path: '/formats/HARBOUR/RFI',
    async act(page) {
      await page.getByLabel('Template').fill('{PROJECT}-{TYPE}-{ORG}-{DISCIPLIN}-{YY}-{SEQ:3}');
      await page.locator('mark').waitFor();
    },
  },
  { name: 'codes', path: '/codes?kind=organizations', act: rows },
  {
    name: 'api',
    path: '/api',
    async act(page) {
      await page.getByLabel('Operation').selectOption({ label: 'Read the ledger · auditor-3' });
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('HTTP 200').waitFor();
    },
  },
  { name: 'api-type', path: '/api?type=DocumentNumber', act: shown('Schema') },
  { name: 'missing', path: '/nothing-of-ours', act: shown('Page not found') },
  {
    name: 'break',
    path: '/break',
    async act(page) {
      await page.getByRole('button', { name: 'Start the attempts' }).click();
      const attempts = page.locator('section', { hasText: 'Attempts so far' });
      await attempts.locator('.facts > div', { hasText: 'Races' }).getByText(/[1-9]/).waitFor();
      await page.getByRole('button', { name: 'Stop Redis for ten seconds' }).click();
      await page.getByText('Redis does not answer').waitFor();
    },
    end: endAttempts,
  },
  { name: 'break-ended', path: '/break', act: shown('Attempts of the last run') },
  {
    name: 'overview-away',
    path: '/break',
    async act(page) {
      await page.getByRole('button', { name: 'Stop Redis for ten seconds' }).click();
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.locator('main .notice').first().waitFor();
    },
    end: (page) => page.locator('.away').waitFor({ state: 'detached', timeout: 60_000 }),
  },
];

/** Those of the project's README: one window, not the whole page. */
export const README_SHOTS: readonly Shot[] = [
  ...VIEWS.filter(({ name }) => ['load', 'trips', 'nodes'].includes(name)),
  {
    name: 'break',
    path: '/break',
    async act(page) {
      await page.getByRole('button', { name: 'Start the attempts' }).click();
      await page.waitForTimeout(ATTEMPTS_MS);
      await page.getByRole('button', { name: 'Stop Redis for ten seconds' }).click();
      await page.getByText('Redis does not answer').waitFor();
    },
    end: endAttempts,
  },
];

/** The next pictures need a gateway that is at rest. */
async function endAttempts(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'End the attempts' }).click();
  await page.getByText('Attempts of the last run').waitFor({ timeout: 60_000 });
  await page.locator('.away').waitFor({ state: 'detached', timeout: 60_000 });
}

async function race(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Request a trip and race for it' }).click();
  await page.getByText('has the trip:').waitFor();
}

async function generateId(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByText('was held by').waitFor();
}
