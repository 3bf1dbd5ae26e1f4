import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import {
  type GraphQLArgument,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  validateSchema,
} from 'graphql';
import { buildGatewaySchema } from '../src/assembly/schema.js';
import { OPERATION_RULES, ruleMismatches } from '../src/identity/operation-rules.js';
import { schemaText } from '../src/print-schema.js';

test('schema.graphql matches the schema that the code builds', async () => {
  const printed = await readFile(new URL('../schema.graphql', import.meta.url), 'utf8');
  expect(schemaText()).toBe(printed);
});

test('the schema is valid', () => {
  expect(validateSchema(buildGatewaySchema())).toEqual([]);
});

test('printing twice gives the same text', () => {
  expect(schemaText()).toBe(schemaText());
});

test('every operation has an access rule, and every rule an operation', () => {
  expect(ruleMismatches(buildGatewaySchema())).toEqual({ unruled: [], unused: [] });
});

test('an operation without a rule is detected', () => {
  const schema = buildGatewaySchema();
  const { 'Mutation.acceptTrip': _removed, ...others } = OPERATION_RULES;
  expect(ruleMismatches(schema, others).unruled).toEqual(['Mutation.acceptTrip']);
});

test('every rule names at least one role and costs at least one point', () => {
  for (const rule of Object.values(OPERATION_RULES)) {
    expect(rule.roles.length).toBeGreaterThan(0);
    expect(rule.weight).toBeGreaterThanOrEqual(1);
  }
});

interface Named {
  readonly description?: string | null | undefined;
  readonly deprecationReason?: string | null | undefined;
}

/** Every named element of the schema, with its path. */
function elements(): (readonly [path: string, element: Named])[] {
  const types = Object.values(buildGatewaySchema().getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  return types.flatMap((type) => {
    const own = [[type.name, type] as const];
    if (isEnumType(type)) {
      return [...own, ...type.getValues().map((value) => [`${type.name}.${value.name}`, value] as const)];
    }
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return own;
    const fields = Object.values(type.getFields());
    return [
      ...own,
      ...fields.map((field) => [`${type.name}.${field.name}`, field] as const),
      ...fields.flatMap((field) =>
        ('args' in field ? (field.args as readonly GraphQLArgument[]) : []).map(
          (arg) => [`${type.name}.${field.name}(${arg.name})`, arg] as const,
        ),
      ),
    ];
  });
}

test('every type, field, argument and enum value has a description', () => {
  expect(elements().length).toBeGreaterThan(400);
  expect(elements().flatMap(([path, { description }]) => (description?.trim() ? [] : [path]))).toEqual([]);
});

test('deprecations name a replacement and a removal date', () => {
  const reasons = elements().flatMap(([path, { deprecationReason }]) =>
    deprecationReason ? [[path, deprecationReason]] : [],
  );
  for (const [, reason] of reasons) expect(reason).toMatch(/^Use `.+`\. Removed after \d{4}-\d{2}-\d{2}\.$/);
});

test('no date is a String, and every mutation has one argument, `input`', () => {
  const schema = buildGatewaySchema();
  const texts = elements().filter(
    ([, element]) => 'type' in element && String(element.type).startsWith('String'),
  );
  expect(
    texts.map(([path]) => path).filter((path) => /date|at$|until|from$/i.test(path.split('.')[1] ?? '')),
  ).toEqual([]);
  const shapes = Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ name, args }) => [
    name,
    args.map((arg) => arg.name).join(),
  ]);
  // A single count does not need an input object.
  expect(shapes.filter(([, args]) => args !== 'input')).toEqual([['generateTsids', 'count']]);
});

test('every mutation returns a union that is named after it, and every refusal in it is a Refusal', () => {
  const schema = buildGatewaySchema();
  for (const { name, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const result = getNullableType(type);
    expect(String(type)).toBe(`${name.charAt(0).toUpperCase()}${name.slice(1)}Result!`);
    const members = isUnionType(result) ? result.getTypes() : [];
    expect(members).not.toEqual([]);
    for (const member of members) {
      const isRefusal = member.getInterfaces().some((one) => one.name === 'Refusal');
      expect([member.name, isRefusal]).toEqual([member.name, 'message' in member.getFields()]);
    }
  }
});
