import { expect, test } from '@jest/globals';
import { Dice } from '../src/index.js';

test('choices are the same for the same seed and others for another', () => {
  const draw = (seed: number) => new Dice(seed).sample([1, 2, 3, 4, 5, 6, 7, 8], 8);
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).sort((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('choices are spread evenly', () => {
  const dice = new Dice(1);
  const buckets = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 100_000; draw += 1) {
    const bucket = dice.between(0, 9);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});
