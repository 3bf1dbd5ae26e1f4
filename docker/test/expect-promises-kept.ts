import { expect } from '@jest/globals';
import { findDuplicates, findGap } from '@solegate/testkit';

import type { LoadRecord } from './fleet-load.js';

/** No request failed, no ID or number is duplicated, no number is missing, and all answers agree on each trip's one driver. */
export function expectPromisesKept({ ids, numbers, winners, drivers, failures }: LoadRecord): void {
  expect(failures).toEqual([]);

  expect(ids.length).toBeGreaterThan(0);
  expect(findDuplicates(ids)).toBeUndefined();

  const sequences = [...numbers.values()].map((number) => Number(number.slice(-6)));
  expect(sequences.length).toBeGreaterThan(0);
  expect(findGap(sequences)).toBeUndefined();
  expect(new Set(numbers.values()).size).toBe(numbers.size);

  expect(winners.size).toBeGreaterThan(0);
  for (const [trip, tripWinners] of winners) expect([...tripWinners]).toEqual([drivers.get(trip)]);
}
