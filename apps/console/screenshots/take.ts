import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Page } from 'playwright-core';
import { openPage } from '../test/browser.js';
import { type Shot, URL_OF_CONSOLE } from './shot.js';
import { STATES } from './states.js';
import { README_SHOTS, VIEWS } from './views.js';

/*
 * Takes pictures of every view and state, light and dark, narrow and wide, of a demo gateway that is already running:
 * `npm start`, then `pnpm --filter @solegate/console screenshots`, with names of pictures to take only those.
 * CONSOLE_URL is the gateway's address. The pictures go to screenshots/pictures; copy the README's four to docs/console
 * by hand after checking them. Use fresh data.
 */

const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));
/** A phone, a laptop, a wide screen. */
const WIDTHS = [390, 1_280, 1_920];
const HEIGHT = 720;

/** Lets nothing, or only refusals and errors, reach the page from now on. */
async function replaceAnswers(page: Page, instead: Shot['instead']): Promise<void> {
  if (instead === undefined) return;
  if (instead === 'NO_VIEW') await page.route(/view-.*\.js$/, (route) => route.abort());
  else
    await page.route(/graphql$/, async (route) => {
      if (instead === 'NOTHING') return;
      const isRefusal = instead === 'REFUSALS';
      const error = isRefusal
        ? { message: 'You may not do this.', extensions: { code: 'FORBIDDEN', reason: 'ROLE_MISSING' } }
        : {
            message: 'A store is unavailable; nothing was changed.',
            extensions: { code: 'SERVICE_UNAVAILABLE', retryable: true },
          };
      await route.fulfill({
        status: isRefusal ? 403 : 503,
        json: { errors: [error] },
        headers: { 'retry-after': '60' },
      });
    });
}

/** The whole page at each width in both themes, of one visit: what it shows is the same in all six. */
async function take({ name, path, user, instead, act, end }: Shot): Promise<void> {
  await using watched = await openPage(browser, {
    url: URL_OF_CONSOLE + (user || instead ? '/nowhere' : path),
  });
  const { page } = watched;
  if (user) await page.getByLabel('Act as').selectOption(user);
  await replaceAnswers(page, instead);
  if (user || instead) await page.goto(URL_OF_CONSOLE + path);
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
  for (const shot of [...VIEWS, ...STATES].filter(isWanted)) {
    await take(shot).catch((error: unknown) => {
      process.stderr.write(`no picture of ${shot.name}: ${error}\n`);
      process.exitCode = 1;
    });
  }
} finally {
  await browser.close();
}
