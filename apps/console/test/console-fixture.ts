import { createTestDatabase, startRedisServer } from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Browser } from 'playwright-core';
import { openPage, type PageOptions, type WatchedPage } from './browser.js';
import { GatewayProcess } from './gateway-process.js';

/** A browser, and a gateway with stores of its own, for the tests of one file. */
export interface ConsoleFixture extends AsyncDisposable {
  readonly gateway: GatewayProcess;
  readonly browser: Browser;
  /** A new visitor at an address of the console. */
  visit(path: string, options?: Omit<PageOptions, 'url'>): Promise<WatchedPage>;
}

/** @param environment settings of the gateway beside its stores. Default: demo mode */
export async function startConsole(
  environment: Readonly<Record<string, string>> = {},
): Promise<ConsoleFixture> {
  const [database, redis, browser] = await Promise.all([
    createTestDatabase({ migrations: [] }),
    startRedisServer(),
    launchChromium(),
  ]);
  const gateway = await GatewayProcess.start({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    ...environment,
  });
  return {
    gateway,
    browser,
    visit: (path, options) => openPage(browser, { url: gateway.url + path, ...options }),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await gateway.end('SIGTERM');
      await Promise.all([database.drop(), redis.stop()]);
    },
  };
}
