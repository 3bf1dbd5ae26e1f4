import { describe, expect, test } from '@jest/globals';
import { Dice } from '@solegate/testkit';
import type { Load } from '../src/measuring/load.js';
import { Recorder, type RunRecord } from '../src/measuring/recorder.js';
import { type CrewPlan, runCrewPlan } from '../src/running/crew-plan.js';
import { silentProgress } from './tiny-run.js';

const closed = (durationMs: number): Load => ({ kind: 'closed', inFlight: 10, durationMs });
const opening: Load = { kind: 'list', inFlight: 10, count: 100 };

/** Runs a plan on fake workers that answer once per millisecond; returns their commands and the verified counts. */
async function trial(plan: Partial<CrewPlan>) {
  const asked: string[] = [];
  const verified: number[] = [];
  let nowMs = 0;
  const run = async (load: Load): Promise<RunRecord[]> => {
    const durationMs = load.kind === 'list' ? load.count : load.durationMs;
    asked.push(`${load.kind} ${durationMs}`);
    const recorder = new Recorder(nowMs, nowMs + durationMs);
    for (let count = 0; count < durationMs; count += 1) {
      nowMs += 1;
      recorder.answered({ kind: 'issued' }, nowMs - 1, nowMs);
    }
    return [recorder.record()];
  };
  const experiment = await runCrewPlan(
    {
      id: 'numbers.sample',
      scenario: 'numbers',
      title: 'a sample',
      parallel: 10,
      processes: 1,
      lead: { metric: 'perSecond', unit: 'numbers/s', better: 'more' },
      subjects: [{ name: 'solegate', role: 'solegate' }],
      load: closed(3000),
      warmUp: closed(2000),
      repeatCount: 2,
      crew: async () => ({
        prepare: async (round) => {
          asked.push(`prepare ${round}`);
        },
        run,
      }),
      prepare: async () => ({}),
      verify: async (_place, records) => {
        const verifiedCount = records.reduce((total, { answered }) => total + answered, 0);
        verified.push(verifiedCount);
        return { violations: [], verifiedCount };
      },
      ...plan,
    },
    { dice: new Dice(1), progress: silentProgress },
  );
  return { asked, verified, experiment };
}

describe('a side', () => {
  test('opens its counters and works for a second in each turn before it is timed, all on the same run', async () => {
    const { asked } = await trial({ opening });
    const turn = (round: number) =>
      ['list 100', 'closed 1000', 'closed 3000'].flatMap((load) => [`prepare ${round}`, load]);
    expect(asked).toEqual(['prepare 1', 'closed 2000', ...turn(2), ...turn(3)]);
  });

  test('is verified over all its answers and measured by those of the timed load', async () => {
    const { verified, experiment } = await trial({ opening });
    expect(verified).toEqual([2000, 4100, 4100]);
    expect(experiment.measurements[0]?.repeats.map(({ answeredCount }) => answeredCount)).toEqual([
      3000, 3000,
    ]);
    expect(experiment.timing).toEqual({ warmedMs: 1000, timedMs: 3000 });
  });

  test('is warmed for as long as it is timed if that is less than a second', async () => {
    const { asked, experiment } = await trial({ load: closed(150), repeatCount: 1 });
    expect(asked.slice(2)).toEqual(['prepare 2', 'closed 150', 'prepare 2', 'closed 150']);
    expect(experiment.timing).toEqual({ warmedMs: 150, timedMs: 150 });
  });

  test('is not warmed before a burst, which has no duration', async () => {
    const { asked, experiment } = await trial({ load: { kind: 'list', inFlight: 10, count: 10 } });
    expect(asked).toEqual(['prepare 1', 'closed 2000', 'prepare 2', 'list 10', 'prepare 3', 'list 10']);
    expect(experiment).not.toHaveProperty('timing');
  });
});

describe('a meter', () => {
  test('is read right before and right after the timed load, and learns how many were answered', async () => {
    const readings: string[] = [];
    const { experiment } = await trial({
      repeatCount: 1,
      meter: async () => {
        readings.push('before');
        return async (answeredCount) => {
          readings.push(`after ${answeredCount}`);
          return { serverUs: 7 };
        };
      },
    });
    expect(readings).toEqual(['before', 'after 3000']);
    expect(experiment.measurements[0]?.repeats[0]).toMatchObject({ serverUs: 7, answeredCount: 3000 });
  });
});
