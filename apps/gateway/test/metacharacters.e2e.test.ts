import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { buildGatewaySchema } from '../src/assembly/schema.js';
import { gatewayOfFile } from './gateway-fixture.js';
import { bearer, JWT_ENVIRONMENT } from './tokens.js';

/**
 * SQL, Lua, Redis and GraphQL syntax in every string argument of the API. Free text is stored verbatim; anything else is
 * refused with 4xx. No request is answered with 5xx, and no table, key or script is damaged.
 */
const gateway = gatewayOfFile({
  ...JWT_ENVIRONMENT,
  NODE_ENV: 'test',
  RATE_LIMIT_PER_SECOND: '0',
});
const schema: GraphQLSchema = buildGatewaySchema();

const NASTY = [
  `'; DROP TABLE trips; --`,
  `" OR ""="`,
  `\\'); DELETE FROM projects; --`,
  `]] redis.call('FLUSHALL') --[[`,
  `}{*:\r\nFLUSHALL\r\n`,
  `\${process.exit(1)}`,
  `\u0000`,
  `%00../../etc/passwd`,
  `__proto__`,
  `\uD800`,
];

/** A value of the type with `text` in every string; without a text, it is null wherever it may be. */
function sampleOf(type: GraphQLInputType, text: string | null, mayBeNull = true): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, text, false);
  if (text === null && mayBeNull) return null;
  if (isListType(type)) return [sampleOf(type.ofType, text)];
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, sampleOf(field.type, text)]),
    );
  }
  if (!isScalarType(type)) return undefined;
  const values: Record<string, unknown> = { Int: 1, Float: 1, SafeInt: 1, Boolean: false, TSID: '1' };
  return type.name in values ? values[type.name] : (text ?? 'NULL');
}

interface Call {
  readonly name: string;
  readonly query: string;
  readonly variables: (text: string | null) => Record<string, unknown>;
}

function callsOf(kind: 'query' | 'mutation'): Call[] {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(root?.getFields() ?? {}).flatMap((field) => {
    if (!JSON.stringify(field.args.map(({ type }) => sampleOf(type, 'TEXT'))).includes('TEXT')) return [];
    const declared = field.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
    const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
    const selection = String(field.type).match(/^\[?(TSID|String|Boolean)/) ? '' : '{ __typename }';
    return [
      {
        name: field.name,
        query: `${kind} (${declared}) { ${field.name}(${given}) ${selection} }`,
        variables: (text) =>
          Object.fromEntries(field.args.map(({ name, type }) => [name, sampleOf(type, text)])),
      },
    ];
  });
}

const FREE_TEXT = new Set(['requestTrip']);

describe.each([...callsOf('query'), ...callsOf('mutation')])('$name', ({ name, query, variables }) => {
  test('hostile text is rejected or stored, and never breaks anything', async () => {
    const headers = await bearer();
    for (const text of NASTY) {
      const { status, errors, data } = await gateway.ask(query, { variables: variables(text), headers });
      expect({ text, status: status < 500 ? 'below 500' : status, errors }).toMatchObject({
        status: 'below 500',
      });
      if (errors.length > 0)
        expect(JSON.stringify(errors)).not.toMatch(/syntax error at|WRONGTYPE|pg_|ioredis|at .*\.[jt]s:/);
      else if (!FREE_TEXT.has(name)) expect([null, expect.anything()]).toContainEqual(data[name]);
    }
  });

  test('null is understood wherever it may be given', async () => {
    const given = { variables: variables(null), headers: await bearer() };
    const { status, errors } = await gateway.ask(query, given);
    expect({ status: status < 500 ? 'below 500' : status, errors }).toMatchObject({ status: 'below 500' });
  });
});

test('afterwards all data is unchanged', async () => {
  const headers = await bearer();
  const { data, errors } = await gateway.ask(
    '{ projects { edges { node { code } } } trips { pageInfo { hasNextPage } } nodeFleet { heldNodeCount } }',
    { headers },
  );
  expect(errors).toEqual([]);
  const codes = data.projects.edges.map(({ node }: { node: { code: string } }) => node.code);
  expect(codes).toEqual(['NULL', '__proto__']);
  expect(data.nodeFleet.heldNodeCount).toBe(1);
});

test('free text is stored verbatim', async () => {
  const headers = await bearer();
  const name = `O'Brien & "Söhne" -- 株式会社 \${x} {SEQ:4}`;
  const create =
    'mutation ($input: CodedRowInput!) { createProject(input: $input) { ... on Project { name } } }';
  const { data } = await gateway.ask(create, { variables: { input: { code: 'FREE', name } }, headers });
  expect(data.createProject.name).toBe(name);
});
