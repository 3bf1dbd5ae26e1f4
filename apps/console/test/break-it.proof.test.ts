import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGateway } from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Browser, Page } from 'playwright-core';
import { openPage, violationsOf } from './browser.js';

/** A newcomer tries to break the gateway of `npm start`, and sees what was counted. */
let directory: string;
let gateway: GatewayProcess;
let browser: Browser;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'solegate-break-'));
  [gateway, browser] = await Promise.all([
    startGateway({ environment: { DATA_DIRECTORY: directory } }),
    launchChromium(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function factOf(page: Page, name: string): Promise<number> {
  const text = await page.locator('dl.facts > div', { hasText: name }).locator('dd').textContent();
  return Number(text?.replaceAll(',', ''));
}

/** Resolves once a fact exceeds a count. */
async function untilFact(page: Page, name: string, above: number): Promise<number> {
  for (;;) {
    const found = await factOf(page, name);
    if (found > above) return found;
    await page.waitForResponse((response) => response.url().endsWith('/demo/break'));
  }
}

test('processes issue and race while Redis is stopped, and nothing is duplicated, missing or won twice', async () => {
  await using watched = await openPage(browser, { url: `${gateway.origin}/break` });
  const { page, complaints } = watched;
  await page.getByRole('button', { name: 'Start the attempts' }).click();
  await page.getByRole('heading', { name: 'Attempts so far' }).waitFor();
  expect(await factOf(page, 'Processes that call')).toBe(4);
  await untilFact(page, 'Races for a trip', 3);
  await page.getByRole('button', { name: 'Stop Redis for ten seconds' }).click();
  await page.getByText(/^Redis answers nobody until/).waitFor();
  expect(await page.getByRole('button', { name: 'Stop Redis for ten seconds' }).isDisabled()).toBe(true);
  const before = await factOf(page, 'Numbers issued');
  await untilFact(page, 'Numbers issued', before + 20);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByText('Redis answers nobody until').waitFor({ state: 'detached' });
  await untilFact(page, 'Races for a trip', 10);
  await page.getByRole('button', { name: 'End the attempts' }).click();
  await page.getByText(/no duplicate, no hole, no second winner\.$/).waitFor();
  expect(await page.locator('.huge').allTextContents()).toEqual(['0', '0', '0']);
  expect(await factOf(page, 'Processes that call')).toBe(0);
  expect(complaints).toEqual([]);
});

test('a run whose ledger was not searched since its end is not called whole', async () => {
  await using watched = await openPage(browser, { url: `${gateway.origin}/` });
  const { page, complaints } = watched;
  const ended = {
    isRunning: false,
    startedAt: '2026-01-05T08:00:00.000Z',
    endedAt: '2026-01-05T08:05:00.000Z',
    processCount: 0,
    numberCount: 2_000,
    duplicateCount: 0,
    raceCount: 300,
    pressCount: 4_000,
    secondWinnerCount: 0,
    holeCount: 0,
    holesCheckedAt: '2026-01-05T08:04:59.000Z',
    failedCount: 0,
    redisBackAt: null,
  };
  await page.route('**/demo/break', (route) => route.fulfill({ json: ended }));
  await page.getByRole('link', { name: 'Break it' }).click();
  await page.getByText('The ledger was not searched for holes since the end.').waitFor();
  expect(await page.getByText('no hole').count()).toBe(0);
  await page.unrouteAll();
  await page.route('**/demo/break', (route) =>
    route.fulfill({ json: { ...ended, holesCheckedAt: ended.endedAt } }),
  );
  await page.getByText(/no duplicate, no hole, no second winner\.$/).waitFor();
  expect(complaints).toEqual([]);
});
