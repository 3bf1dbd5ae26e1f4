import { createNumbering, type Numbering } from '@solegate/doc-numbering';
import type pg from 'pg';
import type { Experiment, Metrics } from '../measuring/result.js';
import { Tally } from '../measuring/tally.js';
import { openPool } from '../running/database-pool.js';
import type { ScenarioContext } from '../running/scenario.js';
import { openNumbersDatabase } from './subjects/numbers-database.js';
import { BENCH_DATE, BENCH_SERIES, BENCH_SPACE } from './subjects/solegate-numbering.js';

/** Rows of one import, and the number of imports that build the ledger to reconcile. */
export const IMPORT_ROWS = 100_000;
const IMPORT_COUNT = 10;

/** A ledger of the same columns and indexes, so that the plain statement has the same rows to write. */
const CREATE_PLAIN_LEDGER = `CREATE TABLE plain_ledger (LIKE document_numbers INCLUDING ALL)`;

const BULK_INSERT = `
  INSERT INTO plain_ledger (counter_id, sequence, business_date, status, space, number, period, actor)
  SELECT $1::bigint, sequence, '${BENCH_DATE}', 'imported', 'PLAIN', 'TEAM-RFA-' || $1::bigint || '-2026-' || sequence, '2026', 'bench'
  FROM unnest($2::bigint[]) AS sequence`;

/** Every hole of every counter in one pass over the ledger: the minimum that a proof of "gapless" must read. */
const GAP_QUERY = `
  SELECT counter_id, sequence, following FROM (
    SELECT counter_id, sequence, lead(sequence) OVER (PARTITION BY counter_id ORDER BY sequence) AS following
    FROM document_numbers WHERE space = $1
  ) AS pairs WHERE following > sequence + 1`;

/**
 * Compares imports of 100,000 numbers with a bulk INSERT, and reconciling a million rows with one gap query, in a
 * database that has no other numbers. The first import and the first INSERT are the warm-up.
 */
export async function runBulkWork({ settings, stores, progress }: ScenarioContext): Promise<Experiment[]> {
  const importCount = settings.quick ? 2 : IMPORT_COUNT;
  const pool = openPool(await openNumbersDatabase(stores, 'bench_bulk_numbers'), 4);
  const numbering = createNumbering({ database: pool });
  const imports: Metrics[] = [];
  const inserts: Metrics[] = [];
  const reconciles: Metrics[] = [];
  const queries: Metrics[] = [];
  progress.begin(
    `import of ${IMPORT_ROWS.toLocaleString('en-US')} numbers, reconcile`,
    importCount + settings.repeatCount,
  );
  try {
    await pool.query(CREATE_PLAIN_LEDGER);
    for (let index = 0; index < importCount; index += 1) {
      progress.step('import');
      imports.push(await timed(() => importNumbers(numbering, `I${index}`)));
      if (index <= settings.repeatCount) inserts.push(await timed(() => bulkInsert(pool, index)));
    }
    await pool.query('VACUUM ANALYZE document_numbers');
    for (let repeat = 0; repeat < settings.repeatCount; repeat += 1) {
      progress.step('reconcile');
      reconciles.push(await timed(() => expectClean(numbering)));
      queries.push(await timed(() => pool.query(GAP_QUERY, [BENCH_SPACE])));
    }
  } finally {
    await numbering.close();
    await pool.end();
  }
  progress.end();
  const ledgerRows = importCount * IMPORT_ROWS;
  return [
    bulkExperiment('numbers.import', `import of ${IMPORT_ROWS.toLocaleString('en-US')} numbers`, [
      new Tally('solegate', 'solegate', imports.slice(1, inserts.length)),
      new Tally('bulk INSERT', 'floor', inserts.slice(1)),
    ]),
    bulkExperiment(
      `numbers.reconcile${settings.quick ? '.small' : ''}`,
      `reconcile over ${ledgerRows.toLocaleString('en-US')} ledger rows`,
      [new Tally('solegate', 'solegate', reconciles), new Tally('gap query', 'floor', queries)],
    ),
  ];
}

/** Imports the numbers of a new counter. @throws Error if one is refused */
export async function importNumbers(numbering: Numbering, discipline: string): Promise<void> {
  const rows = Array.from({ length: IMPORT_ROWS }, (_, index) => ({
    series: BENCH_SERIES,
    dimensions: { ORG: 'TEAM', DISCIPLINE: discipline },
    sequence: index + 1,
    date: BENCH_DATE,
  }));
  const report = await numbering.importNumbers({ space: BENCH_SPACE, rows, actor: 'bench' });
  if (!report.imported) throw new Error(`the import was refused: ${report.problems[0]?.message}`);
}

async function bulkInsert(pool: pg.Pool, counterId: number): Promise<void> {
  const sequences = Array.from({ length: IMPORT_ROWS }, (_, index) => index + 1);
  await pool.query(BULK_INSERT, [counterId, sequences]);
}

async function expectClean(numbering: Numbering): Promise<void> {
  const findings = await numbering.reconcile({ space: BENCH_SPACE });
  const bad = findings.find(({ kind }) => kind === 'HOLE' || kind === 'REGRESSION');
  if (bad !== undefined) throw new Error(`a clean ledger was reported broken: ${JSON.stringify(bad)}`);
}

async function timed(work: () => Promise<unknown>): Promise<Metrics> {
  const startedMs = performance.now();
  await work();
  return { allMs: performance.now() - startedMs };
}

function bulkExperiment(id: string, title: string, measurements: readonly Tally[]): Experiment {
  const lead = { metric: 'allMs', unit: 'ms', better: 'less' } as const;
  return { id, scenario: 'numbers', title, parallel: 1, processes: 1, lead, measurements };
}
