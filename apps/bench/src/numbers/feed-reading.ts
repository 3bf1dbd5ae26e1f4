import { createNumbering, type Numbering } from '@solegate/doc-numbering';
import type { Experiment, Measurement, Metrics } from '../measuring/result.js';
import { Tally } from '../measuring/tally.js';
import { openPool } from '../running/database-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { Child } from '../workers/child.js';
import { IMPORT_ROWS, importNumbers } from './bulk-work.js';
import type * as FeedConsumer from './feed-consumer.js';
import { openNumbersDatabase } from './subjects/numbers-database.js';
import { BENCH_DATE, BENCH_SERIES, BENCH_SPACE } from './subjects/solegate-numbering.js';

/** Imports, a counter each. */
const IMPORT_COUNT = 10;
const QUICK_COUNT = 1;
const CALLERS = 25;
const WARM_MS = 1000;
const ISSUE_MS = 3000;
const CONSUMER = new URL('./feed-consumer.js', import.meta.url);

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
  const reading = new Tally('solegate', 'solegate');
  const beside = new Tally('solegate', 'solegate');
  const alone = new Tally('nobody reads', 'floor');
  progress.begin(`feed: ${numberCount.toLocaleString('en-US')} numbers behind`, 3 * settings.repeatCount);
  try {
    for (let index = 0; index < importCount; index += 1) await importNumbers(numbering, `F${index}`);
    await pool.query('VACUUM ANALYZE document_numbers');
    await issue(numbering, WARM_MS);
    for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
      progress.step('consumer');
      {
        await using consumer = new Child<typeof FeedConsumer>(CONSUMER);
        const { perSecond, witness } = await consumer.call('readFeed', databaseUrl, numberCount);
        reading.repeats.push({ perSecond });
        const violations = witness === undefined ? [] : [{ rule: 'ordered' as const, witness }];
        reading.verified({ violations, verifiedCount: numberCount });
        progress.step('issue beside it');
        // It reads for longer than they issue, and is ended meanwhile.
        consumer.call('readFeed', databaseUrl, numberCount).catch(() => undefined);
        beside.repeats.push(await issue(numbering, ISSUE_MS));
      }
      progress.step('issue alone');
      alone.repeats.push(await issue(numbering, ISSUE_MS));
    }
  } finally {
    await numbering.close();
    await pool.end();
  }
  progress.end();
  const suffix = settings.quick ? '.small' : '';
  const behind = `a consumer ${numberCount.toLocaleString('en-US')} numbers behind`;
  return [
    experimentOf(`numbers.feed.behind${suffix}`, behind, [reading]),
    experimentOf(`numbers.feed.beside${suffix}`, `${CALLERS} callers issue while that consumer reads`, [
      beside,
      alone,
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

function experimentOf(id: string, title: string, measurements: readonly Measurement[]): Experiment {
  const lead = { metric: 'perSecond', unit: 'numbers/s', better: 'more' } as const;
  return { id, scenario: 'numbers', title, parallel: 1, processes: 1, lead, measurements };
}
