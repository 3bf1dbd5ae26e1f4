import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { pino } from 'pino';
import { IncidentLog } from '../src/errors/incident-log.js';
import { KnownOperations } from '../src/execution/known-operations.js';
import { Feeds } from '../src/graphql/feeds.js';
import { RequestContext } from '../src/graphql/request-context.js';
import {
  type Answer,
  createTestStores,
  startTestGateway,
  type TestGateway,
  type TestStores,
} from './gateway-fixture.js';

/** An operation is answered by Apollo when it is new, and without it from then on; nobody can tell the difference. */
let stores: TestStores;
let gateway: TestGateway;

beforeAll(async () => {
  stores = await createTestStores();
  gateway = await startTestGateway(stores);
});

afterAll(async () => {
  await gateway?.stop();
  await stores?.[Symbol.asyncDispose]();
});

/** What the second of two callers may see differ. */
function comparable({ status, data, errors }: Answer): object {
  const told = errors.map(({ extensions: { incidentId, ...extensions }, ...error }) => ({
    ...error,
    extensions: { ...extensions, ...(incidentId === undefined ? {} : { incidentId: 'any' }) },
  }));
  return { status, data, errors: told };
}

test.each([
  ['a refusal of a resolver', 'mutation { generateTsids(count: 0) }', {}],
  ['a value that is not there', 'query ($id: TSID!) { trip(id: $id) { id } }', { id: '99' }],
  [
    'two answers, one of them null',
    'query ($id: TSID!) { trip(id: $id) { id } tsid(id: $id) { node } }',
    { id: '99' },
  ],
  [
    'an error of a package',
    `mutation ($code: String!) { issueDocumentNumber(input: {
       projectCode: $code, organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR" }) { number } }`,
    { code: 'NOWHERE' },
  ],
  [
    'a variable that does not fit',
    'mutation ($count: Int!) { generateTsids(count: $count) }',
    { count: 'x' },
  ],
  ['a variable that is missing', 'mutation ($n: Int!) { generateTsids(count: $n) }', {}],
  ['a role that is missing', 'mutation { createProject(input: { code: "X", name: "X" }) { id } }', {}],
])('%s is told alike the first time and the second', async (_, query, variables) => {
  const ask = () => gateway.ask(query, { variables, as: 'rider-1' });
  const first = comparable(await ask());
  expect(comparable(await ask())).toEqual(first);
});

const CONTEXT = new RequestContext({
  identity: { subjectId: 1n, roles: new Set(), expiresAtMs: undefined },
  requestId: 'r1',
  address: '127.0.0.1',
  feeds: new Feeds([]),
});

test('only what was learned is run, and only when its operation and its variables are there', async () => {
  const schema = buildSchema('type Query { sum(a: Int!): Int } type Subscription { news: Int }');
  const admitted: string[] = [];
  const known = new KnownOperations(
    schema,
    async (_document, operation) => void admitted.push(operation.name?.value ?? ''),
    new IncidentLog(pino({ level: 'silent' })),
  );
  const query = 'query one($a: Int!) { sum(a: $a) } subscription two { news }';
  const run = (operationName: string, variables = {}) =>
    known.run({ query, operationName, variables }, CONTEXT);
  expect(await run('one', { a: 1 })).toBeUndefined();
  known.learn(query, parse(query));
  expect(await run('one', { a: 1 })).toEqual({ data: { sum: null } });
  expect(await run('one', { a: 'x' })).toBeUndefined();
  expect(await run('two')).toBeUndefined();
  expect(await run('three')).toBeUndefined();
  expect(admitted).toEqual(['one', 'one']);
});

test('a text that is too long is not kept', async () => {
  const schema = buildSchema('type Query { one: Int }');
  const known = new KnownOperations(
    schema,
    async () => undefined,
    new IncidentLog(pino({ level: 'silent' })),
  );
  const query = `{ one } # ${'x'.repeat(4_000)}`;
  known.learn(query, parse(query));
  expect(await known.run({ query }, CONTEXT)).toBeUndefined();
});
