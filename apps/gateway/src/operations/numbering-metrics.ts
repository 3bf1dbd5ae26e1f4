import type { NumberingObserver } from '@solegate/doc-numbering';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { recordSharedCommit, spanOfCaller } from './background-trace.js';
import { COUNTS, counterOf, histogramOf, SECONDS } from './instruments.js';

/** Document number metrics: latency, size of shared commits, lock waits, conflicts, fallbacks, width used. */
export function numberingMetrics(registry: Registry, logger: Logger): NumberingObserver {
  return { ...commitMetrics(registry, logger), ...troubleMetrics(registry, logger) };
}

function commitMetrics(registry: Registry, logger: Logger): NumberingObserver {
  const durations = histogramOf(registry, SECONDS);
  const commits = durations('solegate_numbers_commit_seconds', 'Duration of a commit of numbers', 'guard');
  const waits = durations(
    'solegate_numbers_wait_seconds',
    'Longest wait of any request in a commit before its statement was sent',
  );
  const sizes = histogramOf(registry, COUNTS)('solegate_numbers_batch_size', 'Numbers in one commit');
  const locks = durations('solegate_numbers_lock_wait_seconds', 'Wait for a Redis lock', 'outcome');
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
    sweepFailed: (error) => logger.warn({ err: error }, 'overdue reservations were not cancelled; retrying'),
    releaseFailed: (error) =>
      logger.debug({ err: error }, 'a lock was not released, or marks were not raised; this mends itself'),
  };
}
