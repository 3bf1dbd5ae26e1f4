import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { gatewayOfFile } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT, type TokenFacts } from './tokens.js';

/** A clerk can read and write only the projects in their token; an auditor can only read them. */
const gateway = gatewayOfFile({ ...JWT_ENVIRONMENT, RATE_LIMIT_PER_SECOND: '0' });
const ids: Record<string, string> = {};
const SERIES = 'organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
const clerk = (...projects: string[]): TokenFacts => ({ subject: '11', roles: ['clerk'], projects });
const auditor = (...projects: string[]): TokenFacts => ({ subject: '12', roles: ['auditor'], projects });

beforeAll(async () => {
  const run = async (query: string) => {
    const { data, errors } = await ask(query, {});
    expect(errors).toEqual([]);
    return data;
  };
  await run(
    'mutation { createOrganization(input: { code: "TEAM", name: "x" }) { ... on Organization { id } } }',
  );
  await run(
    'mutation { createCorrespondenceType(input: { code: "RFA", name: "x" }) { ... on CorrespondenceType { id } } }',
  );
  await run('mutation { createDiscipline(input: { code: "STR", name: "x" }) { ... on Discipline { id } } }');
  for (const code of ['ONE', 'TWO', 'THREE']) {
    ids[code] = (
      await run(`mutation { createProject(input: { code: "${code}", name: "x" }) { ... on Project { id } } }`)
    ).createProject.id;
    await run(`mutation { saveDocumentNumberFormat(input: { projectCode: "${code}", typeCode: "RFA",
      template: "{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}" }) { ... on DocumentNumberFormat { version } } }`);
    const created = await run(`mutation { createCorrespondence(input: {
      projectCode: "${code}", ${SERIES}, subject: "secret of ${code}" }) { ... on Correspondence { id documentNumber } } }`);
    ids[`${code} document`] = created.createCorrespondence.id;
    const found = await run(`{ documentNumber(by: { number: {
      number: "${created.createCorrespondence.documentNumber}", projectCode: "${code}" } }) { id } }`);
    ids[`${code} number`] = found.documentNumber.id;
  }
});

async function ask(query: string, facts: TokenFacts) {
  return gateway.ask(query, { headers: await bearer(facts) });
}

async function reasonOf(query: string, facts: TokenFacts): Promise<unknown> {
  return (await ask(query, facts)).errors[0]?.extensions.reason;
}

/** Every operation that reads or writes within one project. */
const READS = (code: string): Record<string, string> => ({
  preview: `{ documentNumberPreview(input: { projectCode: "${code}", ${SERIES} }) { number } }`,
  'a number by its text': `{ documentNumber(by: { number: { number: "TEAM-RFA-STR-2026-0001", projectCode: "${code}" } }) { id } }`,
  'the ledger': `{ documentNumbers(filter: { projectCode: "${code}" }) { edges { node { number } } } }`,
  counters: `{ documentNumberCounters(filter: { projectCode: "${code}" }) { edges { node { lastNumber } } } }`,
  formats: `{ documentNumberFormats(filter: { projectCode: "${code}" }) { edges { node { version } } } }`,
  series: `{ documentSeries(projectCode: "${code}") { edges { node { typeCode } } } }`,
  project: `{ project(code: "${code}") { name } }`,
  documents: `{ correspondences(filter: { projectCode: "${code}" }) { edges { node { subject } } } }`,
});
/** Reads by ID, of which each returns one row. */
const READS_BY_ID = (code: string): readonly string[] => [
  `{ found: documentNumber(by: { id: "${ids[`${code} number`]}" }) { number } }`,
  `{ found: correspondence(id: "${ids[`${code} document`]}") { subject } }`,
];
const WRITES = (code: string): Record<string, string> => ({
  issue: `mutation { issueDocumentNumber(input: { projectCode: "${code}", ${SERIES} }) { __typename } }`,
  reserve: `mutation { reserveDocumentNumber(input: { projectCode: "${code}", ${SERIES} }) { __typename } }`,
  create: `mutation { createCorrespondence(input: { projectCode: "${code}", ${SERIES}, subject: "x" }) { ... on Correspondence { id } } }`,
});

describe('a project listed in the token', () => {
  test('can be read by clerk and auditor, and written by the clerk', async () => {
    for (const query of [...Object.values(READS('ONE')), ...READS_BY_ID('ONE')]) {
      expect((await ask(query, clerk('ONE'))).errors).toEqual([]);
      expect((await ask(query, auditor('ONE'))).errors).toEqual([]);
    }
    for (const query of Object.values(WRITES('ONE'))) {
      expect((await ask(query, clerk('ONE'))).errors).toEqual([]);
      expect(await reasonOf(query, auditor('ONE'))).toBe('ROLE_MISSING');
    }
  });
});

describe('any other project', () => {
  test('cannot be read or written, and its existence is not revealed', async () => {
    for (const query of [...Object.values(READS('TWO')), ...Object.values(WRITES('TWO'))]) {
      expect(await reasonOf(query, clerk('ONE'))).toBe('NOT_YOUR_PROJECT');
      expect(await reasonOf(query, clerk())).toBe('NOT_YOUR_PROJECT');
    }
    expect(await reasonOf(WRITES('NOWHERE').issue ?? '', clerk('ONE'))).toBe('NOT_YOUR_PROJECT');
  });

  test('is as good as absent for reads by ID', async () => {
    for (const query of READS_BY_ID('TWO')) {
      expect((await ask(query, clerk('TWO'))).data.found).not.toBeNull();
      expect(await ask(query, clerk('ONE'))).toMatchObject({ data: { found: null }, errors: [] });
    }
  });

  test("has reservations that only its clerks confirm or cancel, also with another's token", async () => {
    const reserve = `mutation { reserveDocumentNumber(input: { projectCode: "TWO", ${SERIES} }) {
      ... on DocumentNumberReservation { token documentNumber { number } } } }`;
    const { token, documentNumber } = (await ask(reserve, clerk('TWO'))).data.reserveDocumentNumber;
    const confirm = `mutation { confirmDocumentNumber(input: { token: "${token}" }) { ... on DocumentNumber { number status } } }`;
    const cancel = `mutation { cancelDocumentNumber(input: { token: "${token}", reason: "x" }) { ... on DocumentNumber { number } } }`;
    for (const former of [clerk('ONE'), clerk()]) {
      expect(await reasonOf(confirm, former)).toBe('NOT_YOUR_PROJECT');
      expect(await reasonOf(cancel, former)).toBe('NOT_YOUR_PROJECT');
    }
    const confirmed = (await ask(confirm, clerk('TWO'))).data.confirmDocumentNumber;
    expect(confirmed).toEqual({ number: documentNumber.number, status: 'ISSUED' });
    const [counterId, sequence] = token.split('.');
    const unknown = `${counterId}.${sequence}.00000000-0000-4000-8000-000000000000`;
    expect(await reasonOf(confirm.replace(token, unknown), clerk('TWO'))).toBe('NUMBER_NOT_FOUND');
  });

  test('is not in any list', async () => {
    const projects = '{ projects { edges { node { code } } } }';
    const codes = async (facts: TokenFacts) =>
      (await ask(projects, facts)).data.projects.edges.map(
        (edge: { node: { code: string } }) => edge.node.code,
      );
    expect(await codes(clerk('ONE', 'TWO', 'GONE'))).toEqual(['TWO', 'ONE']);
    expect(await codes({ roles: ['admin'] })).toHaveLength(3);
    const documents = '{ correspondences { edges { node { subject } } } }';
    const { data } = await ask(documents, clerk('ONE'));
    expect(JSON.stringify(data)).toContain('secret of ONE');
    expect(JSON.stringify(data)).not.toContain('TWO');
    expect(await reasonOf(documents, clerk('ONE', 'TWO'))).toBe('PROJECT_NEEDED');
    expect(await reasonOf('{ documentNumbers { edges { cursor } } }', clerk())).toBe('NOT_YOUR_PROJECT');
  });

  test('sends no events to subscriptions', async () => {
    const client = createClient({
      url: `${gateway.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: await bearer(clerk('ONE')),
      retryAttempts: 0,
    });
    const events = client.iterate({
      query: `subscription { documentNumberIssued(projectCode: "TWO") { number } }`,
    });
    expect((await events.next()).value.errors).toMatchObject([
      { extensions: { reason: 'NOT_YOUR_PROJECT' } },
    ]);
    await client.dispose();
  });
});

test('a number is found by its text in every project that the caller can access, and in no other', async () => {
  const year = new Date().getFullYear();
  const find = async (facts: TokenFacts, page = '', more = '') => {
    const filter = `filter: { number: "TEAM-RFA-STR-${year}-0001"${more} }`;
    const { data, errors } = await ask(
      `{ documentNumbers(${page} ${filter}) { edges { node { project { code } } } pageInfo { hasNextPage endCursor } } }`,
      facts,
    );
    expect(errors).toEqual([]);
    const { edges, pageInfo } = data.documentNumbers;
    const codes = edges.map(({ node }: { node: { project: { code: string } } }) => node.project.code);
    return { codes, ...pageInfo };
  };
  const all: TokenFacts = { roles: ['admin'] };
  expect((await find(all)).codes).toEqual(['ONE', 'TWO', 'THREE']);
  expect((await find(clerk('ONE', 'THREE', 'GONE'))).codes).toEqual(['ONE', 'THREE']);
  expect((await find(clerk('TWO'), '', ', projectCode: "TWO"')).codes).toEqual(['TWO']);
  expect((await find(clerk())).codes).toEqual([]);
  const first = await find(all, 'first: 2,');
  expect(first).toMatchObject({ codes: ['ONE', 'TWO'], hasNextPage: true });
  const second = await find(all, `first: 2, after: "${first.endCursor}",`);
  expect(second).toMatchObject({ codes: ['THREE'], hasNextPage: false });
});

test('master data is searched by how its codes begin, in any case', async () => {
  const find = async (start: string, facts: TokenFacts) => {
    const { data } = await ask(`{ projects(codeStart: "${start}") { edges { node { code } } } }`, facts);
    return data.projects.edges.map(({ node }: { node: { code: string } }) => node.code);
  };
  for (const facts of [{ roles: ['admin'] }, clerk('ONE', 'TWO', 'THREE')]) {
    expect(await find('t', facts)).toEqual(['THREE', 'TWO']);
    expect(await find('THREE', facts)).toEqual(['THREE']);
    expect(await find('%', facts)).toEqual([]);
  }
});

describe('an idempotency key belongs to its person:', () => {
  const WAYS: Readonly<Record<string, readonly [more: string, selection: string]>> = {
    issueDocumentNumber: ['', '... on DocumentNumber { number }'],
    issueDocumentNumbers: ['count: 2', '... on DocumentNumbersIssued { documentNumbers { number } }'],
    reserveDocumentNumber: ['', '... on DocumentNumberReservation { token }'],
    createCorrespondence: ['subject: "x"', '... on Correspondence { id documentNumber }'],
  };

  test.each(Object.entries(WAYS))('%s answers its person alone', async (operation, [more, selection]) => {
    const query = `mutation { done: ${operation}(input: {
        projectCode: "ONE", ${SERIES}, idempotencyKey: "${operation}" ${more} }) { __typename ${selection} } }`;
    const preview = async () => (await ask(READS('ONE').preview ?? '', clerk('ONE'))).data;
    const mine = (await ask(query, clerk('ONE'))).data.done;
    const next = await preview();
    const colleague = { ...clerk('ONE'), subject: '13' };
    expect((await ask(query, colleague)).data.done).toEqual({ __typename: 'IdempotencyKeyReused' });
    expect(await preview()).toEqual(next);
    expect((await ask(query, clerk('ONE'))).data.done).toEqual(mine);
  });

  test('replaceDocumentNumber answers its administrator alone', async () => {
    const issued = await ask(
      WRITES('ONE').issue?.replace('__typename', '... on DocumentNumber { number }') ?? '',
      {},
    );
    const query = `mutation { done: replaceDocumentNumber(input: {
      number: "${issued.data.issueDocumentNumber.number}", reason: "x",
      replacement: { projectCode: "ONE", ${SERIES}, idempotencyKey: "replace" }
    }) { __typename ... on DocumentNumberReplaced { replacement { number } } } }`;
    const mine = (await ask(query, { subject: '1' })).data.done;
    expect(mine.__typename).toBe('DocumentNumberReplaced');
    expect((await ask(query, { subject: '2' })).data.done).toEqual({ __typename: 'IdempotencyKeyReused' });
    expect((await ask(query, { subject: '1' })).data.done).toEqual(mine);
  });
});

test('an empty code is an unknown code, not a missing filter', async () => {
  for (const filter of ['projectCode: ""', 'typeCode: ""', 'period: ""', 'organizationCode: ""']) {
    const { data, errors } = await ask(`{ documentNumbers(filter: { ${filter} }) { edges { cursor } } }`, {});
    if (errors.length === 0) expect(data.documentNumbers.edges).toEqual([]);
    else expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  }
});
