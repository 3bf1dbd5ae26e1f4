import type { NumberingEvents } from '@solegate/doc-numbering';
import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Document numbers: latency, size of the shared commits, lock waits, conflicts, fallbacks, width used. */
export function numberingMetrics(registry: Registry, logger: Logger): NumberingEvents {
  const registers = [registry];
  const commits = new Histogram({
    name: 'solegate_numbers_commit_seconds',
    help: 'A commit with numbers',
    labelNames: ['guard'],
    buckets: SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: 'solegate_numbers_wait_seconds',
    help: 'Longest wait of a request of a commit before its statement was sent',
    buckets: SECONDS,
    registers,
  });
  const sizes = new Histogram({
    name: 'solegate_numbers_batch_size',
    help: 'Numbers in one commit',
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 1_000],
    registers,
  });
  const locks = new Histogram({
    name: 'solegate_numbers_lock_wait_seconds',
    help: 'Wait for the Redis lock',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers,
  });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers });
  const issued = counter('solegate_numbers_issued_total', 'Numbers committed');
  const conflicts = counter(
    'solegate_numbers_conflicts_total',
    'Commits repeated because another holder was first',
  );
  const fallbacks = counter(
    'solegate_numbers_fallbacks_total',
    'Commits that went on without Redis',
    'reason',
  );
  const retries = counter('solegate_numbers_store_retries_total', 'Statements repeated because they failed');
  const regressions = counter(
    'solegate_numbers_regressions_total',
    'Counters found below a number that was issued',
  );
  const width = new Gauge({
    name: 'solegate_numbers_width_used_ratio',
    help: 'Largest part of a format in use that was warned of',
    registers,
  });

  return {
    batchCommitted: ({ numberCount, guard, durationMs, waitedMaxMs }) => {
      commits.observe({ guard }, durationMs / 1_000);
      waits.observe(waitedMaxMs / 1_000);
      sizes.observe(numberCount);
      issued.inc(numberCount);
    },
    lockWaited: ({ waitedMs, outcome }) => locks.observe({ outcome }, waitedMs / 1_000),
    versionConflicted: () => conflicts.inc(),
    fellBack: ({ reason }) => fallbacks.inc({ reason }),
    storeRetried: ({ error }) => {
      retries.inc();
      logger.warn({ err: error }, 'a numbering statement is repeated');
    },
    widthWarned: ({ counter: name, lastNumber, widthUsed }) => {
      width.set(widthUsed);
      logger.warn({ counter: name, lastNumber, widthUsed }, 'a format is running full; save a wider one');
    },
    regressionFound: (facts) => {
      regressions.inc();
      logger.fatal(facts, 'a counter stands below a number that was issued; import the missing numbers');
    },
    releaseFailed: (error) => logger.debug({ err: error }, 'a lock was not given back; it ends by itself'),
  };
}
