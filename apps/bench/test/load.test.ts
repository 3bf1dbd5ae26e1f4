import { describe, expect, test } from '@jest/globals';
import { latencySummary } from '../src/measuring/latency.js';
import { runLoad } from '../src/measuring/load.js';
import type { RunRecord } from '../src/measuring/recorder.js';
import { commonMetrics } from '../src/measuring/run-metrics.js';
import { sharedNowMs } from '../src/measuring/shared-clock.js';
import { shareOf } from '../src/workers/crew.js';

const answered = { kind: 'answered' } as const;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function recordOf(...run: Parameters<typeof runLoad>): Promise<RunRecord> {
  return (await runLoad(...run)).record();
}

function summaryOf(record: RunRecord) {
  return latencySummary(Object.values(record.latencies).flat());
}

describe('a list', () => {
  test('makes each request once, never more at a time than allowed', async () => {
    const seen: number[] = [];
    let underWay = 0;
    let most = 0;
    const record = await recordOf(
      { kind: 'list', inFlight: 7, count: 100 },
      sharedNowMs(),
      async ({ sequence }) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        seen.push(sequence);
        return answered;
      },
    );
    expect(seen.sort((left, right) => left - right)).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
    expect(most).toBe(7);
    expect(record.answered).toBe(100);
  });

  test('counts failures by code and continues', async () => {
    const record = await recordOf(
      { kind: 'list', inFlight: 2, count: 10 },
      sharedNowMs(),
      async ({ sequence }) => {
        if (sequence % 2 === 0) throw Object.assign(new Error('no place left'), { code: 'FULL' });
        return answered;
      },
    );
    expect(record.failures).toEqual({ FULL: { count: 5, example: 'no place left' } });
    expect(commonMetrics([record], { kind: 'list', inFlight: 2, count: 10 })).toMatchObject({
      failedCount: 5,
      answeredCount: 5,
      failedShare: 0.5,
    });
  });
});

describe('an open load', () => {
  test('counts latency from the moment at which a request was due, so that a stall shows in every request that arrived during it', async () => {
    const stallMs = 300;
    const record = await recordOf(
      { kind: 'open', ratePerSecond: 100, durationMs: 600 },
      sharedNowMs(),
      async ({ sequence }) => {
        if (sequence === 10) {
          const untilMs = performance.now() + stallMs;
          while (performance.now() < untilMs);
        }
        return answered;
      },
    );
    expect(record.answered).toBe(60);
    const late = 1 - (stallMs / 2 / 10 + 1) / 60;
    const { curve } = summaryOf(record);
    const atQuarter = curve.find(([share]) => share === 0.75)?.[1] ?? 0;
    expect(late).toBeLessThan(0.75);
    expect(atQuarter).toBeGreaterThan(stallMs / 4);
  });
});

describe('a closed load', () => {
  test('sends the next request after each response, until its time is over', async () => {
    const load = { kind: 'closed', inFlight: 3, durationMs: 150 } as const;
    const record = await recordOf(load, sharedNowMs(), async () => {
      await pause(10);
      return answered;
    });
    expect(record.answered).toBeGreaterThanOrEqual(3);
    expect(record.answered).toBeLessThanOrEqual(48);
    expect(record.answered - record.answeredInTime).toBeLessThanOrEqual(3);
  });
});

describe('shares of a load', () => {
  test('add up to the whole', () => {
    const shares = [0, 1, 2, 3].map((index) => shareOf({ kind: 'list', inFlight: 10, count: 103 }, index, 4));
    const total = (key: 'inFlight' | 'count') =>
      shares.reduce((sum, share) => sum + (share.kind === 'list' ? share[key] : 0), 0);
    expect(total('inFlight')).toBe(10);
    expect(total('count')).toBe(103);
    const open = shareOf({ kind: 'open', ratePerSecond: 100, durationMs: 1000 }, 0, 4);
    expect(open).toMatchObject({ ratePerSecond: 25 });
  });
});
