import { afterAll, beforeAll } from '@jest/globals';
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

const START_MAX_MS = 240_000;

interface Started {
  readonly database: TestDatabase;
  readonly gateway: GatewayProcess;
  readonly browser: Browser;
}

/** A browser, and a gateway with stores of its own, for the tests of one file. */
export interface ConsoleFixture extends Started {
  /** Opens an address of the console as a new visitor. */
  visit(path: string, options?: Omit<PageOptions, 'url'>): Promise<WatchedPage>;
}

/**
 * Starts a console before the tests of a file, and stops it after them.
 *
 * @param environment the gateway's settings besides its stores. Default: demo mode
 */
export function consoleOfFile(environment: Readonly<Record<string, string>> = {}): ConsoleFixture {
  const stops: (() => Promise<unknown>)[] = [];
  let started: Started | undefined;
  const running = (): Started => {
    if (started === undefined) throw new Error('the console of this file has not started');
    return started;
  };

  beforeAll(async () => {
    const [database, redis, browser] = await Promise.all([
      createTestDatabase({ migrations: [] }),
      startRedisServer(),
      launchChromium(),
    ]);
    stops.push(() => Promise.all([database.drop(), redis.stop()]));
    stops.push(() => browser.close());
    const gateway = await startGateway({
      environment: { DATABASE_URL: database.url, REDIS_URL: redis.url, ...environment },
    });
    stops.push(() => gateway[Symbol.asyncDispose]());
    started = { database, gateway, browser };
  }, START_MAX_MS);

  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  return {
    get database() {
      return running().database;
    },
    get gateway() {
      return running().gateway;
    },
    get browser() {
      return running().browser;
    },
    visit: (path, options) => {
      const { browser, gateway } = running();
      return openPage(browser, { url: gateway.origin + path, ...options });
    },
  };
}
