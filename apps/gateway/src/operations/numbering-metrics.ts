import type { NumberingObserver } from '@solegate/doc-numbering';
import type { Logger } from 'pino';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { recordSharedCommit, spanOfCaller } from './background-trace.js';
import { counterOf } from './instruments.js';

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const COUNTS = [1, 2, 5, 10, 25, 50, 100, 250, 1_000];

/** Document number metrics: latency, size of shared commits, lock waits, conflicts, fallbacks, width used. */
export function numberingMetrics(registry: Registry, logger: Logger): NumberingObserver {
  return { ...commitMetrics(registry, logger), ...troubleMetrics(registry, logger) };
}

function commitMetrics(registry: Registry, logger: Logger): NumberingObserver {
  const histogram = (facts: { name: string; help: string; buckets: number[]; label?: 'guard' | 'outcome' }) =>
    new Histogram<string>({
      name: facts.name,
      help: facts.help,
      buckets: facts.buckets,
      labelNames: facts.label === undefined ? [] : [facts.label],
      registers: [registry],
    });
  const commits = histogram({
    name: 'solegate_numbers_commit_seconds',
    help: 'Duration of a commit of numbers',
    buckets: SECONDS,
    label: 'guard',
  });
  const waits = histogram({
    name: 'solegate_numbers_wait_seconds',
    help: 'Longest wait of any request in a commit before its statement was sent',
    buckets: SECONDS,
  });
  const sizes = histogram({
    name: 'solegate_numbers_batch_size',
    help: 'Numbers in one commit',
    buckets: COUNTS,
  });
  const locks = histogram({
    name: 'solegate_numbers_lock_wait_seconds',
    help: 'Wait for a Redis lock',
    buckets: SECONDS,
    label: 'outcome',
  });
  const issued = counterOf(registry)('solegate_numbers_issued_total', 'Numbers committed');
  return {
    requestQueued: spanOfCaller,
    batchCommitted: ({ origins, ...facts }) => {
      const { numberCount, counterCount, guard, retryCount, durationMs, waitedMaxMs } = facts;
      logger.debug(facts, 'numbers were committed');
      recordSharedCommit('commit numbers', {
        durationMs,
        origins,
        attributes: {
          'solegate.numbers': numberCount,
          'solegate.counters': counterCount,
          'solegate.guard': guard,
          'solegate.retries': retryCount,
          'solegate.waited_ms': waitedMaxMs,
        },
      });
      commits.observe({ guard }, durationMs / 1_000);
      waits.observe(waitedMaxMs / 1_000);
      sizes.observe(numberCount);
      issued.inc(numberCount);
    },
    lockWaited: ({ waitedMs, outcome }) => locks.observe({ outcome }, waitedMs / 1_000),
  };
}

function troubleMetrics(registry: Registry, logger: Logger): NumberingObserver {
  const counter = counterOf(registry);
  const conflicts = counter('solegate_numbers_conflicts_total', 'Commits retried after a version conflict');
  const fallbacks = counter('solegate_numbers_fallbacks_total', 'Commits made without Redis', 'reason');
  const retries = counter('solegate_numbers_store_retries_total', 'Statements retried after a failure');
  const regressions = counter('solegate_numbers_regressions_total', 'Counters found below an issued number');
  const width = new Gauge({
    name: 'solegate_numbers_width_used_ratio',
    help: 'Highest used share of a format width that caused a warning',
    aggregator: 'max',
    registers: [registry],
  });
  return {
    versionConflicted: () => conflicts.inc(),
    fellBack: ({ reason }) => fallbacks.inc({ reason }),
    storeRetried: ({ error }) => {
      retries.inc();
      logger.warn({ err: error }, 'a numbering statement is retried');
    },
    widthWarned: ({ counter: name, lastNumber, widthUsed }) => {
      width.set(widthUsed);
      logger.warn({ counter: name, lastNumber, widthUsed }, 'a format is nearly full; save a wider one');
    },
    regressionFound: (facts) => {
      regressions.inc();
      logger.fatal(facts, 'a counter is below a number that was issued; import the missing numbers');
    },
    releaseFailed: (error) =>
      logger.debug({ err: error }, 'a lock was not released, or marks were not raised; this mends itself'),
  };
}
