import type { SqlPool, SqlStatement } from '@solegate/postgres-infra';
import type pg from 'pg';
import { createNumbering, type LedgerFilter } from '../src/index.js';
import { type Office, openOffice, rfa, unguarded, withSeries } from './number-office.js';

const COUNTERS = 100;

/** Inserts counters and their rows, interleaved as many callers would have written them, as the owner can. */
export async function fillLedger({ pool }: Pick<Office, 'pool'>, rowCount: number): Promise<void> {
  await unguarded(
    pool,
    `INSERT INTO document_number_counters (series_id, dimensions, period, first_number, last_number, printed_versions)
    SELECT s.id, json_build_object('DISCIPLINE', 'STR', 'ORG', 'O' || i)::text, '2026', 1, ${rowCount / COUNTERS}, '{1}'
    FROM document_number_series s, generate_series(1, ${COUNTERS}) i WHERE s.code = 'RFA'`,
  );
  await unguarded(
    pool,
    `INSERT INTO document_numbers (counter_id, sequence, space, number, period, status, business_date, actor, format_version,
      document, idempotency_key, key_part, void_reason, voided_by, voided_at)
    SELECT c.id, r.sequence, 'P1', concat_ws('-', c.dimensions::json ->> 'ORG', 'RFA-STR-2026', lpad(r.sequence::text, 8, '0')),
      '2026', r.status, date '2026-01-01' + r.i * 365 / ${rowCount}, 'clerk' || r.i % 50,
      CASE WHEN r.status <> 'imported' THEN 1 END, CASE WHEN r.i % 1000 = 7 THEN 'D' || r.i END,
      CASE WHEN r.i % 1000 = 9 THEN 'K' || r.i END, CASE WHEN r.i % 1000 = 9 THEN 1 END,
      CASE r.status WHEN 'void' THEN 'typo' END, CASE r.status WHEN 'void' THEN 'bob' END,
      CASE r.status WHEN 'void' THEN now() END
    FROM (
      SELECT i, 1 + i / ${COUNTERS} AS sequence, 1 + i % ${COUNTERS} AS place,
        CASE i % 5000 WHEN 1 THEN 'void' WHEN 2 THEN 'imported' WHEN 3 THEN 'cancelled' ELSE 'issued' END AS status
      FROM generate_series(0, ${rowCount} - 1) i
    ) r
    JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM document_number_counters) c USING (place)`,
  );
  // VACUUM finds rows visible only once their commit is on disk.
  await pool.query('CHECKPOINT');
  await pool.query('VACUUM ANALYZE');
}

export async function openBigLedger(rowCount: number): Promise<Office> {
  const office = await openOffice({ requestTimeoutMs: 600_000 });
  await withSeries(office.numbering);
  await fillLedger(office, rowCount);
  return office;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

/** Explains each statement of the calls made through its pool, and counts the buffers that they touch. */
export class ExplainingPool implements SqlPool {
  readonly scanned: string[] = [];
  bufferCount = 0;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect() {
    const client = await this.#pool.connect();
    let isInTransaction = false;
    return {
      query: async (statement: SqlStatement) => {
        if (/^\s*BEGIN/.test(statement.text)) isInTransaction = true;
        else if (/(COMMIT|ROLLBACK)$/.test(statement.text)) isInTransaction = false;
        else if (/^\s*(SELECT|WITH)/.test(statement.text))
          await this.#explain(client, statement, isInTransaction);
        return client.query(statement);
      },
      release: (error?: Error | boolean) => client.release(error),
    };
  }

  /** What the statement does is undone, since it runs again. */
  async #explain(client: pg.PoolClient, { text, values }: SqlStatement, isInTransaction: boolean) {
    await client.query(isInTransaction ? 'SAVEPOINT explained' : 'BEGIN');
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({ text: explain, values });
    await client.query(isInTransaction ? 'ROLLBACK TO SAVEPOINT explained' : 'ROLLBACK');
    for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) {
      this.bufferCount += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
      this.#note(Plan);
    }
  }

  #note(plan: Plan): void {
    if (plan['Node Type'] === 'Seq Scan') this.scanned.push(plan['Relation Name'] ?? '');
    for (const inner of plan.Plans ?? []) this.#note(inner);
  }
}

/** Buffers that a call touches, and the tables that it scans. */
export async function costOf(
  { pool }: Pick<Office, 'pool'>,
  call: (numbering: ReturnType<typeof createNumbering>) => Promise<unknown>,
) {
  const database = new ExplainingPool(pool);
  await call(createNumbering({ database, requestTimeoutMs: 600_000 }));
  return { bufferCount: database.bufferCount, scanned: database.scanned };
}

const { space } = rfa;
const dimensions = { ORG: 'O7' };
const lastDays = { dateFrom: '2026-12-30', dateTo: '2026-12-31' };

/** Filters that an index answers. */
export const answered: readonly [string, LedgerFilter][] = [
  ['nothing', {}],
  ['space', { space }],
  ['status', { space, status: 'void' }],
  ['status everywhere', { status: 'void' }],
  ['a status without rows', { space, status: 'manual' }],
  ['issued', { status: 'issued' }],
  ['series', { series: 'RFA' }],
  ['dimensions', { space, dimensions }],
  ['dimensions everywhere', { dimensions }],
  ['period', { period: '2026' }],
  ['space, newest first', { space, newestFirst: true }],
  ['dimensions, newest first', { dimensions, newestFirst: true }],
  ['a counter', { counterId: '7' }],
  ['document', { document: 'D5007' }],
  ['document of a space', { space, document: 'D5007' }],
  ['key', { space, key: 'K5009' }],
];

/** Filters that are looked for in a bounded number of rows. */
export const looked: readonly [string, LedgerFilter][] = [
  ['an actor', { space, actor: 'clerk7' }],
  ['an actor without rows', { space, actor: 'nobody' }],
  ['an actor everywhere', { actor: 'nobody' }],
  ['dates', { space, ...lastDays }],
  ['dates everywhere', lastDays],
  ['dates of a counter', { space, dimensions, ...lastDays }],
  ['an actor of a series', { space, series: 'RFA', actor: 'nobody' }],
  ['void numbers of an actor', { space, status: 'void', actor: 'nobody' }],
  ['an actor, newest first', { space, actor: 'nobody', newestFirst: true }],
  ['void numbers of a counter', { space, status: 'void', dimensions }],
];

export const newTemplate = '{ORG_CODE}-{TYPE_CODE}-{DISCIPLINE_CODE}-{YEAR}-{SEQ:8}';
