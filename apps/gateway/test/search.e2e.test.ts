import { beforeAll, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { gatewayOfFile, type Json } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/** A clerk finds numbers by what they remember, within the projects of their token. */
const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });
const SERIES = 'organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
const malee: TokenFacts = { subject: '71', roles: ['clerk'], projects: ['ONE'], name: 'Malee Sukjai' };

async function ask(query: string, facts: TokenFacts = {}): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { headers: await bearer(facts) });
  expect(errors).toEqual([]);
  return data;
}

async function search(conditions: string, facts: TokenFacts = {}): Promise<Json> {
  const query = `{ searchDocumentNumbers(search: { ${conditions} }) {
    total isMore people { name } numbers { sequence project { code } } } }`;
  return (await ask(query, facts)).searchDocumentNumbers;
}

beforeAll(async () => {
  for (const create of [
    'Organization(input: { code: "TEAM"',
    'CorrespondenceType(input: { code: "RFA"',
    'Discipline(input: { code: "STR"',
  ]) {
    await ask(`mutation { create${create}, name: "x" }) { __typename } }`);
  }
  for (const code of ['ONE', 'TWO']) {
    await ask(`mutation { createProject(input: { code: "${code}", name: "x" }) { __typename } }`);
    await ask(`mutation { saveDocumentNumberFormat(input: { projectCode: "${code}", typeCode: "RFA",
      template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}" }) { __typename } }`);
  }
  const issue = (code: string) =>
    `mutation { issueDocumentNumber(input: { projectCode: "${code}", ${SERIES} }) { __typename } }`;
  for (const [code, facts] of [
    ['ONE', malee],
    ['ONE', malee],
    ['TWO', {}],
  ] as const)
    await ask(issue(code), facts);
});

test('by the beginning in any case, newest first, in every project of the token or in one', async () => {
  const ofAll = await search('text: "team-rfa"');
  expect([ofAll.total, ofAll.isMore]).toEqual([3, false]);
  const ones = {
    total: 2,
    numbers: [2, 1].map((sequence) => ({ sequence, project: { code: 'ONE' } })),
  };
  expect(await search('text: "team-rfa"', malee)).toMatchObject(ones);
  expect(await search('text: "Team-R", projectCode: "ONE"')).toMatchObject(ones);
  expect(await search('text: "team-rfa", actorId: "71"')).toMatchObject(ones);
  expect(await search('text: "team-rfa", dateTo: "2020-01-01"')).toMatchObject({
    total: 0,
    numbers: [],
  });
});

test('by the sequence, and not in another project', async () => {
  expect((await search('text: "0001"')).numbers).toHaveLength(2);
  expect((await search('text: "1"', malee)).numbers).toEqual([{ sequence: 1, project: { code: 'ONE' } }]);
  const foreign = '{ searchDocumentNumbers(search: { text: "1", projectCode: "TWO" }) { total } }';
  const { errors } = await gateway.ask(foreign, { headers: await bearer(malee) });
  expect(errors[0]?.extensions.reason).toBe('NOT_YOUR_PROJECT');
});

test('people are found by name, by administrators only', async () => {
  await until(async () => (await search('text: "malee"')).people.length === 1);
  expect((await search('text: "malee s"')).people).toEqual([{ name: 'Malee Sukjai' }]);
  expect((await search('text: "malee"', malee)).people).toEqual([]);
});
