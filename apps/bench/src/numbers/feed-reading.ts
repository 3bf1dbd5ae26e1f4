import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createNumbering, type Numbering } from '@solegate/doc-numbering';
import type { Experiment, Measurement, Metrics, SubjectRole, Violation } from '../measuring/result.js';
import { openPool } from '../running/database-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { IMPORT_ROWS, importNumbers } from './bulk-work.js';
import type { FeedOrder, FeedReading } from './feed-consumer.js';
import { openNumbersDatabase } from './subjects/numbers-database.js';
import { BENCH_DATE, BENCH_SERIES, BENCH_SPACE } from './subjects/solegate-numbering.js';

/** Imports, a counter each. */
const IMPORT_COUNT = 10;
const QUICK_COUNT = 1;
const CALLERS = 25;
const WARM_MS = 1000;
const ISSUE_MS = 3000;

/**
 * A consumer, in its own process, that is a million numbers behind: how fast it reads them, and what it costs those who
 * issue numbers at the same time. Issuing with and without it takes turns.
 */
export async function runFeedReading({ settings, stores, progress }: ScenarioContext): Promise<Experiment[]> {
  const importCount = settings.quick ? QUICK_COUNT : IMPORT_COUNT;
  const numberCount = importCount * IMPORT_ROWS;
  const databaseUrl = await openNumbersDatabase(stores, 'bench_feed');
  const pool = openPool(databaseUrl, CALLERS);
  const numbering = createNumbering({ database: pool });
  const alone: Metrics[] = [];
  const beside: Metrics[] = [];
  const reading: Metrics[] = [];
  const violations: Violation[] = [];
  progress.begin(`feed: ${numberCount.toLocaleString('en-US')} numbers behind`, 3 * settings.repeatCount);
  try {
    for (let index = 0; index < importCount; index += 1) await importNumbers(numbering, `F${index}`);
    await pool.query('VACUUM ANALYZE document_numbers');
    await issue(numbering, WARM_MS);
    for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
      const consumer = startConsumer({ databaseUrl, numberCount });
      progress.step('consumer');
      const { perSecond, witness } = await consumer.reading();
      reading.push({ perSecond });
      if (witness !== undefined) violations.push({ rule: 'ordered', witness });
      progress.step('issue beside it');
      beside.push(await issue(numbering, ISSUE_MS));
      await consumer.end();
      progress.step('issue alone');
      alone.push(await issue(numbering, ISSUE_MS));
    }
  } finally {
    await numbering.close();
    await pool.end();
  }
  progress.end();
  const verifiedCount = numberCount * settings.repeatCount;
  const suffix = settings.quick ? '.small' : '';
  return [
    experimentOf(
      `numbers.feed.behind${suffix}`,
      `a consumer ${numberCount.toLocaleString('en-US')} numbers behind`,
      [measured('solegate', 'solegate', reading, { violations, verifiedCount })],
    ),
    experimentOf(`numbers.feed.beside${suffix}`, `${CALLERS} callers issue while that consumer reads`, [
      measured('solegate', 'solegate', beside),
      measured('nobody reads', 'floor', alone),
    ]),
  ];
}

/** Numbers a second of callers who each ask for the next one as soon as they have one. */
async function issue(numbering: Numbering, durationMs: number): Promise<Metrics> {
  const startedMs = performance.now();
  let count = 0;
  const caller = async (index: number) => {
    const dimensions = { ORG: 'TEAM', DISCIPLINE: `I${index}` };
    while (performance.now() < startedMs + durationMs) {
      await numbering.issue({
        space: BENCH_SPACE,
        series: BENCH_SERIES,
        dimensions,
        date: BENCH_DATE,
        actor: 'bench',
      });
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index)));
  return { perSecond: (count / (performance.now() - startedMs)) * 1000 };
}

function startConsumer(order: FeedOrder) {
  const child: ChildProcess = fork(new URL('./feed-consumer.js', import.meta.url));
  child.send(order);
  return {
    async reading(): Promise<FeedReading> {
      const [said] = (await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => {
          throw new Error('the consumer ended before it had read all numbers');
        }),
      ])) as [FeedReading];
      return said;
    },
    async end(): Promise<void> {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function measured(
  subject: string,
  role: SubjectRole,
  repeats: readonly Metrics[],
  verdict: Pick<Measurement, 'violations' | 'verifiedCount'> = { violations: [], verifiedCount: 0 },
): Measurement {
  return { subject, role, repeats, latencies: {}, failures: {}, ...verdict };
}

function experimentOf(id: string, title: string, measurements: readonly Measurement[]): Experiment {
  const lead = { metric: 'perSecond', unit: 'numbers/s', better: 'more' } as const;
  return { id, scenario: 'numbers', title, parallel: 1, processes: 1, lead, measurements };
}
