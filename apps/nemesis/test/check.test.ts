import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { findThin } from '../src/history/calls.js';
import { check, RULES, type RuleName } from '../src/history/check.js';
import { SABOTAGES as LIVE_SABOTAGES, type Sabotage } from '../src/sabotage/sabotages.js';
import { honestHistory } from './honest-history.js';
import { SABOTAGES } from './sabotages/all.js';

/** The rules that a history breaks, each once. */
const rulesBroken = (history: Parameters<typeof check>[0]): RuleName[] => [
  ...new Set(check(history).map(({ rule }) => rule)),
];

describe('the checker', () => {
  test('finds nothing in a history in which every promise is kept', () => {
    expect(check(honestHistory())).toEqual([]);
  });

  test.each(SABOTAGES)('catches %s, by its own rule and no other', (_, { caughtBy, falsify }) => {
    const draft = honestHistory();
    falsify(draft);
    expect(rulesBroken(draft)).toEqual([caughtBy]);
  });

  test.each(Object.keys(RULES))('has a sabotage that only the rule "%s" catches', (rule) => {
    expect(SABOTAGES.map(([, { caughtBy }]) => caughtBy)).toContain(rule);
  });
});

describe('a live sabotage', () => {
  const changes = Object.entries<Sabotage>(LIVE_SABOTAGES).flatMap(([name, { codeChange }]) =>
    codeChange === undefined ? [] : [{ name, ...codeChange }],
  );

  test.each(changes)('finds the code that it changes: $name', async ({ module, text }) => {
    const built = await readFile(new URL(`../../../packages/${module}`, import.meta.url), 'utf8');
    expect(built).toContain(text);
  });
});

describe('a thin run', () => {
  test('is recognized by each kind of answer of which it has too few', () => {
    const { streams } = honestHistory();
    expect(findThin({ calls: [], streams })).toContain('numbers by issue: 0 of at least 20');
    expect(findThin({ calls: [], streams })).toContain('answer StaleOffer: 0 of at least 2');
    const withoutIds = findThin({ calls: [], streams }, { ids: 0 });
    expect(withoutIds).toEqual(findThin({ calls: [], streams }).filter((text) => !text.startsWith('ids:')));
  });

  test('is none that has many answers of each kind', () => {
    const { calls, streams } = honestHistory();
    const many = { ...streams, updates: Array.from({ length: 50 }, () => streams.updates).flat() };
    expect(findThin({ calls: Array.from({ length: 50 }, () => calls).flat(), streams: many })).toEqual([]);
  });

  test('is one in which calls failed, however many there were', () => {
    const { calls, streams } = honestHistory();
    const ending = { kind: 'failed', code: 'SERVICE_UNAVAILABLE', outcomeUnknown: false } as const;
    const failed = Array.from({ length: 50 }, () => calls)
      .flat()
      .map((call) => ({ ...call, ending }));
    expect(findThin({ calls: failed, streams })).toContain('ids: 0 of at least 6');
  });
});
