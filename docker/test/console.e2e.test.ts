import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  type GatewayProcess,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
} from '@solegate/testkit';
import { launchChromium } from '@solegate/testkit/chromium';
import { startComposedGateway } from './composed-gateway.js';
import { migrateForRuntime } from './migrated-database.js';
import { type NginxServer, startNginx } from './nginx-server.js';
import { RetryingClient } from './retrying-client.js';

/** The console as an operator opens it: with a token, at a production gateway behind nginx. */
let database: TestDatabase;
let redis: RedisTestServer;
let gateway: GatewayProcess;
let nginx: NginxServer;
let client: RetryingClient;
let browser: Awaited<ReturnType<typeof launchChromium>>;

beforeAll(async () => {
  [database, redis, browser] = await Promise.all([
    createTestDatabase({ migrations: [] }),
    startRedisServer(),
    launchChromium(),
  ]);
  const jwtSecret = randomBytes(48).toString('base64');
  const databaseUrl = await migrateForRuntime(database);
  gateway = await startComposedGateway({ databaseUrl, redisUrl: redis.url, jwtSecret });
  nginx = await startNginx([gateway.port]);
  client = new RetryingClient(nginx.url, jwtSecret);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await nginx?.stop();
  await gateway?.[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
  await database?.drop();
}, 60_000);

const NOTICED = { timeout: 10_000 };

test('the console is open through nginx to a token, and reports what is down by a request of its own', async () => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${nginx.url}/ledger`);
  await page.getByLabel('Bearer token').fill(await client.tokenFor(1n, ['admin', 'clerk']));
  const polled = page.waitForResponse(
    (response) => response.request().postData()?.includes('promises') === true,
  );
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect((await polled).status()).toBe(200);
  await page.getByText('No numbers match these filters').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('document-numbers.csv');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'System status' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'System status' }).waitFor();
  expect(await page.locator('.away').count()).toBe(0);
  expect(complaints).toEqual([]);

  await redis.kill();
  await page.getByText('Redis does not answer').first().waitFor(NOTICED);
  await redis.restart();
  await page.getByText('Redis does not answer').first().waitFor({ state: 'detached', timeout: 30_000 });
  await gateway.end();
  await page.getByText('The gateway does not answer').waitFor(NOTICED);
}, 120_000);
