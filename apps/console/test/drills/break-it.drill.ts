import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startGateway } from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import { openPage } from '../browser.js';

/** Five minutes of attempts to break it: a whole run, with Redis stopped whenever it can be. */
test('a run of five minutes duplicates nothing, misses nothing and has no second winner', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'solegate-break-'));
  const [gateway, browser] = await Promise.all([
    startGateway({ environment: { DATA_DIRECTORY: directory } }),
    launchChromium(),
  ]);
  try {
    await using watched = await openPage(browser, { url: `${gateway.origin}/break` });
    const { page, complaints } = watched;
    const ended = page.getByRole('heading', { name: 'Attempts of the last run' });
    await page.getByRole('button', { name: 'Start the attempts' }).click();
    await page.getByRole('heading', { name: 'Attempts so far' }).waitFor();
    const stop = page.locator('button:enabled', { hasText: 'Stop Redis for ten seconds' });
    for (;;) {
      await stop.or(ended).first().waitFor({ timeout: 400_000 });
      expect(await page.locator('.huge').allTextContents()).toEqual(['0', '0', '0']);
      if ((await ended.count()) > 0) break;
      await stop.click();
    }
    await page.getByText(/no duplicate, no hole, no second winner\.$/).waitFor();
    process.stdout.write(`${await page.locator('dl.facts').textContent()}\n`);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    await gateway[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  }
}, 600_000);
