import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, getNamedType, isInputObjectType } from 'graphql';
import { newKey, repetitionOf, waitBefore, withKey } from '../src/calls/repetition.js';
import { readRetryAfter } from '../src/contract/failure.js';
import { OPERATIONS } from '../src/generated/operations.js';

const schema = buildSchema(
  readFileSync(new URL('../../../apps/gateway/schema.graphql', import.meta.url), 'utf8'),
);

test('the path of each key matches the schema', () => {
  for (const operation of Object.values(OPERATIONS)) {
    const repetition = repetitionOf(operation);
    if (typeof repetition !== 'object') continue;
    const [argument = '', ...steps] = repetition.keyIn;
    const field = schema.getMutationType()?.getFields()[operation.field];
    let type = getNamedType(field?.args.find(({ name }) => name === argument)?.type);
    for (const step of [...steps, 'idempotencyKey']) {
      if (!isInputObjectType(type)) throw new Error(`${operation.field} has no ${step}`);
      type = getNamedType(type.getFields()[step]?.type);
    }
    expect(String(type)).toBe('String');
  }
});

test('queries and subscriptions can be repeated', () => {
  for (const operation of Object.values(OPERATIONS)) {
    if (operation.kind !== 'mutation') expect(repetitionOf(operation)).toBe('SAME');
  }
});

test.each(['updateDriverPosition', 'renameProject', 'unblockDocumentSeries'] as const)(
  '%s is not repeated: late, it could replace what is newer',
  (operation) => {
    expect(repetitionOf(OPERATIONS[operation])).toBe('ONCE');
  },
);

test('a pause is at least what the server asks for, and at most that plus the longest pause', () => {
  const maxMs = 3_000;
  fc.assert(
    fc.property(
      fc.constantFrom(0, 100),
      fc.integer({ min: 1, max: 2_000 }),
      fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (baseMs, attemptCount, retryAfterMs, random) => {
        const waitMs = waitBefore(attemptCount, { baseMs, maxMs }, { retryAfterMs, random });
        expect(waitMs).toBeGreaterThanOrEqual((retryAfterMs ?? 0) + Math.min(baseMs, 1));
        expect(waitMs).toBeLessThanOrEqual((retryAfterMs ?? 0) + maxMs);
      },
    ),
  );
});

test('pauses double, and differ between callers', () => {
  const bounds = { baseMs: 100, maxMs: 3_000 };
  expect([1, 2, 3, 9].map((count) => waitBefore(count, bounds, { random: 1 }))).toEqual([
    100, 200, 400, 3_000,
  ]);
  expect(waitBefore(1, bounds, { random: 0 })).toBe(50);
});

test("a key is added at its path, without changing the caller's objects", () => {
  const variables = Object.freeze({ input: Object.freeze({ a: 1 }) });
  expect(withKey(variables, ['input'], () => 'k')).toEqual({
    variables: { input: { a: 1, idempotencyKey: 'k' } },
    key: 'k',
  });
});

test('keys are distinct, and of a length that the gateway accepts', () => {
  const keys = Array.from({ length: 1_000 }, newKey);
  expect(new Set(keys).size).toBe(1_000);
  expect(keys.every(({ length }) => length <= 200)).toBe(true);
});

test.each([
  [null, undefined],
  ['3', 3_000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 9_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %p is %p ms', (header, ms) => {
  expect(readRetryAfter(header, 1_000)).toBe(ms);
});
