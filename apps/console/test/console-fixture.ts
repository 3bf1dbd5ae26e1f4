import {
  createTestDatabase,
  type GatewayProcess,
  startGateway,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import type { Browser } from 'playwright-core';
import { openPage, type PageOptions, type WatchedPage } from './browser.js';

/** A browser, and a gateway with stores of its own, for the tests of one file. */
export interface ConsoleFixture extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly gateway: GatewayProcess;
  readonly browser: Browser;
  /** Opens an address of the console as a new visitor. */
  visit(path: string, options?: Omit<PageOptions, 'url'>): Promise<WatchedPage>;
}

/** @param environment the gateway's settings besides its stores. Default: demo mode */
export async function startConsole(
  environment: Readonly<Record<string, string>> = {},
): Promise<ConsoleFixture> {
  const [database, redis, browser] = await Promise.all([
    createTestDatabase({ migrations: [] }),
    startRedisServer(),
    launchChromium(),
  ]);
  const gateway = await startGateway({
    environment: { DATABASE_URL: database.url, REDIS_URL: redis.url, ...environment },
  });
  return {
    database,
    gateway,
    browser,
    visit: (path, options) => openPage(browser, { url: gateway.origin + path, ...options }),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await gateway[Symbol.asyncDispose]();
      await Promise.all([database.drop(), redis.stop()]);
    },
  };
}
