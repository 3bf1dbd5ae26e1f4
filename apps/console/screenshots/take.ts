import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Page } from 'playwright-core';
import { openPage } from '../test/browser.js';

/*
 * Takes pictures of every view, light and dark, narrow and wide, of a demo gateway that is already running: `npm start`,
 * then `pnpm --filter @solegate/console screenshots`, with names of pictures to take only those. CONSOLE_URL is the
 * gateway's address. The pictures go to screenshots/pictures; copy the README's four to docs/console by hand after
 * checking them. Use fresh data.
 */

const URL_OF_CONSOLE = process.env.CONSOLE_URL ?? 'http://127.0.0.1:4000';
const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));
/** A phone, a laptop, a wide screen. */
const WIDTHS = [390, 1_280, 1_920];
const HEIGHT = 720;
/** Until the attempts to break it have figures to show. */
const ATTEMPTS_MS = 30_000;
const NUMBER = 'CON-RFA-STR-2026-0004';

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Done before the pictures are taken. */
  readonly act?: (page: Page) => Promise<void>;
  /** Done after them. */
  readonly end?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
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
  { name: 'number', path: `/ledger/${NUMBER}?project=HARBOUR`, act: shown('number voided') },
  { name: 'number-projects', path: `/ledger/${NUMBER}` },
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
  { name: 'api-type', path: '/api?type=DocumentNumber' },
  { name: 'missing', path: '/nothing-of-ours', act: shown('Page not found') },
  {
    name: 'break',
    path: '/break',
    async act(page) {
      await page.getByRole('button', { name: 'Start the attempts' }).click();
      await page.getByText('Processes that call').waitFor();
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
  },
];

/** Those of the project's README: one window, not the whole page. */
const README_SHOTS: readonly Shot[] = [
  ...SHOTS.filter(({ name }) => ['load', 'trips', 'nodes'].includes(name)),
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

function shown(text: string): (page: Page) => Promise<void> {
  return (page) => page.getByText(text).first().waitFor();
}

async function rows(page: Page): Promise<void> {
  await page.locator('tbody tr').first().waitFor();
}

async function race(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Request a trip and race for it' }).click();
  await page.getByText('has the trip:').waitFor();
}

async function generateId(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByText('was held by').waitFor();
}

/** The whole page at each width in both themes, of one visit: what it shows is the same in all six. */
async function take({ name, path, act, end }: Shot): Promise<void> {
  await using watched = await openPage(browser, { url: URL_OF_CONSOLE + path });
  const { page } = watched;
  await act?.(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${PICTURES}${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await end?.(page);
}

async function takeForReadme({ name, path, act, end }: Shot): Promise<void> {
  await using watched = await openPage(browser, { url: URL_OF_CONSOLE + path, width: 1_120 });
  await act?.(watched.page);
  await watched.page.screenshot({ path: `${PICTURES}readme-${name}.png` });
  await end?.(watched.page);
}

const names = new Set(process.argv.slice(2));
const isWanted = ({ name }: Shot): boolean => names.size === 0 || names.has(name);
await mkdir(PICTURES, { recursive: true });
const browser = await launchChromium();
try {
  for (const shot of README_SHOTS.filter(isWanted)) await takeForReadme(shot);
  for (const shot of SHOTS.filter(isWanted)) await take(shot);
} finally {
  await browser.close();
}
