import { expect, test } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { MetricTotals, quantileSince } from '../src/overview/metric-totals.js';
import { RecentHistory } from '../src/overview/recent-history.js';

const MINUTE_MS = 60_000;

function clockwork() {
  const registry = new Registry();
  const operations = new Histogram({
    name: 'solegate_gateway_operation_seconds',
    help: 'x',
    labelNames: ['operation', 'code'],
    buckets: [0.01, 0.1, 1],
    registers: [registry],
  });
  const issued = new Counter({ name: 'solegate_numbers_issued_total', help: 'x', registers: [registry] });
  const clock = { ms: Date.UTC(2026, 0, 1), setByMs: 0 };
  const history = new RecentHistory({ registry, now: () => clock.ms + clock.setByMs, tick: () => clock.ms });
  return {
    history,
    clock,
    issued,
    operation: (code: string, seconds: number) =>
      operations.labels('Mutation.acceptTrip', code).observe(seconds),
  };
}

test('a minute contains only its own events', async () => {
  const { history, clock, issued, operation } = clockwork();
  operation('OK', 0.5);
  issued.inc(100);
  await history.start();
  for (let count = 0; count < 98; count += 1) operation('OK', 0.005);
  operation('FORBIDDEN', 0.05);
  operation('SERVICE_UNAVAILABLE', 0.5);
  issued.inc(7);
  clock.ms += MINUTE_MS;
  await history.close();
  clock.ms += MINUTE_MS / 2;
  issued.inc(2);
  const [minute, running, ...others] = await history.buckets();
  history.stop();
  expect(others).toEqual([]);
  expect(minute).toMatchObject({
    from: new Date(Date.UTC(2026, 0, 1)),
    seconds: 60,
    operationCount: 100,
    refusedCount: 1,
    failedCount: 1,
    numberCount: 7,
    idCount: 0,
    acceptCount: 100,
  });
  expect(minute?.acceptP50Ms).toBeLessThan(10);
  expect(minute?.acceptP99Ms).toBe(100);
  expect(running).toMatchObject({
    seconds: 30,
    operationCount: 0,
    acceptP50Ms: undefined,
    numberCount: 2,
  });
});

test('keeps one hour of history', async () => {
  const { history, clock, issued } = clockwork();
  await history.start();
  for (let minute = 0; minute < 100; minute += 1) {
    issued.inc(minute);
    clock.ms += MINUTE_MS;
    await history.close();
  }
  const buckets = await history.buckets();
  history.stop();
  expect(buckets).toHaveLength(61);
  expect(buckets[0]?.numberCount).toBe(40);
  expect(buckets.at(-2)?.numberCount).toBe(99);
});

test('a quantile is interpolated between bounds, and capped at the highest bound', async () => {
  const registry = new Registry();
  const histogram = new Histogram({ name: 'h', help: 'x', buckets: [1, 2], registers: [registry] });
  const totals = new MetricTotals(registry);
  const nothing = await totals.distribution('h');
  expect(quantileSince(nothing, nothing, 0.5)).toBeUndefined();
  for (const value of [0.5, 0.5, 1.5, 1.5]) histogram.observe(value);
  const four = await totals.distribution('h');
  expect(quantileSince(four, nothing, 0.5)).toBe(1);
  expect(quantileSince(four, nothing, 0.75)).toBe(1.5);
  histogram.observe(1_000);
  expect(quantileSince(await totals.distribution('h'), four, 0.99)).toBe(2);
});

test('a clock that is set changes when a minute began, not how long it was', async () => {
  const { history, clock } = clockwork();
  await history.start();
  clock.ms += MINUTE_MS;
  clock.setByMs = -60 * MINUTE_MS;
  await history.close();
  clock.ms += MINUTE_MS / 2;
  const buckets = await history.buckets();
  history.stop();
  expect(buckets.map(({ seconds }) => seconds)).toEqual([60, 30]);
});
