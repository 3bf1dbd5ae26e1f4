import { beforeAll, describe, expect, test } from '@jest/globals';
import { holdCalls, isCallOf, keysOf, polledTwice } from './calls.js';
import { consoleOfFile } from './console-fixture.js';
import { DEMO_SERIES } from './demo-series.js';
import { PRODUCTION, tokenOf } from './tokens.js';

/** The page with a gateway that needs tokens: it shows nothing without one, and roles decide what it shows. */
const fixture = consoleOfFile(PRODUCTION);
let admin: string;

beforeAll(async () => {
  admin = await tokenOf(['rider', 'driver', 'clerk', 'admin']);
  const headers = { authorization: `Bearer ${admin}` };
  const created = ['createProject', 'createOrganization', 'createCorrespondenceType', 'createDiscipline'];
  const codes = Object.values(DEMO_SERIES);
  for (const [index, name] of created.entries()) {
    await fixture.gateway.ask(`mutation ($input: CodedRowInput!) { ${name}(input: $input) { __typename } }`, {
      variables: { input: { code: codes[index], name: `The ${codes[index]}` } },
      headers,
    });
  }
});

describe('the console in production', () => {
  test('asks for a token, rejects anything else, and keeps it only for the tab', async () => {
    await using watched = await fixture.visit('/ledger');
    const { page, complaints } = watched;
    await page.getByLabel('Bearer token').fill('not a token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not a JSON Web Token').waitFor();
    await page.getByLabel('Bearer token').fill(`Bearer ${admin}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No numbers match these filters').waitFor();
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 1]);
    await page.reload();
    await page.getByText('No numbers match these filters').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a series is defined after a confirmation, gets a format, and issues a number', async () => {
    await using watched = await fixture.visit('/ledger', { token: admin });
    const { page, complaints } = watched;
    const take = page.locator('section', { hasText: 'Take a number' });
    await take.getByRole('button', { name: 'Issue' }).click();
    await take.getByRole('alert').waitFor();
    expect(await take.getByText('takes no second number').count()).toBe(0);
    await take.getByRole('alert').getByRole('link', { name: 'Counters' }).click();
    const define = page.locator('section', { hasText: 'Define or change a series' });
    await define.getByLabel('Project').selectOption('DEMO');
    await define.getByLabel('Type').selectOption('RFA');
    await define.getByLabel('Time zone').fill('Asia/Bangkok');
    await define.getByRole('button', { name: 'Define…' }).click();
    await page.getByText('DEMO · RFA restarts each year, by the dates of Asia/Bangkok').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Define' }).click();
    await page.getByText('DEMO · RFA is defined.').waitFor();
    await page.getByRole('link', { name: 'Ledger' }).click();
    await take.getByRole('button', { name: 'Issue' }).click();
    await take.getByRole('alert').getByRole('link', { name: 'Formats' }).click();
    await page.getByText('Ready to save as version 1.').waitFor();
    await page.getByRole('button', { name: 'Save the next version' }).click();
    await page.getByText('Saved as version 1').waitFor();
    await page.getByRole('link', { name: 'Ledger' }).click();
    await take.getByRole('button', { name: 'Issue' }).click();
    await take.getByRole('link', { name: /^DEMO · TEAM-RFA-STR-\d{4}-0001$/ }).click();
    await page.getByText('taken by 1').waitFor();
    // The two refusals.
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
  });

  test('numbers are not issued for show', async () => {
    await using watched = await fixture.visit('/load', { token: admin });
    const { page } = watched;
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('cell', { name: 'Document numbers' }).waitFor();
    expect(await page.locator('a[href="/load"]').count()).toBe(0);
  });

  test('an expired token is replaced by another one, not tried again', async () => {
    await using watched = await fixture.visit('/ledger', { token: await tokenOf(['admin'], -300) });
    const { page } = watched;
    await page.getByRole('button', { name: 'Sign in again' }).first().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('does not answer').count()).toBe(0);
  });

  test('an outage is over once the gateway says so, not once it refuses to', async () => {
    await using watched = await fixture.visit('/ledger', { token: admin });
    const { page } = watched;
    const answers = {
      lost: { status: 502 },
      refused: { status: 401 },
      limited: { status: 429, headers: { 'retry-after': '60' } },
      away: { json: { data: { promises: [{ limits: [{ reason: 'Redis does not answer' }] }] } } },
    };
    const poll = /\/graphql\?poll$/;
    const answerWith = (answer: (typeof answers)[keyof typeof answers]) =>
      page.route(poll, (route) => route.fulfill(answer));
    const back = page.getByText('Everything is available again.');
    const redis = page.getByText('Redis does not answer', { exact: false });
    await answerWith(answers.away);
    await redis.waitFor();
    await answerWith(answers.refused);
    await polledTwice(page);
    expect([await redis.count(), await back.count()]).toEqual([1, 0]);
    await answerWith(answers.lost);
    const gateway = page.getByText('The gateway does not answer', { exact: false });
    await gateway.waitFor();
    await answerWith(answers.limited);
    await gateway.waitFor({ state: 'detached' });
    await polledTwice(page);
    expect([await redis.count(), await back.count()]).toEqual([0, 0]);
    await page.unrouteAll();
    await back.waitFor();
  });

  test('a rider requests a trip, and a driver with the same token accepts it', async () => {
    await using watched = await fixture.visit('/trips', { token: admin });
    const { page, complaints } = watched;
    await page.getByRole('button', { name: 'Request a trip only' }).click();
    await page.getByRole('button', { name: 'Accept trip' }).click();
    await page.getByText('Result: got the trip.').waitFor();
    await page.getByText('Accepted by a driver').waitFor();
    expect(complaints).toEqual([]);
  });

  test('a trip whose repetition was refused for its token is requested under the same key', async () => {
    await using watched = await fixture.visit('/trips', { token: admin });
    const { page } = watched;
    const keys = keysOf(page, 'requestTrip');
    const button = page.getByRole('button', { name: 'Request a trip only' });
    const again = page.getByText('requests no second trip');
    let callCount = 0;
    let refusal = 401;
    await page.route('**/graphql', async (route) => {
      if (!isCallOf('requestTrip', route.request())) return route.fallback();
      callCount += 1;
      if (callCount > 1) return route.fulfill({ status: refusal });
      await route.fetch();
      return route.fulfill({ status: 502 });
    });
    await button.click();
    await again.waitFor();
    await button.click();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByLabel('Bearer token').fill(await tokenOf(['rider', 'driver', 'admin']));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor();
    refusal = 403;
    await button.click();
    await page.getByRole('alert').getByText('HTTP 403').waitFor();
    await page.unrouteAll();
    await page.reload();
    await again.waitFor();
    await button.click();
    await page.getByRole('heading', { level: 1, name: /^Trip \d/ }).waitFor();
    expect(keys).toEqual(Array(5).fill(keys[0]));
    expect(await page.evaluate(() => sessionStorage.length)).toBe(1);
  });

  test.each([
    ['/', 'System status'],
    ['/nodes', 'of 1,024 nodes are held'],
    ['/counters', 'Correct a counter'],
    ['/api', 'Schema'],
  ])('%s works with a token', async (path, text) => {
    await using watched = await fixture.visit(path, { token: admin });
    await watched.page.getByText(text).first().waitFor();
    expect(watched.complaints).toEqual([]);
  });

  test('shows an auditor only what auditors can use', async () => {
    await using watched = await fixture.visit('/', { token: await tokenOf(['auditor']) });
    const { page } = watched;
    await page.getByText('Choose a view.').waitFor();
    const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    expect(await views.allTextContents()).toEqual([
      'Overview',
      'Nodes',
      'Ledger',
      'Counters',
      'Formats',
      'Codes',
      'API',
    ]);
    await page.goto(`${fixture.gateway.origin}/counters`);
    await page.getByRole('heading', { name: 'Series', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Block/ }).count()).toBe(0);
  });

  test('says what a caller without the role can do, and offers no useless repetition', async () => {
    await using watched = await fixture.visit('/ledger', { token: await tokenOf(['driver']) });
    const { page } = watched;
    await page.getByText('Your token has no role that may do this.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('a caller with two projects chooses whose counters to see, and is told to before an export', async () => {
    const token = await tokenOf(['clerk'], 600, [DEMO_SERIES.projectCode, 'OTHER']);
    await using watched = await fixture.visit('/counters', { token });
    const { page } = watched;
    const refusals = page.getByRole('alert').getByText('Name one of your projects.');
    await refusals.nth(1).waitFor();
    const deliver = await holdCalls(page, 'documentNumberCounters');
    await page.getByLabel('Project').selectOption(DEMO_SERIES.projectCode);
    await page.getByRole('cell', { name: `${DEMO_SERIES.projectCode} · ${DEMO_SERIES.typeCode}` }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await deliver();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto(`${fixture.gateway.origin}/ledger`);
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    await refusals.first().waitFor();
  });

  test('an export that is refused for its token leads to another one', async () => {
    await using watched = await fixture.visit('/ledger', { token: admin });
    const { page } = watched;
    const extensions = { code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' };
    const json = { errors: [{ message: 'The token has expired.', extensions }] };
    await page.route('**/export/**', (route) => route.fulfill({ status: 401, json }));
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
