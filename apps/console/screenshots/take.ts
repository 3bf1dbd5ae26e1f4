import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Page } from 'playwright-core';
import { openPage } from '../test/browser.js';

/*
 * Takes pictures of every view, light and dark, narrow and wide, of a demo gateway that is already running: `npm start`,
 * then `pnpm --filter @solegate/console screenshots`. CONSOLE_URL is its address. The pictures go to
 * screenshots/pictures; copy the README's three to docs/console by hand after checking them. Use fresh data.
 */

const URL_OF_CONSOLE = process.env.CONSOLE_URL ?? 'http://127.0.0.1:4000';
const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));
/** A phone, a laptop, a wide screen. */
const WIDTHS = [390, 1_280, 1_920];
/** Those of the project's README: one window, not the whole page. */
const README = new Set(['load', 'trips', 'nodes']);
const NUMBER = 'CON-RFA-STR-2026-0004';

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: 'overview', path: '/', act: (page) => page.getByText('System status').waitFor() },
  {
    name: 'load',
    path: '/load',
    async act(page) {
      await page.getByRole('button', { name: 'Issue 100 at once' }).click();
      await page.getByRole('img', { name: /Latency/ }).waitFor();
    },
  },
  {
    name: 'trips',
    path: '/trips',
    async act(page) {
      await page.getByRole('button', { name: 'Request a trip and race for it' }).click();
      await page.getByText('has the trip:').waitFor();
    },
  },
  {
    name: 'trip',
    path: '/trips',
    async act(page) {
      await page.getByRole('region', { name: 'Trips, newest first' }).getByRole('link').first().click();
      await page.getByText('Revision 1').waitFor();
      await page.getByRole('region', { name: 'Offers, step by step' }).waitFor();
    },
  },
  {
    name: 'break',
    path: '/break',
    async act(page) {
      await page.getByRole('button', { name: 'Start the attempts' }).click();
      await page.getByText('Processes that call').waitFor();
      await page.getByRole('button', { name: 'Stop Redis for ten seconds' }).click();
      await page.getByText('Redis answers nobody until').waitFor();
    },
  },
  {
    name: 'nodes',
    path: '/nodes',
    async act(page) {
      await page.getByRole('button', { name: 'Generate one' }).click();
      await page.getByText('was held by').waitFor();
    },
  },
  { name: 'ledger', path: '/ledger?projectCode=HARBOUR&status=VOID', act: rows },
  { name: 'search', path: '/ledger?text=con-rfa', act: rows },
  { name: 'codes', path: '/codes?kind=organizations', act: rows },
  { name: 'number', path: `/ledger/${NUMBER}`, act: (page) => page.getByText('number voided').waitFor() },
  {
    name: 'counters',
    path: '/counters',
    act: (page) =>
      page
        .getByRole('img', { name: /Used of/ })
        .first()
        .waitFor(),
  },
  {
    name: 'formats',
    path: '/formats/HARBOUR/RFI',
    async act(page) {
      await page.getByLabel('Template').fill('{PROJECT}-{TYPE}-{ORG}-{DISCIPLIN}-{YY}-{SEQ:3}');
      await page.locator('mark').waitFor();
    },
  },
  {
    name: 'api',
    path: '/api',
    async act(page) {
      await page.getByLabel('Operation').selectOption({ label: 'Read the ledger · auditor-3' });
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('HTTP 200').waitFor();
    },
  },
];

async function rows(page: Page): Promise<void> {
  await page.locator('tbody tr').first().waitFor();
}

/** @param isWhole whether to take the whole page or only the window */
async function take(
  { name, path, act }: Shot,
  window: { readonly theme: 'light' | 'dark'; readonly width: number; readonly height: number },
  isWhole: boolean,
): Promise<void> {
  await using watched = await openPage(browser, { url: URL_OF_CONSOLE + path, ...window });
  const { page } = watched;
  await act?.(page);
  const file = isWhole ? `${name}-${window.theme}-${window.width}` : `readme-${name}`;
  await page.screenshot({ path: `${PICTURES}${file}.png`, fullPage: isWhole });
}

await mkdir(PICTURES, { recursive: true });
const browser = await launchChromium();
try {
  for (const width of WIDTHS) {
    for (const theme of ['light', 'dark'] as const) {
      for (const shot of SHOTS) await take(shot, { theme, width, height: 720 }, true);
    }
  }
  for (const shot of SHOTS.filter(({ name }) => README.has(name))) {
    await take(shot, { theme: 'light', width: 1_120, height: 800 }, false);
  }
} finally {
  await browser.close();
}
