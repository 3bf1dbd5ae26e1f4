import type { NumberStatus } from './issue-request.js';
import { LiteralArray } from './literal-array.js';
import type { SqlSession } from './sql-session.js';

/**
 * Writes numbers that are not drawn but known: assigned, skipped, imported. The counter is raised in the same statement, so
 * that PostgreSQL's own rules (no number unrecorded, none uncounted) hold at its end. The counter is locked by the caller.
 */
const recordText = `
WITH raised AS (
  UPDATE document_number_counters c
  SET last_number = $2::bigint, version = c.version + 1,
    last_date = greatest(c.last_date, $3::date), updated_at = clock_timestamp()
  WHERE c.id = $1::bigint AND c.last_number < $2::bigint
)
INSERT INTO document_numbers (counter_id, sequence, id, space, number, period, status, format_version, business_date,
  document, actor, reason, batch)
SELECT $1::bigint, r.sequence, r.id, $4, r.number, $5, r.status, r.format_version, r.business_date, r.document, $6,
  r.reason, $7::uuid
FROM unnest($8::bigint[], $9::text[], $10::text[], $11::int[], $12::date[], $13::text[], $14::bigint[], $15::text[])
  AS r (sequence, number, status, format_version, business_date, document, id, reason)`;

const lockCounter = `
SELECT c.last_number, c.first_number, c.last_date::text, s.revision
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE c.id = $1::bigint
FOR NO KEY UPDATE OF c`;

export interface LockedCounter {
  readonly last: number;
  readonly first: number;
  readonly lastDate: string | undefined;
  readonly revision: number;
}

/** Locks a counter until the end of the transaction and says where it stands. */
export async function lockCounterRow(session: SqlSession, counterId: string): Promise<LockedCounter> {
  const { rows } = await session.query({ text: lockCounter, values: [counterId] });
  const [row] = rows as {
    last_number: string;
    first_number: string;
    last_date: string | null;
    revision: string;
  }[];
  if (!row) throw new Error(`PostgreSQL has no counter ${counterId}, though it was opened`);
  return {
    last: Number(row.last_number),
    first: Number(row.first_number),
    lastDate: row.last_date ?? undefined,
    revision: Number(row.revision),
  };
}

export interface KnownNumber {
  readonly sequence: number;
  readonly number: string;
  readonly status: NumberStatus;
  readonly formatVersion: number | undefined;
  readonly date: string;
  readonly document?: string | undefined;
  readonly id?: string | undefined;
  readonly reason?: string | undefined;
}

export interface RecordRequest {
  readonly counterId: string;
  /** Where the counter stands afterwards; not below where it stands now. */
  readonly raiseTo: number;
  readonly space: string;
  readonly period: string;
  readonly actor: string;
  readonly batch: string;
  readonly numbers: readonly KnownNumber[];
}

export async function recordNumbers(session: SqlSession, request: RecordRequest): Promise<void> {
  const { counterId, raiseTo, space, period, actor, batch, numbers } = request;
  const columns = Array.from({ length: 8 }, () => new LiteralArray());
  const [sequence, number, status, version, date, document, id, reason] = columns;
  let lastDate: string | null = null;
  for (const row of numbers) {
    sequence?.plain(row.sequence);
    number?.text(row.number);
    status?.plain(row.status);
    version?.plain(row.formatVersion);
    date?.plain(row.date);
    document?.text(row.document);
    id?.plain(row.id);
    reason?.text(row.reason);
    if (row.status !== 'cancelled' && (lastDate === null || row.date > lastDate)) lastDate = row.date;
  }
  const arrays = columns.map((column) => column.literalOrNull());
  await session.query({
    text: recordText,
    values: [counterId, raiseTo, lastDate, space, period, actor, batch, ...arrays],
  });
}
