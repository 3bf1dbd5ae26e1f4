import { createNumbering, migrations } from '@solegate/doc-numbering';
import type pg from 'pg';
import { openPool } from '../../running/database-pool.js';
import type { BenchStores } from '../../running/stores.js';
import { createBaselineTables } from './baseline-tables.js';
import { BENCH_SERIES, BENCH_SPACE } from './solegate-numbering.js';

/** Creates a database with the tables of the product and of its alternatives, and one series for issuing. */
export async function openNumbersDatabase(stores: BenchStores, name = 'bench_numbers'): Promise<string> {
  const url = await stores.createDatabase(name);
  await using pool = openPool(url, 4);
  for (const { sql } of migrations) await pool.query(sql);
  await createBaselineTables(pool);
  await defineBenchSeries(pool);
  // Earlier writes must not be flushed during a measurement.
  await pool.query('CHECKPOINT');
  return url;
}

async function defineBenchSeries(pool: pg.Pool): Promise<void> {
  const numbering = createNumbering({ database: pool });
  await numbering.defineSeries({
    space: BENCH_SPACE,
    series: BENCH_SERIES,
    dimensions: ['ORG', 'DISCIPLINE'],
    reset: 'year',
    timeZone: 'Asia/Bangkok',
    actor: 'bench',
  });
  await numbering.saveFormat({
    space: BENCH_SPACE,
    series: BENCH_SERIES,
    template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}',
    overflow: 'widen',
    validFrom: '2020-01-01',
    actor: 'bench',
  });
  await numbering.close();
}
