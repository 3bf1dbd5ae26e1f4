import type { Page } from 'playwright-core';

/** The demo gateway's address. */
export const URL_OF_CONSOLE = process.env.CONSOLE_URL ?? 'http://127.0.0.1:4000';
/** Of the demo project HARBOUR; void. */
export const NUMBER = 'CON-RFA-STR-2026-0004';

/** A picture to take. */
export interface Shot {
  readonly name: string;
  readonly path: string;
  /** Acts as this user. Default: everyone. */
  readonly user?: string;
  /** What the page gets instead of answers. Default: answers. */
  readonly instead?: 'NOTHING' | 'ERRORS' | 'REFUSALS' | 'NO_VIEW';
  /** Done before the pictures are taken. */
  readonly act?: (page: Page) => Promise<void>;
  /** Done after them. */
  readonly end?: (page: Page) => Promise<void>;
}

export function shown(text: string): (page: Page) => Promise<void> {
  return (page) => page.getByText(text).first().waitFor();
}

export async function rows(page: Page): Promise<void> {
  await page.locator('tbody tr').first().waitFor();
}
