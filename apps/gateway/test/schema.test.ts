import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { OPERATION_RULES, ruleMismatches } from '../src/identity/operation-rules.js';
import { schemaText } from '../src/print-schema.js';
import { buildGatewaySchema } from '../src/schema/schema.js';

test('the printed schema is what the code builds', async () => {
  const printed = await readFile(new URL('../schema.graphql', import.meta.url), 'utf8');
  expect(schemaText()).toBe(printed);
});

test('printing twice gives the same text', () => {
  expect(schemaText()).toBe(schemaText());
});

test('every operation has a rule, and every rule an operation', () => {
  expect(ruleMismatches(buildGatewaySchema())).toEqual({ unruled: [], unused: [] });
});

test('an operation without a rule is noticed', () => {
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
