import type { SqlSession } from '@solegate/postgres-infra';
import { checkId } from './check-request.js';
import type { LedgerEntry, LedgerFilter, Page, PageRequest } from './ledger-entry.js';
import { type LedgerRow, ledgerColumns, ledgerTables, toLedgerEntry } from './ledger-row.js';
import { readPage, toPage, writeCursor } from './page-cursor.js';

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
  AND ($10::date IS NULL OR n.business_date <= $10)`;

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
  AND ($12::${type} IS NULL OR (${columns}) > ($12::${type}, $13::${type}))
ORDER BY ${columns}
LIMIT $11`;
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
