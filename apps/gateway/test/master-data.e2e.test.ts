import { describe, expect, test } from '@jest/globals';
import { FileStores, type Json } from './gateway-fixture.js';
import { SeriesClerk } from './series-clerk.js';

/** Projects by their code, and names that change. */
const stores = new FileStores();
const gateway = stores.gateway();
const another = stores.gateway();
const clerk = new SeriesClerk(gateway, 'M');
const ask = (query: string, as?: string): Promise<Json> => clerk.ask(query, as);

describe('a project', () => {
  test('is found by its code, in any Unicode form', async () => {
    await ask('mutation { createProject(input: { code: "ÉTÉ", name: "Summer" }) { ... on Project { id } } }');
    const decomposed = 'ÉTÉ'.normalize('NFD');
    const { project } = await ask(`{ project(code: "${decomposed}") { code name } }`, 'auditor-2');
    expect(project).toEqual({ code: 'ÉTÉ', name: 'Summer' });
  });

  test('that does not exist is null', async () => {
    expect(await ask('{ project(code: "NONE") { code } }')).toEqual({ project: null });
  });
});

describe('a display name', () => {
  test.each([
    ['Project', 'projects', 'DEMO'],
    ['Organization', 'organizations', 'TEAM'],
    ['CorrespondenceType', 'correspondenceTypes', 'RFA'],
    ['Discipline', 'disciplines', 'STR'],
  ])('of a %s can be changed', async (type, list, code) => {
    const data = await ask(
      `mutation { rename${type}(input: { code: "${code}", name: "Renamed" }) { ... on ${type} { code name } } }`,
    );
    expect(data[`rename${type}`]).toEqual({ code, name: 'Renamed' });
    const seen = await another.ask(`{ ${list}(first: 100) { edges { node { code name } } } }`);
    expect(seen.data[list].edges).toContainEqual({ node: { code, name: 'Renamed' } });
  });

  test('is the new one wherever this gateway shows it', async () => {
    const series = await clerk.freshSeries();
    const typeCode = /typeCode: "(\w+)"/.exec(series)?.[1];
    const create = `mutation { createCorrespondence(input: { ${series}, subject: "x" }) {
      ... on Correspondence { type { name } } } }`;
    expect(await ask(create)).toEqual({ createCorrespondence: { type: { name: 'Fresh' } } });
    await ask(
      `mutation { renameCorrespondenceType(input: { code: "${typeCode}", name: "Stale" }) { ... on CorrespondenceType { name } } }`,
    );
    expect(await ask(create)).toEqual({ createCorrespondence: { type: { name: 'Stale' } } });
  });

  test.each([
    ['of nothing', 'NONE', 'A name', 'UNKNOWN_CODE'],
    ['to nothing', 'STR', ' ', 'INVALID_NAME'],
  ])('%s is not changed', async (_what, code, name, reason) => {
    const { errors } = await gateway.ask(
      `mutation { renameDiscipline(input: { code: "${code}", name: "${name}" }) { ... on Discipline { name } } }`,
    );
    expect(errors[0]?.extensions.reason).toBe(reason);
  });

  test('of a project is changed only by an administrator', async () => {
    const { errors } = await gateway.ask(
      'mutation { renameProject(input: { code: "DEMO", name: "x" }) { ... on Project { name } } }',
      { as: 'clerk-4' },
    );
    expect(errors[0]?.extensions.reason).toBe('ROLE_MISSING');
  });
});

test.each([
  ['documentSeries', 'projectCode: "DEMO"', 'typeCode'],
  ['documentNumberFormats', 'filter: { projectCode: "DEMO" }', 'typeCode version'],
])('%s has pages without gaps or repeats', async (list, filter, fields) => {
  const read = async (first: number, after: string | null): Promise<Json> =>
    (
      await ask(`{ ${list}(${filter}, first: ${first}, after: ${JSON.stringify(after)}) {
        edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`)
    )[list];
  await clerk.freshSeries();
  const whole = await read(100, null);
  expect(whole.edges.length).toBeGreaterThanOrEqual(4);
  expect(whole.pageInfo.hasNextPage).toBe(false);
  const edges: Json[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page = await read(2, after);
    edges.push(...page.edges);
    ({ hasNextPage: more, endCursor: after } = page.pageInfo);
  }
  expect(edges).toEqual(whole.edges);
  const { errors } = await gateway.ask(`{ ${list}(${filter}, after: "bm9uZQ") { pageInfo { endCursor } } }`);
  expect(errors[0]?.extensions.reason).toBe('CURSOR');
});
