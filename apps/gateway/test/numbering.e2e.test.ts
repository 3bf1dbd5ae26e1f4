import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** Document numbers over GraphQL: every way to obtain one, and every query about them. */
const gateway = gatewayOfFile();

let seriesCount = 0;

/** The codes of an unused counter, as GraphQL input. */
async function freshSeries(): Promise<string> {
  seriesCount += 1;
  const code = `D${seriesCount}`;
  await ask(
    `mutation { createDiscipline(input: { code: "${code}", name: "Fresh" }) { ... on Discipline { id } } }`,
  );
  return `projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFI", disciplineCode: "${code}"`;
}

async function ask(query: string, variables: Record<string, unknown> = {}, as = 'admin-5'): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { variables, as });
  expect(errors).toEqual([]);
  return data;
}

describe('issueDocumentNumber', () => {
  test('returns the full ledger entry, including references', async () => {
    const series = await freshSeries();
    const { issueDocumentNumber: issued } =
      await ask(`mutation { issueDocumentNumber(input: { ${series}, reason: "first" }) { ... on DocumentNumber {
      id number sequence status period date typeCode organizationCode disciplineCode formatVersion guard waitedMs
      retryCount reason issuedAt replacedBy project { code } actor { id name } correspondence { id }
    } } }`);
    expect(issued).toMatchObject({
      sequence: 1,
      status: 'ISSUED',
      typeCode: 'RFI',
      organizationCode: 'TEAM',
      formatVersion: 1,
      guard: 'ROW',
      retryCount: 0,
      reason: 'first',
      replacedBy: null,
      project: { code: 'DEMO' },
      actor: { id: '5', name: 'Ekkachai' },
      correspondence: null,
    });
    expect(issued.number).toBe(`TEAM-RFI-${issued.disciplineCode}-${issued.period}-0001`);
    expect(Date.parse(issued.issuedAt)).toBeGreaterThan(0);
    const { documentNumber: byId } = await ask(`{ documentNumber(by: { id: "${issued.id}" }) { number } }`);
    const { documentNumber: byText } = await ask(
      `{ documentNumber(by: { number: { projectCode: "DEMO", number: "${issued.number}" } }) { id } }`,
    );
    expect(byId.number).toBe(issued.number);
    expect(byText.id).toBe(issued.id);
  });

  test('the same key returns the same number, also for 20 concurrent calls; different content is refused', async () => {
    const series = await freshSeries();
    const issue = (codes: string) =>
      gateway.ask(
        `mutation { issueDocumentNumber(input: { ${codes}, idempotencyKey: "key-1" }) {
          __typename ... on DocumentNumber { number } ... on Refusal { message }
        } }`,
      );
    const answers = await Promise.all(Array.from({ length: 20 }, () => issue(series)));
    expect(new Set(answers.map(({ data }) => data.issueDocumentNumber.number)).size).toBe(1);
    const { data, errors } = await issue(series.replace('TEAM', 'OWN'));
    expect(errors).toEqual([]);
    expect(data.issueDocumentNumber).toEqual({
      __typename: 'IdempotencyKeyReused',
      message: expect.stringContaining('use a new key'),
    });
    const { documentNumberPreview } = await ask(
      `{ documentNumberPreview(input: { ${series} }) { sequence promised } }`,
    );
    expect(documentNumberPreview).toEqual({ sequence: 2, promised: false });
  });

  test('bulk-issued numbers are consecutive', async () => {
    const series = await freshSeries();
    const { issueDocumentNumbers } = await ask(
      `mutation { issueDocumentNumbers(input: { ${series}, count: 50 }) {
        ... on DocumentNumbersIssued { documentNumbers { sequence issuedAt } } } }`,
    );
    const sequences = issueDocumentNumbers.documentNumbers.map(
      ({ sequence }: { sequence: number }) => sequence,
    );
    expect(sequences).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });
});

describe('reservations', () => {
  test('are confirmed or cancelled once, by their token, and never leave a gap', async () => {
    const series = await freshSeries();
    const reserve = `mutation { reserveDocumentNumber(input: { ${series}, holdMs: 60000 }) { ... on DocumentNumberReservation {
      token expiresAt documentNumber { number status sequence }
    } } }`;
    const first = (await ask(reserve)).reserveDocumentNumber;
    const second = (await ask(reserve)).reserveDocumentNumber;
    expect(first.documentNumber).toMatchObject({ status: 'RESERVED', sequence: 1 });
    const confirmed = await ask(
      'mutation ($token: String!) { confirmDocumentNumber(input: { token: $token }) { ... on DocumentNumber { status number } } }',
      { token: first.token },
    );
    expect(confirmed.confirmDocumentNumber).toEqual({
      status: 'ISSUED',
      number: first.documentNumber.number,
    });
    const cancel =
      'mutation ($token: String!) { cancelDocumentNumber(input: { token: $token, reason: "no" }) { ... on DocumentNumber { status } } }';
    expect((await ask(cancel, { token: second.token })).cancelDocumentNumber.status).toBe('CANCELLED');
    const { errors } = await gateway.ask(cancel, { variables: { token: first.token } });
    expect(errors[0]?.extensions).toMatchObject({ code: 'FAILED_PRECONDITION', reason: 'NUMBER_STATE' });
    const { issueDocumentNumber } = await ask(
      `mutation { issueDocumentNumber(input: { ${series} }) { ... on DocumentNumber { sequence } } }`,
    );
    expect(issueDocumentNumber.sequence).toBe(3);
  });
});

test('a reservation that nobody confirms is cancelled, and another one that is held longer is not', async () => {
  const series = await freshSeries();
  const reserve = async (holdMs: number): Promise<string> => {
    const { reserveDocumentNumber } = await ask(`mutation { reserveDocumentNumber(input: {
      ${series}, holdMs: ${holdMs} }) { ... on DocumentNumberReservation { documentNumber { id } } } }`);
    return reserveDocumentNumber.documentNumber.id;
  };
  const [short, long] = [await reserve(1_000), await reserve(600_000)];
  const statusOf = async (id: string): Promise<string> =>
    (await ask(`{ documentNumber(by: { id: "${id}" }) { status } }`)).documentNumber.status;
  await until(async () => (await statusOf(short)) === 'CANCELLED');
  expect(await statusOf(long)).toBe('RESERVED');
});

test('a reservation that is requested again has the status of its number now', async () => {
  const reserve = `mutation { reserveDocumentNumber(input: { ${await freshSeries()}, idempotencyKey: "held" }) {
    ... on DocumentNumberReservation { token documentNumber { number status } } } }`;
  const { token, documentNumber } = (await ask(reserve)).reserveDocumentNumber;
  await ask(`mutation { confirmDocumentNumber(input: { token: "${token}" }) { __typename } }`);
  expect((await ask(reserve)).reserveDocumentNumber).toEqual({
    token,
    documentNumber: { ...documentNumber, status: 'ISSUED' },
  });
});

test('a void number keeps its row and is never issued again', async () => {
  const series = await freshSeries();
  const issue = `mutation { issueDocumentNumber(input: { ${series} }) { ... on DocumentNumber { number } } }`;
  const { number } = (await ask(issue)).issueDocumentNumber;
  const { voidDocumentNumber } = await ask(
    `mutation { voidDocumentNumber(input: { projectCode: "DEMO", number: "${number}", reason: "wrong" }) { ... on DocumentNumber { status reason } } }`,
  );
  expect(voidDocumentNumber).toMatchObject({ status: 'VOID' });
  expect((await ask(issue)).issueDocumentNumber.number).toMatch(/0002$/);
});

describe('importDocumentNumbers', () => {
  test('a dry run stores nothing; an import stores all or nothing, and the counter continues above it', async () => {
    const series = await freshSeries();
    const codes = Object.fromEntries(
      [...series.matchAll(/(\w+): "(\w+)"/g)].map(([, name, code]) => [name, code]),
    );
    const { projectCode, ...rowCodes } = codes;
    const { date } = (
      await ask(
        `mutation { issueDocumentNumber(input: { ${await freshSeries()} }) { ... on DocumentNumber { date } } }`,
      )
    ).issueDocumentNumber;
    const rows = [1, 2, 3].map((sequence) => ({ ...rowCodes, sequence, date }));
    const run = (input: object) =>
      ask(
        `mutation ($input: ImportDocumentNumbersInput!) { importDocumentNumbers(input: $input) {
          ... on ImportReport {
            imported rowCount problemCount problems { row code }
          }
        } }`,
        { input: { projectCode, ...input } },
      );
    expect((await run({ rows, dryRun: true })).importDocumentNumbers).toMatchObject({
      imported: false,
      problemCount: 0,
    });
    const broken = (await run({ rows: [...rows, rows[0]] })).importDocumentNumbers;
    expect(broken).toMatchObject({ imported: false });
    expect(broken.problemCount).toBeGreaterThan(0);
    expect((await run({ rows })).importDocumentNumbers).toMatchObject({ imported: true, rowCount: 3 });
    const next = await ask(
      `mutation { issueDocumentNumber(input: { ${series} }) { ... on DocumentNumber { sequence } } }`,
    );
    expect(next.issueDocumentNumber.sequence).toBe(4);
  });
});

test('an import with an empty number stores nothing', async () => {
  const series = await freshSeries();
  const [, disciplineCode] = /disciplineCode: "(\w+)"/.exec(series) ?? [];
  const { data, errors } =
    await gateway.ask(`mutation { importDocumentNumbers(input: { projectCode: "DEMO", rows: [{
    typeCode: "RFI", organizationCode: "TEAM", disciplineCode: "${disciplineCode}", sequence: 1, date: "2020-01-01", number: ""
  }] }) { ... on ImportReport { imported problems { row code } } } }`);
  expect(data?.importDocumentNumbers.imported ?? errors[0]?.extensions.code).not.toBe(true);
});

describe('formats', () => {
  test('a new version applies to new numbers and leaves old ones unchanged', async () => {
    await ask('mutation { createProject(input: { code: "P2", name: "Second" }) { ... on Project { id } } }');
    const save = (template: string) =>
      ask(
        'mutation ($input: SaveDocumentNumberFormatInput!) { saveDocumentNumberFormat(input: $input) { ... on DocumentNumberFormat { version template } } }',
        {
          input: { projectCode: 'P2', typeCode: 'MEMO', template, overflow: 'WIDEN' },
        },
      );
    const issue =
      'mutation { issueDocumentNumber(input: { projectCode: "P2", organizationCode: "OWN", typeCode: "MEMO", disciplineCode: "ARC" }) { ... on DocumentNumber { number } } }';
    expect(
      (await save('{ORG_CODE}/{TYPE_CODE}/{DISCIPLINE_CODE}/{YEAR:BE}/{SEQ:3}')).saveDocumentNumberFormat
        .version,
    ).toBe(1);
    expect((await ask(issue)).issueDocumentNumber.number).toMatch(/^OWN\/MEMO\/ARC\/25\d\d\/001$/);
    expect((await save('{YEAR}-{ORG}-{DISCIPLINE}-{SEQ:5}')).saveDocumentNumberFormat.version).toBe(2);
    expect((await ask(issue)).issueDocumentNumber.number).toMatch(/^20\d\d-OWN-ARC-00002$/);
    const { documentNumberFormats } = await ask(
      '{ documentNumberFormats(filter: { projectCode: "P2" }) { edges { node { version overflow project { code } } } } }',
    );
    const shared = { overflow: 'WIDEN', project: { code: 'P2' } };
    expect(documentNumberFormats.edges).toEqual([
      { node: { version: 2, ...shared } },
      { node: { version: 1, ...shared } },
    ]);
  });
});

describe('correspondences', () => {
  test('100 created concurrently have 100 different IDs and the numbers 1 to 100, each with its row', async () => {
    const series = await freshSeries();
    const create = (index: number) =>
      ask(
        `mutation { createCorrespondence(input: { ${series}, subject: "Letter ${index}" }) { ... on Correspondence { id documentNumber subject } } }`,
      );
    const created = await Promise.all(Array.from({ length: 100 }, (_, index) => create(index)));
    const documents = created.map(({ createCorrespondence }) => createCorrespondence);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(100);
    const sequences = documents
      .map(({ documentNumber }) => Number(documentNumber.slice(-4)))
      .toSorted((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const [{ documentNumber }] = documents;
    const entry =
      await ask(`{ documentNumber(by: { number: { projectCode: "DEMO", number: "${documentNumber}" } }) {
      correspondence { documentNumber subject type { code } discipline { code } organization { code } }
    } }`);
    expect(entry.documentNumber.correspondence).toMatchObject({ documentNumber, type: { code: 'RFI' } });
  });

  test('the same key returns the same document', async () => {
    const series = await freshSeries();
    const create = `mutation { createCorrespondence(input: { ${series}, subject: "Once", idempotencyKey: "doc-${seriesCount}" }) { ... on Correspondence { id documentNumber } } }`;
    const [first, second] = await Promise.all([ask(create), ask(create)]);
    expect(second).toEqual(first);
    expect(await ask(create)).toEqual(first);
  });

  test('pages have no gaps or repeats', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { correspondences } = await ask(
        'query ($after: String) { correspondences(first: 40, after: $after, filter: { projectCode: "DEMO" }) { edges { node { id } } pageInfo { endCursor hasNextPage hasPreviousPage } } }',
        { after },
      );
      seen.push(...correspondences.edges.map(({ node }: { node: { id: string } }) => node.id));
      expect(correspondences.pageInfo.hasPreviousPage).toBe(after !== null);
      after = correspondences.pageInfo.hasNextPage ? correspondences.pageInfo.endCursor : null;
    } while (after !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(101);
  });
});

test('counters report their last number', async () => {
  const { documentNumberCounters } = await ask(
    '{ documentNumberCounters(first: 100, filter: { typeCode: "RFI" }) { edges { node { disciplineCode lastNumber version widthUsed project { code } } } } }',
  );
  const counters = documentNumberCounters.edges.map(({ node }: { node: object }) => node);
  expect(counters).toContainEqual(
    expect.objectContaining({
      lastNumber: 100,
      widthUsed: expect.closeTo(0.01, 5),
      project: { code: 'DEMO' },
    }),
  );
});
