import { latencySummary } from './latency.js';
import type { Load } from './load.js';
import type { RunRecord } from './recorder.js';
import type { Measurement, Metrics } from './result.js';

/** Throughput, quantiles over all kinds of answers, and failures of one repeat. */
export function commonMetrics(records: readonly RunRecord[], load: Load): Metrics {
  const latenciesMs = records.flatMap(({ latencies }) => Object.values(latencies).flat());
  const { count: answeredCount, curve: _curve, ...quantiles } = latencySummary(latenciesMs);
  const failedCount = failedCountOf(records);
  return {
    perSecond: throughput(records, load),
    ...quantiles,
    answeredCount,
    failedCount,
    failedShare: answeredCount + failedCount === 0 ? 0 : failedCount / (answeredCount + failedCount),
  };
}

/** Answers per second: within the planned time, or for a list within the span from common start to last answer. */
function throughput(records: readonly RunRecord[], load: Load): number {
  if (load.kind !== 'list') {
    const rounds = new Set(records.map((record) => record.startedMs)).size;
    return (
      (sum(records.map((record) => record.answeredInTime)) * 1000) / (load.durationMs * Math.max(1, rounds))
    );
  }
  const spanMs = spanMsOf(records);
  return spanMs === 0 ? 0 : (sum(records.map((record) => record.answered)) * 1000) / spanMs;
}

/** Total time of all runs, each from its common start to the last answer of its slowest worker. */
export function spanMsOf(records: readonly RunRecord[]): number {
  const spans = new Map<number, number>();
  for (const { startedMs, endedMs } of records) {
    spans.set(startedMs, Math.max(spans.get(startedMs) ?? 0, endedMs - startedMs));
  }
  return sum([...spans.values()]);
}

/** Latencies by kind of answer, and failed calls by error code, of all workers and runs. */
export function outcomesOf(records: readonly RunRecord[]): Pick<Measurement, 'latencies' | 'failures'> {
  const kinds = new Set(records.flatMap((record) => Object.keys(record.latencies)));
  const failures: Record<string, number> = {};
  for (const [code, { count }] of records.flatMap((record) => Object.entries(record.failures))) {
    failures[code] = (failures[code] ?? 0) + count;
  }
  const latencies = [...kinds].map((kind) => [
    kind,
    latencySummary(records.flatMap((record) => record.latencies[kind] ?? [])),
  ]);
  return { latencies: Object.fromEntries(latencies), failures };
}

/** The sum of the values; 0 for none. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Number of failed calls of all workers. */
export function failedCountOf(records: readonly RunRecord[]): number {
  return sum(records.flatMap((record) => Object.values(record.failures).map(({ count }) => count)));
}
