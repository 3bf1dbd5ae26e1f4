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
});

afterAll(async () => {
  await browser?.close();
  await nginx?.stop();
  await gateway?.[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
  await database?.drop();
});

const NOTICED = { timeout: 10_000 };
const CODES = { project: 'QUAY', organization: 'TEAM', correspondenceType: 'RFA', discipline: 'STR' };

/** Opens a page as somebody with these roles, in a tab of their own; `complaints` are the page's errors. */
async function visit(path: string, roles: readonly string[]) {
  const token = await client.tokenFor(1n, roles);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.addInitScript(`sessionStorage.setItem('solegate-token', ${JSON.stringify(token)})`);
  await page.goto(nginx.url + path);
  return { page, complaints };
}

/** A series with three numbers. @returns the template's part that is the same in all of them */
async function issueNumbers(): Promise<string> {
  const token = await client.tokenFor(1n, ['admin', 'clerk']);
  for (const [kind, code] of Object.entries(CODES)) {
    const create = `create${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    await client.ask(token, `mutation ($input: CodedRowInput!) { ${create}(input: $input) { __typename } }`, {
      input: { code, name: `The ${code}` },
    });
  }
  const series = { projectCode: CODES.project, typeCode: CODES.correspondenceType };
  await client.ask(
    token,
    `mutation ($input: SaveDocumentNumberFormatInput!) { saveDocumentNumberFormat(input: $input) { __typename } }`,
    { input: { ...series, template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}' } },
  );
  const input = { ...series, organizationCode: CODES.organization, disciplineCode: CODES.discipline };
  for (let count = 0; count < 3; count += 1) {
    await client.ask(
      token,
      'mutation ($input: IssueDocumentNumberInput!) { issueDocumentNumber(input: $input) { __typename } }',
      { input: { ...input, date: '2026-11-23' } },
    );
  }
  return 'TEAM-RFA-STR-2026-';
}

test('a clerk finds a number through nginx, and an administrator voids it', async () => {
  const start = await issueNumbers();
  const { page, complaints } = await visit('/ledger', ['clerk']);
  await page.getByRole('searchbox', { name: 'Search' }).fill(start.toLowerCase());
  await page.keyboard.press('Enter');
  await page.getByText('3 numbers, newest first.').waitFor();
  await page.getByRole('link', { name: `QUAY · ${start}0002` }).click();
  await page.getByText('Only an administrator can void or replace this number.').waitFor();
  expect(complaints).toEqual([]);

  const { page: other, complaints: others } = await visit('/ledger?text=0002', ['clerk', 'admin']);
  await other.getByRole('button', { name: 'Void this number…' }).click();
  await other.getByRole('dialog').getByText(`${start}0002 of project QUAY (The QUAY)`).waitFor();
  await other.getByLabel('Reason').fill('issued twice');
  await other.getByRole('dialog').getByRole('button', { name: 'Void this number' }).click();
  await other.getByText(/Number voided by .*: issued twice/).waitFor();
  expect(others).toEqual([]);
});

test('a dispatcher offers a trip again through nginx, cancels it, and sees it live', async () => {
  const rider = await client.tokenFor(7n, ['rider']);
  const { requestTrip } = await client.ask<{ requestTrip: { id: string } }>(
    rider,
    'mutation { requestTrip(input: { offerTtlMs: 600000, offeredTo: ["77"] }) { ... on Trip { id } } }',
  );
  const { page, complaints } = await visit('/trips', ['admin']);
  await page.getByLabel('Order').selectOption('LATE');
  await page.getByRole('link', { name: requestTrip.id }).click();
  await page.getByRole('cell', { name: '77', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Offer to every driver' }).click();
  await page.getByRole('cell', { name: 'every driver' }).waitFor();
  await page.getByRole('button', { name: 'Cancel for both…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel for both' }).click();
  await page.getByText('Cancelled · by a dispatcher').waitFor();
  expect(complaints).toEqual([]);
});

test('an operator sees what works, and all processes, through nginx', async () => {
  const { page, complaints } = await visit('/', ['admin']);
  await page.getByRole('row', { name: /answers now/ }).waitFor();
  expect(await page.getByRole('cell', { name: 'works', exact: true }).count()).toBe(7);
  expect(await page.getByRole('link', { name: /^(Load|Break it)$/ }).count()).toBe(0);
  await page.goto(`${nginx.url}/break`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(complaints).toEqual([]);
});

test('the console is open through nginx to a token, and reports what is down by a request of its own', async () => {
  const { page, complaints } = await visit('/ledger', ['admin', 'clerk']);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Bearer token').fill(await client.tokenFor(1n, ['admin', 'clerk']));
  const polled = page.waitForResponse(
    (response) => response.request().postData()?.includes('promises') === true,
  );
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect((await polled).status()).toBe(200);
  await page.getByText('Rows 1 to 3').waitFor();
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
});
