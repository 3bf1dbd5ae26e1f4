import { describe, expect, test } from '@jest/globals';
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, graphql, Kind } from 'graphql';
import { createTsidScalar, TsidNumberScalar, TsidScalar } from '../src/graphql/index.js';

const seen: unknown[] = [];
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      echo: {
        type: TsidScalar,
        args: { id: { type: new GraphQLNonNull(TsidScalar) } },
        resolve: (_source, { id }: { id: unknown }) => {
          seen.push(id);
          return id;
        },
      },
      rounded: { type: TsidScalar, resolve: () => 123 },
      text: { type: TsidScalar, resolve: () => '42' },
    },
  }),
});

const byVariable = (id: unknown) =>
  graphql({ schema, source: 'query ($id: TSID!) { echo(id: $id) }', variableValues: { id } });

describe('the TSID scalar', () => {
  test.each(['0', '911802340644769792', '18446744073709551615'])(
    'carries %s as text outside and bigint inside',
    async (id) => {
      expect(await byVariable(id)).toEqual({ data: { echo: id } });
      expect(seen.pop()).toBe(BigInt(id));
      expect(await graphql({ schema, source: `{ echo(id: "${id}") }` })).toEqual({ data: { echo: id } });
    },
  );

  test.each(['', ' 1', '01', '-1', '+1', '1.0', '1e3', '0x1', '18446744073709551616', '0AWE5HZP3SKTK'])(
    'refuses the text "%s" and says what is expected',
    async (id) => {
      const { errors, data } = await byVariable(id);
      expect(data).toBeUndefined();
      expect(errors?.[0]?.message).toContain('is not a TSID: expected a decimal number');
    },
  );

  test.each([7, 2 ** 53, true, null, ['1'], { id: '1' }])('refuses the JSON value %p', async (id) => {
    expect((await byVariable(id)).errors).toHaveLength(1);
  });

  test('refuses an unquoted number in a query', async () => {
    const { errors } = await graphql({ schema, source: '{ echo(id: 911802340644769792) }' });
    expect(errors?.[0]?.message).toContain('must be a quoted decimal string, not 911802340644769792');
  });

  test('refuses a number from a resolver, which may be rounded already, and takes a canonical text', async () => {
    expect((await graphql({ schema, source: '{ rounded }' })).errors?.[0]?.message).toContain(
      'decimal string',
    );
    expect(await graphql({ schema, source: '{ text }' })).toEqual({ data: { text: '42' } });
  });

  test('can have another name', () => {
    expect(createTsidScalar({ name: 'Id', description: 'd' }).toString()).toBe('Id');
  });
});

describe('the scalar of 53 bits', () => {
  test.each([0, 911_802_340_644_769, Number.MAX_SAFE_INTEGER])('carries %d as a number', (id) => {
    expect(TsidNumberScalar.serialize(id)).toBe(id);
    expect(TsidNumberScalar.parseValue(id)).toBe(id);
    expect(TsidNumberScalar.parseLiteral({ kind: Kind.INT, value: String(id) })).toBe(id);
  });

  test.each([2 ** 53, -1, 0.5, '1', 1n, null])('refuses %p', (value) => {
    expect(() => TsidNumberScalar.serialize(value)).toThrow('a whole number below 2^53');
    expect(() => TsidNumberScalar.parseValue(value)).toThrow('a whole number below 2^53');
  });

  test('refuses a quoted literal', () => {
    expect(() => TsidNumberScalar.parseLiteral({ kind: Kind.STRING, value: '1' })).toThrow('below 2^53');
  });
});
