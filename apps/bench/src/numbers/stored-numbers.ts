import type { Pool } from 'pg';
import { counterCode, type NumbersRun } from './subjects/numbers-request.js';
import type { StoredCounter } from './verify-numbers.js';

interface StoredRow {
  readonly code: string;
  readonly last_number: string;
  readonly sequences: readonly string[];
}

/** Reads the counters and the ledger of one run, as stored by the subject. */
export async function readStored(
  pool: Pool,
  subject: string,
  run: NumbersRun,
): Promise<Map<string, StoredCounter>> {
  if (subject.startsWith('solegate')) return readSolegate(pool, run, subject.includes('chained'));
  const rows = await readBaseline(pool, run);
  const stored = new Map<string, StoredCounter>();
  for (const { code, last_number, sequences } of rows) {
    const ledger = sequences.map(Number);
    const lastNumber = Number(last_number);
    if (subject.startsWith('original design')) stored.set(code, { lastNumber });
    else if (KEEPS_NO_COUNTER.has(subject)) stored.set(code, { ledger });
    else stored.set(code, { ledger, lastNumber });
  }
  return stored;
}

/** Their counter is a PostgreSQL sequence or a Redis key. */
const KEEPS_NO_COUNTER = new Set(['nextval + ledger', 'INCR + ledger']);

/** A chain has exactly the numbers of its counter, so that its positions are read as their sequences. */
async function readSolegate(
  pool: Pool,
  { run }: NumbersRun,
  isChained: boolean,
): Promise<Map<string, StoredCounter>> {
  const stored = isChained ? 'position FROM document_number_seals' : 'sequence FROM document_numbers';
  const { rows } = await pool.query<StoredRow>(
    `SELECT substring(counter.dimensions FROM 'R[0-9]+C[0-9]+') AS code, counter.last_number,
            ARRAY(SELECT ${stored} WHERE counter_id = counter.id) AS sequences
     FROM document_number_counters AS counter WHERE counter.dimensions ~ $1`,
    [`R${run}C[0-9]`],
  );
  return new Map(
    rows.map((row) => [row.code, { ledger: row.sequences.map(Number), lastNumber: Number(row.last_number) }]),
  );
}

async function readBaseline(pool: Pool, { run, counterCount }: NumbersRun): Promise<StoredRow[]> {
  const codes = Array.from({ length: counterCount }, (_, index) => counterCode(run, index));
  const { rows } = await pool.query<StoredRow>(
    `SELECT counter.code, counter.last_number,
            ARRAY(SELECT sequence FROM baseline_ledger WHERE code = counter.code) AS sequences
     FROM baseline_counters AS counter WHERE counter.code = ANY($1)`,
    [codes],
  );
  return rows;
}
