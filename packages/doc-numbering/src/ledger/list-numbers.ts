import type { SqlSession } from '@solegate/postgres-infra';
import { checkId } from '../contract/check-request.js';
import type { Guard, NumberStatus } from '../contract/issue-request.js';
import type { LedgerEntry, LedgerFilter, Page, PageRequest } from '../contract/ledger-entry.js';
import { readPage, toPage, writeCursor } from './list-counters.js';

/** Columns of a ledger entry: `n` is document_numbers, `c` its counter, `s` its series. */
export const ledgerColumns = `n.id, n.space, s.code, c.dimensions, n.period, n.counter_id, n.sequence, n.number, n.status,
  n.format_version, n.business_date::text AS date, n.document, n.actor, n.reason, n.replaced_by, n.idempotency_key,
  n.batch, n.waited_ms, n.retry_count, n.guard, n.issued_at, n.expires_at`;

export const ledgerTables = `document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id`;

export interface LedgerRow {
  readonly id: string | null;
  readonly space: string;
  readonly code: string;
  readonly dimensions: string;
  readonly period: string;
  readonly counter_id: string;
  readonly sequence: string;
  readonly number: string;
  readonly status: NumberStatus;
  readonly format_version: number | null;
  readonly date: string;
  readonly document: string | null;
  readonly actor: string;
  readonly reason: string | null;
  readonly replaced_by: string | null;
  readonly idempotency_key: string | null;
  readonly batch: string | null;
  readonly waited_ms: number | null;
  readonly retry_count: number | null;
  readonly guard: Guard | null;
  readonly issued_at: Date;
  readonly expires_at: Date | null;
}

export function toLedgerEntry(row: LedgerRow): LedgerEntry {
  return {
    id: row.id === null ? undefined : String(row.id),
    space: row.space,
    series: row.code,
    dimensions: JSON.parse(row.dimensions),
    period: row.period,
    counterId: String(row.counter_id),
    sequence: Number(row.sequence),
    number: row.number,
    status: row.status,
    formatVersion: row.format_version ?? undefined,
    date: row.date,
    document: row.document ?? undefined,
    actor: row.actor,
    reason: row.reason ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
    key: row.idempotency_key ?? undefined,
    batch: row.batch ?? undefined,
    waitedMs: row.waited_ms ?? undefined,
    retryCount: row.retry_count ?? undefined,
    guard: row.guard ?? undefined,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at ?? undefined,
  };
}

const conditions = `
  ($1::text IS NULL OR n.space = $1)
  AND ($2::text IS NULL OR s.code = $2)
  AND ($3::jsonb IS NULL OR c.dimensions::jsonb @> $3)
  AND ($4::text IS NULL OR n.period = $4)
  AND ($5::bigint IS NULL OR n.counter_id = $5)
  AND ($6::text IS NULL OR n.status = $6)
  AND ($7::text IS NULL OR n.document = $7)
  AND ($8::text IS NULL OR n.actor = $8)
  AND ($9::date IS NULL OR n.business_date >= $9)
  AND ($10::date IS NULL OR n.business_date <= $10)
  AND ($11::text IS NULL OR n.idempotency_key = $11)`;

/** Inside one number space pages follow the number texts, else counter and sequence: both are the order of an index. */
const orders = {
  number: { columns: 'n.space, n.number', type: 'text' },
  sequence: { columns: 'n.counter_id, n.sequence', type: 'bigint' },
} as const;

function selectPage(order: keyof typeof orders): string {
  const { columns, type } = orders[order];
  return `
SELECT ${ledgerColumns}
FROM ${ledgerTables}
WHERE ${conditions}
  AND ($13::${type} IS NULL OR (${columns}) > ($13::${type}, $14::${type}))
ORDER BY ${columns}
LIMIT $12`;
}

export async function listNumbers(
  session: SqlSession,
  filter: LedgerFilter,
  page?: PageRequest,
): Promise<Page<LedgerEntry>> {
  const order = filter.space !== undefined && filter.counterId === undefined ? 'number' : 'sequence';
  const start = readPage(page, order);
  const [first = null, second = null] = start.after ?? [];
  const { rows } = await session.query({
    text: selectPage(order),
    values: [...toValues(filter), start.first + 1, first, second],
  });
  return toPage((rows as LedgerRow[]).map(toLedgerEntry), start, (entry) =>
    writeCursor(order, order === 'number' ? [entry.space, entry.number] : [entry.counterId, entry.sequence]),
  );
}

function toValues(filter: LedgerFilter): unknown[] {
  return [
    filter.space ?? null,
    filter.series ?? null,
    filter.dimensions === undefined ? null : JSON.stringify(filter.dimensions),
    filter.period ?? null,
    checkId('counterId', filter.counterId) ?? null,
    filter.status ?? null,
    filter.document ?? null,
    filter.actor ?? null,
    filter.dateFrom ?? null,
    filter.dateTo ?? null,
    filter.key ?? null,
  ];
}

const selectByNumber = `SELECT ${ledgerColumns} FROM ${ledgerTables} WHERE n.space = $1 AND n.number = $2`;

const selectByIds = `SELECT ${ledgerColumns} FROM ${ledgerTables} WHERE n.id = ANY ($1::bigint[])`;

export async function findNumber(
  session: SqlSession,
  query: { readonly space: string; readonly number: string } | { readonly id: bigint | string },
): Promise<LedgerEntry | undefined> {
  if ('id' in query) return (await findNumbersById(session, [query.id]))[0];
  const { rows } = await session.query({ text: selectByNumber, values: [query.space, query.number] });
  const [row] = rows as LedgerRow[];
  return row && toLedgerEntry(row);
}

export async function findNumbersById(
  session: SqlSession,
  ids: readonly (bigint | string)[],
): Promise<(LedgerEntry | undefined)[]> {
  const wanted = ids.map((id) => checkId('id', id));
  const { rows } = await session.query({ text: selectByIds, values: [wanted] });
  const byId = new Map((rows as LedgerRow[]).map((row) => [String(row.id), toLedgerEntry(row)]));
  return wanted.map((id) => (id === undefined ? undefined : byId.get(id)));
}
