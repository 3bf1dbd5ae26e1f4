import type { SqlSession } from '@solegate/postgres-infra';
import type { NumberStatus } from '../contract/issue-request.js';
import { LiteralArray } from '../sql/parameters.js';

/**
 * Writes numbers that are not drawn but known: assigned, skipped, imported. They raise the counter, which the caller has
 * locked, so they are all of its next numbers without a hole, or of the manual interval.
 */
const recordText = `
INSERT INTO document_numbers (counter_id, sequence, id, space, number, period, status, format_version, business_date,
  document, actor, reason, batch)
SELECT $1::bigint, r.sequence, r.id, $2, r.number, $3, r.status, r.format_version, r.business_date, r.document, $4,
  r.reason, $5::uuid
FROM unnest($6::bigint[], $7::text[], $8::text[], $9::int[], $10::date[], $11::text[], $12::bigint[], $13::text[])
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
  readonly space: string;
  readonly period: string;
  readonly actor: string;
  readonly batch: string;
  readonly numbers: readonly KnownNumber[];
}

export async function recordNumbers(session: SqlSession, request: RecordRequest): Promise<void> {
  const { counterId, space, period, actor, batch, numbers } = request;
  const columns = Array.from({ length: 8 }, () => new LiteralArray());
  const [sequence, number, status, version, date, document, id, reason] = columns;
  for (const row of numbers) {
    sequence?.plain(row.sequence);
    number?.text(row.number);
    status?.plain(row.status);
    version?.plain(row.formatVersion);
    date?.plain(row.date);
    document?.text(row.document);
    id?.plain(row.id);
    reason?.text(row.reason);
  }
  const arrays = columns.map((column) => column.literalOrNull());
  await session.query({
    text: recordText,
    values: [counterId, space, period, actor, batch, ...arrays],
  });
}

const selectTaken = 'SELECT number FROM document_numbers WHERE space = $1 AND number = ANY ($2::text[])';

/**
 * A skipped number whose text is taken, of an import or because a code has changed its name, would stop its counter for
 * good. Nobody was given it, so its row says only where it stands.
 */
export async function passTakenTexts(
  session: SqlSession,
  { space, counterId }: { readonly space: string; readonly counterId: string },
  numbers: readonly KnownNumber[],
): Promise<readonly KnownNumber[]> {
  const texts = numbers.flatMap(({ status, number }) => (status === 'cancelled' ? [number] : []));
  if (texts.length === 0) return numbers;
  const { rows } = await session.query({ text: selectTaken, values: [space, texts] });
  const taken = new Set((rows as { number: string }[]).map(({ number }) => number));
  return numbers.map((one) =>
    one.status === 'cancelled' && taken.has(one.number)
      ? { ...one, number: `${one.number} (skipped, counter ${counterId})` }
      : one,
  );
}
