import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const DIRECTORY = fileURLToPath(new URL('./browser/', import.meta.url));
const run = promisify(execFile);

export interface PageOptions {
  readonly url: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Put into the tab before the page looks. */
  readonly token?: string;
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** What the page complained of, and what it asked of other hosts; both stay empty in a sound page. */
  readonly complaints: string[];
}

/** The part of `@sparticuz/chromium` that is used; its package is installed by the first test. */
interface ChromiumPackage {
  readonly args: readonly string[];
  executablePath(): Promise<string>;
}

/** A real Chromium from the registry, which comes when it is first asked for. */
export async function openBrowser(): Promise<Browser> {
  const main = `${DIRECTORY}node_modules/@sparticuz/chromium/build/index.js`;
  if (!existsSync(main)) {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: DIRECTORY });
  }
  const found = (await import(pathToFileURL(main).href)) as { default: ChromiumPackage };
  return chromium.launch({
    args: found.default.args.filter((arg) => !/web-security|site-isolation|single-process/.test(arg)),
    executablePath: await found.default.executablePath(),
    headless: true,
  });
}

/** A page of its own, as a new visitor has it. */
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

/** What axe finds wrong with the page as it is. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // As text of the debugger, which the policy of the page does not keep out.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
