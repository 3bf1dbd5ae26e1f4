import { describe, expect, test } from '@jest/globals';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { RESULT, SeriesClerk } from './series-clerk.js';

/** Which codes a series counts by, which its format prints, and how requests give them. */
const gateway = gatewayOfFile({ NUMBER_TOKENS: 'LOT' });
const clerk = new SeriesClerk(gateway, 'C');

const YEAR = new Date(Date.now() + 7 * 3_600_000).getUTCFullYear();

/** Defines the series of a new document type, and returns the codes of a request without a discipline. */
async function series(template: string, dimensions?: string): Promise<string> {
  const typeCode = await clerk.freshType();
  const rules = dimensions === undefined ? '' : `rules: { dimensions: [${dimensions}] }`;
  await clerk.ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "${typeCode}",
    template: "${template}" ${rules} }) { ... on DocumentNumberFormat { version } } }`);
  return `projectCode: "DEMO", organizationCode: "TEAM", typeCode: "${typeCode}"`;
}

const refusal = async (codes: string): Promise<Json> =>
  (await gateway.ask(`mutation { issueDocumentNumber(input: { ${codes} }) ${RESULT} }`)).errors[0];
const typeOf = (codes: string): string => /typeCode: "(\w+)"/.exec(codes)?.[1] ?? '';

describe('a document without a discipline', () => {
  test('is printed and counted under the code for none', async () => {
    const codes = await series(
      '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}',
      '{ token: "ORG" }, { token: "DISCIPLINE", none: "GEN" }',
    );
    const printed = `TEAM-${typeOf(codes)}-GEN-${YEAR}-0001`;
    const { documentNumberPreview } = await clerk.ask(
      `{ documentNumberPreview(input: { ${codes} }) { number } }`,
    );
    expect(documentNumberPreview.number).toBe(printed);
    expect(await clerk.issue(codes)).toMatchObject({ number: printed });
    expect(await clerk.issue(`${codes}, disciplineCode: null`)).toMatchObject({ sequence: 2 });
    expect(await clerk.issue(`${codes}, disciplineCode: "GEN"`)).toMatchObject({ sequence: 3 });
    expect(await clerk.issue(`${codes}, disciplineCode: "STR"`)).toMatchObject({ sequence: 1 });
    expect((await refusal(`${codes}, disciplineCode: "NONE"`)).extensions.reason).toBe('UNKNOWN_CODE');
    const { createCorrespondence } = await clerk.ask(`mutation { createCorrespondence(input: {
      ${codes}, subject: "No discipline" }) { ... on Correspondence { documentNumber discipline { code } } } }`);
    expect(createCorrespondence).toEqual({
      documentNumber: `TEAM-${typeOf(codes)}-GEN-${YEAR}-0004`,
      discipline: null,
    });
    const { documentNumberCounters } = await clerk.ask(`{ documentNumberCounters(filter: {
      projectCode: "DEMO", typeCode: "${typeOf(codes)}" }) {
      edges { node { disciplineCode lastNumber dimensions { token code } } } } }`);
    const counters = documentNumberCounters.edges.map(({ node }: Json) => node);
    expect(counters).toContainEqual({
      disciplineCode: 'GEN',
      lastNumber: 4,
      dimensions: [
        { token: 'DISCIPLINE', code: 'GEN' },
        { token: 'ORG', code: 'TEAM' },
      ],
    });
  });

  test('is numbered by a series without that dimension', async () => {
    const codes = await series('{ORG}-{TYPE}-{YEAR}-{SEQ:4}', '{ token: "ORG" }');
    expect(await clerk.issue(codes)).toMatchObject({ number: `TEAM-${typeOf(codes)}-${YEAR}-0001` });
    expect(await clerk.issue(`${codes}, disciplineCode: "STR"`)).toMatchObject({ sequence: 2 });
    const { documentSeries } = await clerk.ask(
      '{ documentSeries(projectCode: "DEMO", first: 100) { edges { node { typeCode dimensions { token none } } } } }',
    );
    expect(documentSeries.edges).toContainEqual({
      node: { typeCode: typeOf(codes), dimensions: [{ token: 'ORG', none: null }] },
    });
  });

  test('is refused by a series that counts by discipline without a code for none', async () => {
    const codes = await series('{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}');
    expect(await refusal(codes)).toMatchObject({
      message: expect.stringContaining('disciplineCode'),
      extensions: { reason: 'UNKNOWN_CODE' },
    });
  });

  test('can be imported', async () => {
    const codes = await series(
      '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}',
      '{ token: "ORG" }, { token: "DISCIPLINE", none: "GEN" }',
    );
    const { importDocumentNumbers } =
      await clerk.ask(`mutation { importDocumentNumbers(input: { projectCode: "DEMO",
      rows: [{ typeCode: "${typeOf(codes)}", organizationCode: "TEAM", sequence: 1, date: "${YEAR}-01-01" }] }) {
        ... on ImportReport {
        imported problems { message }
        }
      } }`);
    expect(importDocumentNumbers).toEqual({ imported: true, problems: [] });
    expect(await clerk.issue(codes)).toMatchObject({ number: `TEAM-${typeOf(codes)}-GEN-${YEAR}-0002` });
  });
});

test('the dimensions of a series stay when its other rules change', async () => {
  const codes = await series('{ORG}-{TYPE}-{YEAR}-{SEQ:4}', '{ token: "ORG" }');
  await clerk.issue(codes);
  const { defineDocumentSeries } =
    await clerk.ask(`mutation { defineDocumentSeries(input: { projectCode: "DEMO",
    typeCode: "${typeOf(codes)}", rules: { dateOrder: true } }) { ... on DocumentSeries { dateOrder dimensions { token } } } }`);
  expect(defineDocumentSeries).toEqual({ dateOrder: true, dimensions: [{ token: 'ORG' }] });
});

describe('the codes of further tokens', () => {
  const TEMPLATE = '{ORG}-{TYPE}-{DISCIPLINE}-{SUB_TYPE}-{YEAR}-{SEQ:4}-{LOT}-{REVISION}';
  const STR = 'disciplineCode: "STR"';

  test('are given in fields and printed, in every request for a number', async () => {
    const codes = `${await series(TEMPLATE)}, ${STR}, fields: [
      { token: "SUB_TYPE", code: "SHOP" }, { token: "LOT", code: "7" }, { token: "REV", code: "A" }]`;
    const number = (sequence: number) => `TEAM-${typeOf(codes)}-STR-SHOP-${YEAR}-000${sequence}-7-A`;
    expect(await clerk.issue(codes)).toMatchObject({ number: number(1) });
    const answers = await clerk.ask(`mutation {
      reserveDocumentNumber(input: { ${codes} }) { ... on DocumentNumberReservation { documentNumber { number } } }
      createCorrespondence(input: { ${codes}, subject: "x" }) { ... on Correspondence { documentNumber } }
      assignDocumentNumber(input: { ${codes}, sequence: 4, reason: "x" }) ${RESULT}
      replaceDocumentNumber(input: { number: "${number(1)}", reason: "x", replacement: { ${codes} } }) {
        ... on DocumentNumberReplaced { replacement { number } } } }`);
    expect(answers).toMatchObject({
      reserveDocumentNumber: { documentNumber: { number: number(2) } },
      createCorrespondence: { documentNumber: number(3) },
      assignDocumentNumber: { number: number(4) },
      replaceDocumentNumber: { replacement: { number: number(5) } },
    });
  });

  test('can have counters of their own', async () => {
    const codes = await series(
      '{ORG}-{TYPE}-{SUB_TYPE}-{YEAR}-{SEQ:4}',
      '{ token: "ORG" }, { token: "SUB_TYPE", none: "GEN" }',
    );
    const sub = (code: string) => `${codes}, fields: [{ token: "SUB_TYPE", code: "${code}" }]`;
    expect(await clerk.issue(sub('SHOP'))).toMatchObject({
      number: `TEAM-${typeOf(codes)}-SHOP-${YEAR}-0001`,
    });
    expect(await clerk.issue(sub('ASB'))).toMatchObject({ sequence: 1 });
    expect(await clerk.issue(sub('SHOP'))).toMatchObject({ sequence: 2 });
    expect(await clerk.issue(codes)).toMatchObject({ number: `TEAM-${typeOf(codes)}-GEN-${YEAR}-0001` });
  });

  test.each([
    ['are missing', '', 'UNKNOWN_CODE', 'fields'],
    ['are given twice', '{ token: "LOT", code: "1" }, { token: "LOT", code: "2" }', 'INVALID_CODE', 'once'],
    ['look like others', '{ token: "LOT", code: "А" }', 'INVALID_CODE', 'look like'],
    ['are of no token', '{ token: "COLOUR", code: "RED" }', 'INVALID_REQUEST', 'COLOUR'],
    ['are given elsewhere', '{ token: "ORG", code: "OWN" }', 'INVALID_CODE', 'once'],
  ])('are refused if they %s', async (_name, fields, reason, text) => {
    const codes = await series('{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}-{LOT}');
    expect(await refusal(`${codes}, ${STR}, fields: [${fields}]`)).toMatchObject({
      message: expect.stringContaining(text),
      extensions: { reason },
    });
    const given = `${codes}, ${STR}, fields: [{ token: "LOT", code: "1" }]`;
    expect(await clerk.issue(given)).toMatchObject({ sequence: 1 });
  });

  test('that no request can give are refused when the format is saved', async () => {
    const typeCode = await clerk.freshType();
    const { errors } = await gateway.ask(
      `mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "${typeCode}",
        template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}-{COLOUR}" }) { ... on DocumentNumberFormat { version } } }`,
    );
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('LOT'),
      extensions: { reason: 'UNKNOWN_TOKEN' },
    });
  });
});

test('a request cannot give the code of an authority', async () => {
  const codes = await series('{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{AUTHORITY}-{SEQ:4}');
  const error = await refusal(
    `${codes}, disciplineCode: "STR", fields: [{ token: "AUTHORITY", code: "FORGED" }]`,
  );
  expect(error).toMatchObject({
    message: expect.stringContaining('authorityCode'),
    extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_CODE' },
  });
});
