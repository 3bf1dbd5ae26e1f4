import type { Pool } from 'pg';
import { counterCode } from './numbers-request.js';

/**
 * Tables of the algorithms that Solegate is compared with. The ledger has the two unique keys that any ledger of
 * numbers needs; the original design does not write to it.
 */
const CREATE = `
  CREATE TABLE baseline_counters (
    code text PRIMARY KEY,
    last_number bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL DEFAULT now()
  ) WITH (fillfactor = 50);
  CREATE TABLE baseline_ledger (
    code text NOT NULL,
    sequence bigint NOT NULL,
    number text NOT NULL UNIQUE,
    issued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (code, sequence)
  );
  CREATE TABLE baseline_documents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number text NOT NULL,
    subject text NOT NULL
  );
  CREATE TABLE baseline_formats (code text PRIMARY KEY, template text NOT NULL);
  CREATE TABLE baseline_codes (kind text NOT NULL, id int NOT NULL, code text NOT NULL, PRIMARY KEY (kind, id));
  INSERT INTO baseline_formats VALUES ('RFA', '{ORG_CODE}-{TYPE_CODE}-{DISCIPLINE_CODE}-{YEAR}-{SEQ:4}');
  INSERT INTO baseline_codes VALUES ('organization', 1, 'TEAM'), ('type', 1, 'RFA'), ('discipline', 1, 'STR');
`;

export async function createBaselineTables(pool: Pool): Promise<void> {
  await pool.query(CREATE);
}

/** Creates the counters of one run in advance: their creation by the original design is broken, and not measured. */
export async function createBaselineCounters(pool: Pool, run: number, counterCount: number): Promise<void> {
  const codes = Array.from({ length: counterCount }, (_, index) => counterCode(run, index));
  await pool.query('INSERT INTO baseline_counters (code) SELECT unnest($1::text[])', [codes]);
}

/** Creates a sequence for each counter of one run, for the `nextval` option. */
export async function createBaselineSequences(pool: Pool, run: number, counterCount: number): Promise<void> {
  for (let index = 0; index < counterCount; index += 1) {
    await pool.query(`CREATE SEQUENCE baseline_${counterCode(run, index).toLowerCase()}`);
  }
}
