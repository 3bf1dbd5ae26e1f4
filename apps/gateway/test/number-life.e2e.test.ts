import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  createTestStores,
  startTestGateway,
  type TestGateway,
  type TestStores,
  type Told,
} from './gateway-fixture.js';

/** What administrators and auditors do with numbers: series, ranges, replacements, events, looks at the ledger. */
let stores: TestStores;
let gateway: TestGateway;
let typeCount = 0;

beforeAll(async () => {
  stores = await createTestStores();
  gateway = await startTestGateway(stores);
});

afterAll(async () => {
  await gateway?.stop();
  await stores?.[Symbol.asyncDispose]();
});

async function ask(query: string, as = 'admin-5'): Promise<Told> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

interface Rules {
  readonly rules?: string;
  readonly more?: string;
  readonly template?: string;
}

/** A document type with a series and a format of its own, in GraphQL's words. */
async function freshSeries({ rules = '', more = '', template }: Rules = {}): Promise<string> {
  typeCount += 1;
  const typeCode = `L${typeCount}`;
  await ask(`mutation { createCorrespondenceType(input: { code: "${typeCode}", name: "Fresh" }) { id } }`);
  await ask(`mutation { defineDocumentSeries(input: {
    projectCode: "DEMO", typeCode: "${typeCode}", rules: { ${rules} } ${more} }) { id } }`);
  await ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "${typeCode}",
    template: "${template ?? '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}'}" }) { version } }`);
  return `projectCode: "DEMO", organizationCode: "TEAM", typeCode: "${typeCode}", disciplineCode: "STR"`;
}

const RESULT = `{ __typename
  ... on DocumentNumber { sequence number status reason }
  ... on DocumentNumberRefusal { message }
  ... on NumbersExhausted { limit }
  ... on PeriodClosed { period }
}`;
const issue = async (series: string): Promise<Told> =>
  (await ask(`mutation { issueDocumentNumber(input: { ${series} }) ${RESULT} }`)).issueDocumentNumber;

describe('a series', () => {
  test('is defined with its rules, read back, and changed where it may change', async () => {
    const series = await freshSeries({
      rules: 'reset: MONTH, timeZone: "UTC"',
      more: ', startAt: 7',
      template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{MONTH}-{SEQ:4}',
    });
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const read = async () =>
      (
        await ask(
          `{ documentSeries(projectCode: "DEMO") {
          typeCode reset timeZone startAt closedUntil manualInterval { first } project { code } } }`,
          'auditor-2',
        )
      ).documentSeries.find((one: Told) => one.typeCode === typeCode);
    expect(await read()).toEqual({
      typeCode,
      reset: 'MONTH',
      timeZone: 'UTC',
      startAt: 7,
      closedUntil: null,
      manualInterval: null,
      project: { code: 'DEMO' },
    });
    expect(await issue(series)).toMatchObject({ sequence: 7 });
    await ask(`mutation { defineDocumentSeries(input: { projectCode: "DEMO", typeCode: "${typeCode}", startAt: 7,
      rules: { reset: MONTH, timeZone: "UTC", closedUntil: "2026-01-31" } }) { revision } }`);
    expect((await read()).closedUntil).toBe('2026-01-31');
    expect(await issue(`${series}, date: "2026-01-15", otherPeriod: true`)).toEqual({
      __typename: 'PeriodClosed',
      period: '2026-01',
      message: expect.stringContaining('not open'),
    });
  });

  test('that is full says so, and which number was the last', async () => {
    const series = await freshSeries({ template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:1}' });
    for (let sequence = 1; sequence <= 9; sequence += 1)
      expect(await issue(series)).toMatchObject({ sequence });
    expect(await issue(series)).toEqual({
      __typename: 'NumbersExhausted',
      limit: 9,
      message: expect.stringContaining('more digits'),
    });
    for (const [mutation, member] of [
      ['reserveDocumentNumber(input: { SERIES })', 'reserveDocumentNumber'],
      ['issueDocumentNumbers(input: { SERIES, count: 2 })', 'issueDocumentNumbers'],
      ['createCorrespondence(input: { SERIES, subject: "x" })', 'createCorrespondence'],
    ]) {
      const data = await ask(`mutation { ${mutation?.replace('SERIES', series)} { __typename } }`);
      expect(data[member ?? '']).toEqual({ __typename: 'NumbersExhausted' });
    }
  });
});

describe('a series that is stopped', () => {
  test('refuses with the reason, keeps its other rules, and goes on where it stood', async () => {
    const series = await freshSeries({
      rules: 'reset: YEAR, timeZone: "UTC"',
      more: ', startAt: 5, endAt: 50, manualInterval: { first: 40, last: 45 }',
    });
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const address = `projectCode: "DEMO", typeCode: "${typeCode}"`;
    const RULES = `timeZone startAt endAt manualInterval { first last } blockedReason`;
    expect(await issue(series)).toMatchObject({ sequence: 5 });
    const { blockDocumentSeries } = await ask(
      `mutation { blockDocumentSeries(input: { ${address}, reason: "replaced by RFI" }) { ${RULES} } }`,
    );
    const rules = { timeZone: 'UTC', startAt: 5, endAt: 50, manualInterval: { first: 40, last: 45 } };
    expect(blockDocumentSeries).toEqual({ ...rules, blockedReason: 'replaced by RFI' });
    const refused = await ask(
      `mutation { issueDocumentNumber(input: { ${series} }) { __typename ... on SeriesBlocked { reason message } } }`,
    );
    expect(refused.issueDocumentNumber).toEqual({
      __typename: 'SeriesBlocked',
      reason: 'replaced by RFI',
      message: expect.stringContaining('administrator'),
    });
    // Neither of these opens it by the way.
    await ask(`mutation { defineDocumentSeries(input: { ${address}, startAt: 5, endAt: 50
      manualInterval: { first: 40, last: 45 }, rules: { timeZone: "UTC" } }) { id } }`);
    await ask(`mutation { saveDocumentNumberFormat(input: { ${address}, rules: { timeZone: "UTC" }
      template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}" }) { version } }`);
    expect(await issue(series)).toMatchObject({ __typename: 'SeriesBlocked' });
    const { unblockDocumentSeries } = await ask(
      `mutation { unblockDocumentSeries(input: { ${address} }) { ${RULES} } }`,
    );
    expect(unblockDocumentSeries).toEqual({ ...rules, blockedReason: null });
    expect(await issue(series)).toMatchObject({ sequence: 6 });
  });

  test('must be there', async () => {
    await ask('mutation { createCorrespondenceType(input: { code: "UNKNOWN", name: "x" }) { id } }');
    const { errors } = await gateway.ask(
      'mutation { blockDocumentSeries(input: { projectCode: "DEMO", typeCode: "UNKNOWN", reason: "x" }) { id } }',
      { as: 'admin-5' },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'UNKNOWN_SERIES' });
  });

  test('by its end is exhausted there', async () => {
    const series = await freshSeries({ more: ', endAt: 2' });
    await issue(series);
    await issue(series);
    expect(await issue(series)).toMatchObject({ __typename: 'NumbersExhausted', limit: 2 });
  });
});

test('a format that printed nothing is withdrawn, and one that did is not', async () => {
  const series = await freshSeries();
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const address = `projectCode: "DEMO", typeCode: "${typeCode}"`;
  const withdraw = async (version: number): Promise<Told> =>
    (
      await ask(`mutation { withdrawDocumentNumberFormat(input: { ${address}, version: ${version} }) { __typename
        ... on DocumentNumberFormatWithdrawn { version } ... on DocumentNumberFormatInUse { version message } } }`)
    ).withdrawDocumentNumberFormat;
  await issue(series);
  await ask(`mutation { saveDocumentNumberFormat(input: { ${address},
    template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-X{SEQ:4}" }) { version } }`);
  expect(await withdraw(2)).toEqual({ __typename: 'DocumentNumberFormatWithdrawn', version: 2 });
  expect(await withdraw(2)).toMatchObject({ __typename: 'DocumentNumberFormatWithdrawn' });
  expect(await withdraw(1)).toEqual({
    __typename: 'DocumentNumberFormatInUse',
    version: 1,
    message: expect.stringContaining('new version'),
  });
  expect((await issue(series)).number).toMatch(/-0002$/);
});

describe('a template that is tried', () => {
  const check = async (typeCode: string | undefined, template: string): Promise<Told> =>
    (
      await ask(`{ documentNumberFormatCheck(input: {
        projectCode: "DEMO", typeCode: "${typeCode}", template: "${template}" }) { __typename
        ... on DocumentNumberFormatValid { version }
        ... on DocumentNumberFormatFault { message position }
        ... on DocumentNumberFormatAmbiguous { example first second } } }`)
    ).documentNumberFormatCheck;

  test('is judged as when it is saved, and nothing is saved', async () => {
    const series = await freshSeries();
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    expect(await check(typeCode, '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-N{SEQ:4}')).toEqual({
      __typename: 'DocumentNumberFormatValid',
      version: 2,
    });
    expect(await check(typeCode, '{ORG}-{TYPE}-{DISCIPLINE}-{COLOUR}-{SEQ:4}')).toMatchObject({
      __typename: 'DocumentNumberFormatInvalid',
      position: 26,
      message: expect.stringContaining('position 26'),
    });
    expect(await check(typeCode, '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}')).toMatchObject({
      __typename: 'DocumentNumberFormatInvalid',
      position: 32,
    });
    expect(await check(typeCode, '{ORG}{TYPE}{DISCIPLINE}{YEAR}{SEQ:4}')).toMatchObject({
      __typename: 'DocumentNumberFormatAmbiguous',
      example: expect.any(String),
      first: expect.stringContaining('series'),
      second: expect.stringContaining('series'),
    });
    const { number } = await issue(series);
    expect(number).toMatch(/-0001$/);
  });

  test('needs a type that is numbered', async () => {
    await ask('mutation { createCorrespondenceType(input: { code: "BARE", name: "x" }) { id } }');
    const { errors } = await gateway.ask(
      '{ documentNumberFormatCheck(input: { projectCode: "DEMO", typeCode: "BARE", template: "x" }) { __typename } }',
    );
    expect(errors[0]?.extensions.reason).toBe('UNKNOWN_SERIES');
  });
});

test('a number is found by its idempotency key and by who took it, with the commit that it came from', async () => {
  const series = await freshSeries();
  await ask(
    `mutation { issueDocumentNumbers(input: { ${series}, count: 2, idempotencyKey: "the key" }) { __typename } }`,
    'clerk-4',
  );
  await issue(series);
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const list = async (filter: string): Promise<Told[]> =>
    (
      await ask(
        `{ documentNumbers(filter: { projectCode: "DEMO", typeCode: "${typeCode}", ${filter} }) {
          edges { node { sequence actorId idempotencyKey commitId expiresAt } } } }`,
        'auditor-2',
      )
    ).documentNumbers.edges.map(({ node }: Told) => node);
  const byKey = await list('idempotencyKey: "the key"');
  expect(byKey).toEqual(
    [1, 2].map((sequence) => ({
      sequence,
      actorId: '4',
      idempotencyKey: 'the key',
      commitId: expect.any(String),
      expiresAt: null,
    })),
  );
  expect(byKey[0].commitId).toBe(byKey[1].commitId);
  expect((await list('actorId: "5"')).map(({ sequence }) => sequence)).toEqual([3]);
  const { errors } = await gateway.ask(
    '{ documentNumbers(filter: { idempotencyKey: "the key" }) { edges { cursor } } }',
  );
  expect(errors[0]?.extensions.reason).toBe('PROJECT_NEEDED');
});

test('a counter says how fast it is used and when it is full', async () => {
  const series = await freshSeries({
    template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:2}',
    more: ', endAt: 90',
  });
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  await ask(`mutation { issueDocumentNumbers(input: { ${series}, count: 30 }) { __typename } }`);
  const { documentNumberCounters } = await ask(
    `{ documentNumberCounters(filter: { typeCode: "${typeCode}" }) { edges { node { lastNumber limit perDay fullOn } } } }`,
    'auditor-2',
  );
  const [{ node }] = documentNumberCounters.edges;
  expect(node).toMatchObject({ lastNumber: 30, limit: 90, perDay: 30 });
  const days = (Date.parse(node.fullOn) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(1.9);
  expect(days).toBeLessThan(2.1);
});

test('a counter that a restore put back gives nothing until an administrator accepts that', async () => {
  const series = await freshSeries();
  for (let sequence = 1; sequence <= 3; sequence += 1) await issue(series);
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const database = new pg.Client({ connectionString: stores.databaseUrl });
  await database.connect();
  await database.query('SET session_replication_role = replica');
  for (const statement of [
    `DELETE FROM document_numbers WHERE sequence > 1 AND number LIKE '%-${typeCode}-%'`,
    `UPDATE document_number_counters SET last_number = 1 WHERE series_id =
      (SELECT id FROM document_number_series WHERE code = '${typeCode}')`,
  ]) {
    await database.query(statement);
  }
  await database.end();
  const { errors } = await gateway.ask(`mutation { issueDocumentNumber(input: { ${series} }) ${RESULT} }`);
  expect(errors[0]?.extensions.reason).toBe('COUNTER_REGRESSION');
  const accept = async (): Promise<Told> =>
    (
      await ask(`mutation { acceptCounterRegression(input: { ${series}, reason: "restored on purpose" }) {
        lastNumber highWaterMark } }`)
    ).acceptCounterRegression;
  expect(await accept()).toEqual({ lastNumber: 1, highWaterMark: 3 });
  expect(await issue(series)).toMatchObject({ sequence: 2 });
});

test('a chosen number is given out, those below it are recorded, and the counter goes on above', async () => {
  const series = await freshSeries();
  const { assignDocumentNumber } = await ask(
    `mutation { assignDocumentNumber(input: { ${series}, sequence: 5, reason: "the stamp says so" }) ${RESULT} }`,
  );
  expect(assignDocumentNumber).toMatchObject({ sequence: 5, status: 'MANUAL', reason: 'the stamp says so' });
  const { errors } = await gateway.ask(
    `mutation { assignDocumentNumber(input: { ${series}, sequence: 9 }) { __typename } }`,
    { as: 'admin-5' },
  );
  expect(errors[0]?.extensions.reason).toBe('REASON');
  const { skipDocumentNumbers } = await ask(
    `mutation { skipDocumentNumbers(input: { ${series}, upTo: 8, reason: "lost" }) { skippedCount } }`,
  );
  expect(skipDocumentNumbers.skippedCount).toBe(3);
  expect(await issue(series)).toMatchObject({ sequence: 9 });
});

test('a number is replaced by the next one, in one commit', async () => {
  const series = await freshSeries();
  const { number } = await issue(series);
  const { replaceDocumentNumber } = await ask(`mutation { replaceDocumentNumber(input: {
    number: "${number}", reason: "wrong drawing", replacement: { ${series} } }) {
    ... on DocumentNumberReplaced { voided { number status replacedBy } replacement { number sequence status } } } }`);
  const { voided, replacement } = replaceDocumentNumber;
  expect(voided).toEqual({ number, status: 'VOID', replacedBy: replacement.number });
  expect(replacement).toMatchObject({ sequence: 2, status: 'ISSUED' });
});

test('what happened to a number is read in pages, and says who and why', async () => {
  const series = await freshSeries();
  const { number } = await issue(series);
  await ask(`mutation { voidDocumentNumber(input: {
    projectCode: "DEMO", number: "${number}", reason: "a mistake" }) { status } }`);
  const { documentNumberEvents } = await ask(
    `{ documentNumberEvents(first: 10, filter: { projectCode: "DEMO", number: "${number}" }) {
      edges { node { id type number sequence actorId actor { name } reason facts occurredAt } } pageInfo { hasNextPage } } }`,
    'auditor-2',
  );
  const nodes = documentNumberEvents.edges.map(({ node }: Told) => node);
  expect(nodes).toContainEqual(
    expect.objectContaining({
      number,
      sequence: 1,
      actorId: '5',
      reason: 'a mistake',
      facts: expect.any(Object),
      actor: { name: 'Ekkachai' },
    }),
  );
});

test('a look at the ledger finds nothing where all is well, and a format that runs full', async () => {
  const series = await freshSeries({ template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:1}' });
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const reconcile = async () =>
    (
      await ask(`mutation { reconcileDocumentNumbers(input: { projectCode: "DEMO", typeCode: "${typeCode}" }) {
        kind lastNumber widthUsed } }`)
    ).reconcileDocumentNumbers;
  expect(await reconcile()).toEqual([]);
  await ask(`mutation { issueDocumentNumbers(input: { ${series}, count: 9 }) { __typename } }`);
  expect(await reconcile()).toEqual([{ kind: 'WIDTH', lastNumber: 9, widthUsed: 1 }]);
});

describe('the ledger as a file', () => {
  const fetchCsv = (query: string, as = 'auditor-2') =>
    fetch(`${gateway.url}/export/document-numbers.csv?${query}`, { headers: { 'x-demo-user': as } });

  test('has a line for each number that meets the conditions', async () => {
    const series = await freshSeries();
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const numbers = [(await issue(series)).number, (await issue(series)).number];
    const response = await fetchCsv(`projectCode=DEMO&typeCode=${typeCode}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = (await response.text()).trim().split('\r\n');
    expect(header).toContain('number');
    expect(lines).toHaveLength(2);
    for (const number of numbers) expect(lines.some((line) => line.includes(number))).toBe(true);
  });

  test.each([
    ['an unknown project', 'projectCode=NOPE', 'UNKNOWN_CODE', 400],
    ['an unknown condition', 'colour=red', 'EXPORT_CONDITION', 400],
    ['a condition twice', 'typeCode=RFA&typeCode=RFI', 'EXPORT_CONDITION', 400],
    ['a date that is none', 'dateFrom=infinity', 'EXPORT_CONDITION', 400],
  ])('is refused for %s, in the form of GraphQL', async (_what, query, reason, status) => {
    const response = await fetchCsv(query);
    expect(response.status).toBe(status);
    expect(((await response.json()) as Told).errors[0].extensions.reason).toBe(reason);
  });

  test('is for those who may read it', async () => {
    const response = await fetchCsv('projectCode=DEMO', 'driver-1');
    expect(response.status).toBe(403);
  });
});

describe('who may', () => {
  test.each([
    [
      'define a series',
      'defineDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFA", rules: {} }) { id }',
    ],
    ['skip', 'skipDocumentNumbers(input: { SERIES, upTo: 5, reason: "x" }) { skippedCount }'],
    ['assign', 'assignDocumentNumber(input: { SERIES, sequence: 5, reason: "x" }) { __typename }'],
    [
      'replace',
      'replaceDocumentNumber(input: { number: "x", reason: "x", replacement: { SERIES } }) { __typename }',
    ],
    ['reconcile', 'reconcileDocumentNumbers(input: {}) { kind }'],
    ['block', 'blockDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFA", reason: "x" }) { id }'],
    ['unblock', 'unblockDocumentSeries(input: { projectCode: "DEMO", typeCode: "RFA" }) { id }'],
    [
      'withdraw a format',
      'withdrawDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "RFA", version: 1 }) { __typename }',
    ],
    ['accept a regression', 'acceptCounterRegression(input: { SERIES, reason: "x" }) { lastNumber }'],
  ])('%s: administrators alone', async (_what, mutation) => {
    const series = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
    for (const as of ['clerk-1', 'auditor-1', 'driver-1']) {
      const { errors } = await gateway.ask(`mutation { ${mutation.replace('SERIES', series)} }`, { as });
      expect(errors[0]?.extensions.reason).toBe('ROLE_MISSING');
    }
  });
});

describe('an offer', () => {
  const request = async (input: string): Promise<string> =>
    (await ask(`mutation { requestTrip(input: { ${input} }) { id } }`, 'rider-61')).requestTrip.id;
  const broadcast = (id: string, as: string, more = '') =>
    gateway.ask(
      `mutation { broadcastTrip(input: { tripId: "${id}", offerEpoch: 1 ${more} }) {
        __typename ... on TripBroadcast { trip { status offerExpiresAt } } ... on TripRefusal { message }
      } }`,
      { as },
    );
  const accept = async (id: string, as: string) =>
    (await ask(`mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`, as))
      .acceptTrip.__typename;

  test('is widened by its rider, and by nobody else', async () => {
    const id = await request('offeredTo: ["601"]');
    expect(await accept(id, 'driver-602')).toBe('NotOffered');
    expect((await broadcast(id, 'rider-62')).errors[0]?.extensions.reason).toBe('NOT_YOUR_TRIP');
    const { data } = await broadcast(id, 'rider-61', ', offeredTo: ["602"], offerTtlMs: 60000');
    expect(data.broadcastTrip).toMatchObject({ __typename: 'TripBroadcast', trip: { status: 'FINDING' } });
    expect(await accept(id, 'driver-602')).toBe('TripAccepted');
    expect((await broadcast(id, 'rider-61')).data.broadcastTrip.__typename).toMatch(/TripTaken|TripNotOpen/);
  });

  test('has its accepts counted', async () => {
    const id = await request('');
    expect(await accept(id, 'driver-603')).toBe('TripAccepted');
    expect(await accept(id, 'driver-604')).toBe('TripTaken');
    const attempts = async () =>
      (await ask(`{ tripAttempts(tripId: "${id}") { offerEpoch outcome count } }`)).tripAttempts;
    for (let turn = 0; turn < 100 && (await attempts()).length < 2; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await attempts()).toEqual([
      { offerEpoch: 1, outcome: 'ACCEPTED', count: 1 },
      { offerEpoch: 1, outcome: 'TAKEN', count: 1 },
    ]);
  });
});
