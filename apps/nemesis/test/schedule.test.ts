import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FAULTS, faultWords, scheduleOf } from '../src/schedule/schedule.js';
import { faultOf } from '../src/system/faults.js';

describe('a schedule', () => {
  const seeds = fc.nat(1_000_000);
  const durations = fc.integer({ min: 3000, max: 60_000 });

  test('is the same for the same seed, in order, and over when the run is', () => {
    const holds = fc.property(seeds, durations, (seed, durationMs) => {
      const schedule = scheduleOf(seed, durationMs);
      expect(scheduleOf(seed, durationMs)).toEqual(schedule);
      for (const [index, { atMs, forMs }] of schedule.entries()) {
        expect(atMs).toBeGreaterThanOrEqual(schedule[index - 1]?.atMs ?? 0);
        expect(atMs + forMs).toBeLessThanOrEqual(durationMs);
      }
    });
    fc.assert(holds, { numRuns: 200 });
  });

  test('gives a part one fault at a time, and one fail-over', () => {
    const holds = fc.property(seeds, durations, (seed, durationMs) => {
      const schedule = scheduleOf(seed, durationMs);
      expect(schedule.filter(({ kind }) => kind === 'failed over').length).toBeLessThanOrEqual(1);
      for (const part of Object.keys(FAULTS)) {
        const faults = schedule.filter((fault) => fault.part === part);
        for (const [index, { atMs }] of faults.entries()) {
          const before = faults[index - 1];
          expect(atMs).toBeGreaterThan(before === undefined ? 0 : before.atMs + before.forMs);
        }
      }
    });
    fc.assert(holds, { numRuns: 200 });
  });

  test('has the same faults of the other parts with a second cell, and none of it without', () => {
    const withCell = scheduleOf(7, 30_000, 2);
    const others = withCell.filter(({ part }) => part !== 'otherCell');
    expect(others.length).toBeLessThan(withCell.length);
    expect(scheduleOf(7, 30_000)).toEqual(others);
  });

  test('plays every kind of fault sooner or later, and each can be caused', () => {
    const kinds = Object.entries(FAULTS).flatMap(([part, names]) => names.map((kind) => `${part} ${kind}`));
    const planned = Array.from({ length: 50 }, (_, seed) => scheduleOf(seed, 30_000, 2)).flat();
    expect(new Set(planned.map(({ part, kind }) => `${part} ${kind}`))).toEqual(new Set(kinds));
    for (const { part, kind } of planned) expect(faultOf(part, kind).begin).toBeInstanceOf(Function);
    expect(() => faultOf('redis', 'failed over')).toThrow('redis cannot be failed over');
  });

  test('prints a fault as a line', () => {
    expect(faultWords({ part: 'redis', kind: 'emptied', atMs: 1234, forMs: 500 })).toBe(
      '  1.2 s  redis emptied for 0.5 s',
    );
  });
});
