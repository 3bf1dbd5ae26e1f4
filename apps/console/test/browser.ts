import { expect } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';

export interface PageOptions {
  readonly url: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Stored in the tab's session before the page loads. */
  readonly token?: string;
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** The page's errors, and its requests to other hosts; both stay empty for a correct page. */
  readonly complaints: string[];
}

/** Replaces the text of the explorer's editor by typing. */
export async function writeQuery(page: Page, text: string): Promise<void> {
  await page.getByLabel('GraphQL', { exact: true }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Opens a page in a new browser context, like a new visitor. */
export async function openPage(browser: Browser, options: PageOptions): Promise<WatchedPage> {
  const { url, theme = 'light', width = 1_280, height = 800, token } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (token !== undefined) {
    await context.addInitScript((text: string) => sessionStorage.setItem('solegate-token', text), token);
  }
  // Ends what hangs; a busy machine takes longer than Playwright's 30 s.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints = complaintsOf(page, new URL(url).origin);
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

function complaintsOf(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.origin !== origin) complaints.push(`asked ${asked.origin}`);
  });
  return complaints;
}

/** The violations that axe finds in the current page, and text that it cannot judge whose contrast is too low. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // Injected through the debugger, which the page's content security policy does not block.
  await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations', 'incomplete'] }),
  );
  const undecided = incomplete.filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => nodes);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  return [
    ...found,
    ...(await lowContrasts(
      page,
      undecided.map(({ target }) => String(target.at(-1))),
    )),
  ];
}

/**
 * Axe does not judge text in charts and in tables that are scrolled. None of it lies on anything but the next element
 * around it that has a background.
 */
function lowContrasts(page: Page, selectors: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((targets) => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (pen === null) throw new Error('the browser draws nothing');
    const channelsOf = (color: string): readonly number[] => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const luminanceOf = (color: string): number => {
      const linear = channelsOf(color)
        .slice(0, 3)
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
    };
    const groundOf = (element: Element | null): string => {
      const ground = element === null ? 'white' : getComputedStyle(element).backgroundColor;
      return element === null || channelsOf(ground)[3] === 255 ? ground : groundOf(element.parentElement);
    };
    return targets.flatMap((selector) => {
      const element = document.querySelector(selector);
      if (element === null) return [];
      const { color, fill } = getComputedStyle(element);
      const lights = [
        luminanceOf(element instanceof SVGElement ? fill : color),
        luminanceOf(groundOf(element)),
      ];
      const ratio = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
      return ratio < 4.5 ? [`contrast ${ratio.toFixed(1)}: ${element.outerHTML}`] : [];
    });
  }, selectors);
}

/** Makes the page believe, now and after each navigation, that its tab is in the background. */
export async function hide(page: Page): Promise<void> {
  const set = (): void => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  };
  await page.addInitScript(set);
  await page.evaluate(set);
}

/** Searches the ledger from any view. */
export async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Waits until a hundred requests have been answered, each with a number. */
export async function hundredIssued(page: Page): Promise<void> {
  const verdict = page.getByText(/^\d+ of 100 distinct/);
  await verdict.waitFor();
  expect(await verdict.textContent()).toBe('100 of 100 distinct, none missing.');
}

const MAP_COLUMNS = 32;
const MAP_ROWS = 32;

/** The map of the 1,024 nodes. */
export function nodeMap(page: Page): Locator {
  return page.getByRole('img', { name: /^1024 nodes, / });
}

/** The center of one node of the map, as a position to click. */
export async function placeOfNode(
  page: Page,
  node: number,
): Promise<{ readonly x: number; readonly y: number }> {
  const box = await nodeMap(page).boundingBox();
  if (box === null) throw new Error('the map is not seen');
  return {
    x: (((node % MAP_COLUMNS) + 0.5) * box.width) / MAP_COLUMNS,
    y: ((Math.floor(node / MAP_COLUMNS) + 0.5) * box.height) / MAP_ROWS,
  };
}
