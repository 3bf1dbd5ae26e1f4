import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser, openPage } from '../test/browser.js';

/*
 * Pictures of every view, light and dark, of a demo gateway that runs already: `npm start`, then
 * `pnpm --filter @solegate/console screenshots`. CONSOLE_URL says where it listens. They go to screenshots/pictures; the
 * three of the README are copied from there by hand, once they were looked at.
 */

const URL_OF_CONSOLE = process.env.CONSOLE_URL ?? 'http://127.0.0.1:4000';
const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));
const NUMBER = 'CON-RFA-STR-2026-0004';

interface Shot {
  readonly name: string;
  readonly path: string;
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: 'overview', path: '/', act: (page) => page.getByText('What it stands on').waitFor() },
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
      await page.getByRole('region', { name: 'Newest trips' }).getByRole('link').first().click();
      await page.getByText('Revision 1').waitFor();
    },
  },
  {
    name: 'nodes',
    path: '/nodes',
    async act(page) {
      await page.getByRole('button', { name: 'Make a new one' }).click();
      await page.getByText('was held by').waitFor();
    },
  },
  { name: 'ledger', path: '/ledger?projectCode=HARBOUR&status=VOID', act: rows },
  { name: 'number', path: `/ledger/${NUMBER}`, act: (page) => page.getByText('number voided').waitFor() },
  { name: 'counters', path: '/counters', act: rows },
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
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('HTTP 200').waitFor();
    },
  },
];

async function rows(page: Page): Promise<void> {
  await page.locator('tbody tr').first().waitFor();
}

await mkdir(PICTURES, { recursive: true });
const browser = await openBrowser();
try {
  for (const theme of ['light', 'dark'] as const) {
    for (const { name, path, act } of SHOTS) {
      await using watched = await openPage(browser, {
        url: URL_OF_CONSOLE + path,
        theme,
        width: 1_120,
        height: 720,
      });
      await act?.(watched.page);
      await watched.page.screenshot({ path: `${PICTURES}${name}-${theme}.png`, fullPage: true });
    }
  }
} finally {
  await browser.close();
}
