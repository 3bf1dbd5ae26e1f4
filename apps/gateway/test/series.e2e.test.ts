import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { RESULT, SeriesClerk } from './series-clerk.js';

/** What administrators do with series and formats, and what counters then report. */
const gateway = gatewayOfFile();

const clerk = new SeriesClerk(gateway, 'S');
const ask = (query: string, as?: string): Promise<Json> => clerk.ask(query, as);
const freshSeries = clerk.freshSeries.bind(clerk);
const issue = clerk.issue.bind(clerk);

describe('a series', () => {
  test('can be defined with its rules, read back, and changed where a change is allowed', async () => {
    const series = await freshSeries({
      rules: 'reset: MONTH, timeZone: "UTC"',
      more: ', startAt: 7',
      template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{MONTH}-{SEQ:4}',
    });
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const read = async () =>
      (
        await ask(
          `{ documentSeries(projectCode: "DEMO", first: 100) { edges { node {
          typeCode reset timeZone startAt closedUntil manualInterval { first } project { code } } } } }`,
          'auditor-2',
        )
      ).documentSeries.edges.find(({ node }: Json) => node.typeCode === typeCode)?.node;
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
      rules: { reset: MONTH, timeZone: "UTC", closedUntil: "2026-01-31" } }) { ... on DocumentSeries { revision } } }`);
    expect((await read()).closedUntil).toBe('2026-01-31');
    expect(await issue(`${series}, date: "2026-01-15", otherPeriod: true`)).toEqual({
      __typename: 'PeriodClosed',
      period: '2026-01',
      message: expect.stringContaining('not open'),
    });
  });

  test('can begin beyond 32 bits, and hold a number for a year', async () => {
    const first = 3_000_000_000;
    const template = '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:10}';
    const series = await freshSeries({ template, more: `, startAt: ${first}` });
    const { documentNumberPreview } = await ask(
      `{ documentNumberPreview(input: { ${series} }) { sequence number } }`,
    );
    expect(documentNumberPreview).toEqual({
      sequence: first,
      number: expect.stringMatching(/-3000000000$/),
    });
    const { reserveDocumentNumber: held } = await ask(
      `mutation { reserveDocumentNumber(input: { ${series}, holdMs: 31536000000 }) {
        ... on DocumentNumberReservation { documentNumber { sequence } } } }`,
    );
    expect(held.documentNumber.sequence).toBe(first);
    const { reconcileDocumentNumbers } = await ask(
      `mutation { reconcileDocumentNumbers(input: { projectCode: "DEMO", unattachedAfterMs: 31536000000 }) {
        ... on DocumentNumbersReconciled { findings { kind } } } }`,
    );
    expect(reconcileDocumentNumbers.findings).toEqual(expect.any(Array));
  });

  test('changed by two administrators keeps both changes, or reports the conflict', async () => {
    const series = await freshSeries({ template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}' });
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const define = (rules: string, more = '') =>
      gateway.ask(
        `mutation { defineDocumentSeries(input: { projectCode: "DEMO", typeCode: "${typeCode}", ${more}
        rules: { ${rules} } }) { ... on DocumentSeries { revision } } }`,
        { as: 'admin-5' },
      );
    const { data: seen } = await define('dateOrder: false');
    const asSeen = `expectedRevision: ${seen.defineDocumentSeries.revision}`;
    expect((await define('closedUntil: "2020-12-31"', asSeen)).errors).toEqual([]);
    const { errors } = await define('dateOrder: true', asSeen);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('read it again') })]);
  });

  test("uses its project's default format", async () => {
    await ask(
      `mutation { createProject(input: { code: "DEF", name: "With a default" }) { ... on Project { id } } }`,
    );
    await ask(
      `mutation { defineDocumentSeries(input: { projectCode: "DEF", typeCode: "RFA", rules: {} }) { ... on DocumentSeries { id } } }`,
    );
    const saved = await ask(`mutation { saveDefaultDocumentNumberFormat(input: { projectCode: "DEF",
      template: "{ORG}/{TYPE}/{DISCIPLINE}/{YEAR}/{SEQ:6}" }) { ... on DefaultDocumentNumberFormatSaved { formats { version } } } }`);
    expect(saved.saveDefaultDocumentNumberFormat.formats).toEqual([{ version: 1 }]);
  });

  test('that is full reports that it is exhausted, and its last number', async () => {
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

describe('a blocked series', () => {
  test('refuses with the reason, keeps its other rules, and continues where it was', async () => {
    const series = await freshSeries({
      rules: 'reset: YEAR, timeZone: "UTC"',
      more: ', startAt: 5, endAt: 50, manualInterval: { first: 40, last: 45 }',
    });
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const address = `projectCode: "DEMO", typeCode: "${typeCode}"`;
    const RULES = `timeZone startAt endAt manualInterval { first last } blockedReason`;
    expect(await issue(series)).toMatchObject({ sequence: 5 });
    const { blockDocumentSeries } = await ask(
      `mutation { blockDocumentSeries(input: { ${address}, reason: "replaced by RFI" }) { ... on DocumentSeries { ${RULES} } } }`,
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
    // Neither of these unblocks the series as a side effect.
    await ask(`mutation { defineDocumentSeries(input: { ${address}, startAt: 5, endAt: 50
      manualInterval: { first: 40, last: 45 }, rules: { timeZone: "UTC" } }) { ... on DocumentSeries { id } } }`);
    await ask(`mutation { saveDocumentNumberFormat(input: { ${address}, rules: { timeZone: "UTC" }
      template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:5}" }) { ... on DocumentNumberFormat { version } } }`);
    expect(await issue(series)).toMatchObject({ __typename: 'SeriesBlocked' });
    const { unblockDocumentSeries } = await ask(
      `mutation { unblockDocumentSeries(input: { ${address} }) { ... on DocumentSeries { ${RULES} } } }`,
    );
    expect(unblockDocumentSeries).toEqual({ ...rules, blockedReason: null });
    expect(await issue(series)).toMatchObject({ sequence: 6 });
  });

  test('must exist to be blocked', async () => {
    await ask(
      'mutation { createCorrespondenceType(input: { code: "UNKNOWN", name: "x" }) { ... on CorrespondenceType { id } } }',
    );
    const { errors } = await gateway.ask(
      'mutation { blockDocumentSeries(input: { projectCode: "DEMO", typeCode: "UNKNOWN", reason: "x" }) { ... on DocumentSeries { id } } }',
      { as: 'admin-5' },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'UNKNOWN_SERIES' });
  });

  test('reports exhaustion, not a block, if endAt ended it', async () => {
    const series = await freshSeries({ more: ', endAt: 2' });
    await issue(series);
    await issue(series);
    expect(await issue(series)).toMatchObject({ __typename: 'NumbersExhausted', limit: 2 });
  });
});

test('a format that is refused leaves the rules of its series as they were', async () => {
  const series = await freshSeries({ rules: 'closedUntil: "2020-12-31"' });
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const read = async () => {
    const { documentSeries } = await ask(
      '{ documentSeries(projectCode: "DEMO", first: 100) { edges { node { typeCode closedUntil dateOrder reset } } } }',
    );
    return documentSeries.edges.find(({ node }: Json) => node.typeCode === typeCode).node;
  };
  const before = await read();
  for (const template of ['{ORG}-{SEQ:4}', '{NOTHING}']) {
    const { errors } = await gateway.ask(`mutation { saveDocumentNumberFormat(input: {
      projectCode: "DEMO", typeCode: "${typeCode}", template: "${template}",
      rules: { closedUntil: "2199-12-31", dateOrder: true } }) { __typename } }`);
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(await read()).toEqual(before);
  }
  expect(await issue(series)).toMatchObject({ sequence: 1 });
});

test('a format can have a description, for people', async () => {
  const series = await freshSeries();
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const save = async (description: string): Promise<Json> =>
    (
      await ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "${typeCode}",
        template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}" ${description} }) { ... on DocumentNumberFormat { version description } } }`)
    ).saveDocumentNumberFormat;
  expect(await save('')).toEqual({ version: 1, description: null });
  const described = { version: 2, description: 'For approvals by the owner' };
  expect(await save('description: "For approvals by the owner"')).toEqual(described);
  expect(await save('')).toEqual(described);
});

test('a format can be withdrawn only if it has printed no number', async () => {
  const series = await freshSeries();
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const address = `projectCode: "DEMO", typeCode: "${typeCode}"`;
  const withdraw = async (version: number): Promise<Json> =>
    (
      await ask(`mutation { withdrawDocumentNumberFormat(input: { ${address}, version: ${version} }) { __typename
        ... on DocumentNumberFormatWithdrawn { version } ... on DocumentNumberFormatInUse { version message } } }`)
    ).withdrawDocumentNumberFormat;
  await issue(series);
  await ask(`mutation { saveDocumentNumberFormat(input: { ${address},
    template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-X{SEQ:4}" }) { ... on DocumentNumberFormat { version } } }`);
  expect(await withdraw(2)).toEqual({ __typename: 'DocumentNumberFormatWithdrawn', version: 2 });
  expect(await withdraw(2)).toMatchObject({ __typename: 'DocumentNumberFormatWithdrawn' });
  expect(await withdraw(1)).toEqual({
    __typename: 'DocumentNumberFormatInUse',
    version: 1,
    message: expect.stringContaining('new version'),
  });
  expect((await issue(series)).number).toMatch(/-0002$/);
});

describe('a format check', () => {
  const check = async (typeCode: string | undefined, template: string): Promise<Json> =>
    (
      await ask(`{ documentNumberFormatCheck(input: {
        projectCode: "DEMO", typeCode: "${typeCode}", template: "${template}" }) { __typename
        ... on DocumentNumberFormatValid { version }
        ... on DocumentNumberFormatFault { message position }
        ... on DocumentNumberFormatAmbiguous { example first second } } }`)
    ).documentNumberFormatCheck;

  test('validates the template as if it were saved, and saves nothing', async () => {
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

  test('requires a numbered type', async () => {
    await ask(
      'mutation { createCorrespondenceType(input: { code: "BARE", name: "x" }) { ... on CorrespondenceType { id } } }',
    );
    const { errors } = await gateway.ask(
      '{ documentNumberFormatCheck(input: { projectCode: "DEMO", typeCode: "BARE", template: "{SEQ:4}" }) { __typename } }',
    );
    expect(errors[0]?.extensions.reason).toBe('UNKNOWN_SERIES');
  });
});

test('a number is found by its idempotency key and by its actor, with its commit', async () => {
  const series = await freshSeries();
  await ask(
    `mutation { issueDocumentNumbers(input: { ${series}, count: 2, idempotencyKey: "the key" }) { __typename } }`,
    'clerk-4',
  );
  await issue(series);
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const list = async (filter: string): Promise<Json[]> =>
    (
      await ask(
        `{ documentNumbers(filter: { projectCode: "DEMO", typeCode: "${typeCode}", ${filter} }) {
          edges { node { sequence actorId idempotencyKey commitId expiresAt } } } }`,
        'auditor-2',
      )
    ).documentNumbers.edges.map(({ node }: Json) => node);
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

/** The counter of a new series with 90 numbers, 30 of which were issued today. */
async function counterOfNinety(reset: string, template: string): Promise<Json> {
  const series = await freshSeries({ rules: `reset: ${reset}`, template, more: ', endAt: 90' });
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  await ask(`mutation { issueDocumentNumbers(input: { ${series}, count: 30 }) { __typename } }`);
  const { documentNumberCounters } = await ask(
    `{ documentNumberCounters(filter: { typeCode: "${typeCode}" }) { edges { node { lastNumber limit perDay fullOn } } } }`,
    'auditor-2',
  );
  return documentNumberCounters.edges[0].node;
}

test('a counter reports its rate of use and when it will be full', async () => {
  const node = await counterOfNinety('NEVER', '{ORG}-{TYPE}-{DISCIPLINE}-{SEQ:2}');
  expect(node).toMatchObject({ lastNumber: 30, limit: 90, perDay: 30 });
  const days = (Date.parse(node.fullOn) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(1.9);
  expect(days).toBeLessThan(2.1);
});

test('a counter whose format widens has no limit', async () => {
  const series = await freshSeries();
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  await ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "${typeCode}",
    template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:1}", overflow: WIDEN }) { __typename } }`);
  await ask(`mutation { issueDocumentNumbers(input: { ${series}, count: 12 }) { __typename } }`);
  const { documentNumberCounters } = await ask(
    `{ documentNumberCounters(filter: { typeCode: "${typeCode}" }) { edges { node { lastNumber limit fullOn } } } }`,
  );
  expect(documentNumberCounters.edges).toEqual([{ node: { lastNumber: 12, limit: null, fullOn: null } }]);
});

test('a counter whose period ends before its numbers do is never full', async () => {
  const node = await counterOfNinety('DAY', '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}{MONTH}{DAY}-{SEQ:2}');
  expect(node).toMatchObject({ limit: 90, perDay: 30, fullOn: null });
});

test('a counter that a restore set back issues nothing until an administrator accepts the regression', async () => {
  const series = await freshSeries();
  for (let sequence = 1; sequence <= 3; sequence += 1) await issue(series);
  const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
  const database = new pg.Client({ connectionString: gateway.stores.ownerUrl });
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
  const accept = async (): Promise<Json> =>
    (
      await ask(`mutation { acceptCounterRegression(input: { ${series}, reason: "restored on purpose" }) {
        ... on CounterRegressionAccepted {
          lastNumber highWaterMark
        }
      } }`)
    ).acceptCounterRegression;
  expect(await accept()).toEqual({ lastNumber: 1, highWaterMark: 3 });
  expect(await issue(series)).toMatchObject({ sequence: 2 });
});
