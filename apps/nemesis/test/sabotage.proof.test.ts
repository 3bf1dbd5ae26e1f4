import { expect, test } from '@jest/globals';
import { play } from '../src/run/play.js';
import { SABOTAGES, type Sabotage, type SabotageName } from '../src/sabotage/sabotages.js';

const NAMES = Object.keys(SABOTAGES) as SabotageName[];

test.each(NAMES)('a running system with %s is caught within one seed', async (sabotage) => {
  const { violations } = await play({ seed: 1, durationMs: 4000, schedule: [], sabotage });
  const { caughtBy, spares = [] }: Sabotage = SABOTAGES[sabotage];
  expect(violations.filter(({ rule }) => caughtBy.includes(rule))).not.toEqual([]);
  expect(violations.filter(({ rule }) => spares.includes(rule))).toEqual([]);
});
