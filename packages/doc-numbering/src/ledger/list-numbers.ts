import type { SqlSession } from '@solegate/postgres-infra';
import { checkId } from '../contract/check-request.js';
import type { LedgerEntry, LedgerFilter, Page, PageRequest } from '../contract/ledger-entry.js';
import { rowsOf } from '../sql/rows.js';
import { readPage, toPage } from './pages.js';

/** A {@link LedgerEntry} in SQL: `n` is document_numbers, `c` its counter, `s` its series. */
export const entryColumns = `n.id::text, n.space, s.code AS series, c.dimensions::json, n.period,
  n.counter_id::text AS "counterId", n.sequence::float8, n.number, n.status, n.format_version AS "formatVersion",
  n.business_date::text AS date, n.document, n.actor, n.reason, n.replaced_by AS "replacedBy", n.idempotency_key AS key,
  n.batch, n.waited_ms AS "waitedMs", n.retry_count AS "retryCount", n.guard, n.issued_at AS "issuedAt",
  n.expires_at AS "expiresAt"`;

export const entryTables = `document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id`;

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
SELECT ${entryColumns}
FROM ${entryTables}
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
  const dimensions = filter.dimensions && JSON.stringify(filter.dimensions);
  const counterId = checkId('counterId', filter.counterId);
  const { space, series, period, status, document, actor, dateFrom, dateTo, key } = filter;
  const wanted = [
    space,
    series,
    dimensions,
    period,
    counterId,
    status,
    document,
    actor,
    dateFrom,
    dateTo,
    key,
  ];
  const [first, second] = start.after ?? [];
  const values = [...wanted, start.first + 1, first, second].map((value) => value ?? null);
  const entries = rowsOf<LedgerEntry>(await session.query({ text: selectPage(order), values }));
  return toPage(entries, start, (entry) =>
    order === 'number' ? [entry.space, entry.number] : [entry.counterId, entry.sequence],
  );
}

const SELECT_BY_NUMBER = `
SELECT ${entryColumns} FROM ${entryTables} WHERE n.space = $1 AND n.number = $2`;

/** @param isLocked no state of the entry changes until the end of the transaction */
export async function findByNumber(
  session: SqlSession,
  { space, number }: { readonly space: string; readonly number: string },
  isLocked = false,
): Promise<LedgerEntry | undefined> {
  const text = isLocked ? `${SELECT_BY_NUMBER} FOR NO KEY UPDATE OF n` : SELECT_BY_NUMBER;
  return rowsOf<LedgerEntry>(await session.query({ text, values: [space, number] }))[0];
}

const SELECT_BY_IDS = `SELECT ${entryColumns} FROM ${entryTables} WHERE n.id = ANY ($1::bigint[])`;

export async function findNumbersById(
  session: SqlSession,
  ids: readonly (bigint | string)[],
): Promise<(LedgerEntry | undefined)[]> {
  const wanted = ids.map((id) => checkId('id', id));
  const entries = rowsOf<LedgerEntry>(await session.query({ text: SELECT_BY_IDS, values: [wanted] }));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return wanted.map((id) => (id === undefined ? undefined : byId.get(id)));
}

const CSV_COLUMNS: readonly (keyof LedgerEntry)[] = [
  'id',
  'space',
  'series',
  'dimensions',
  'period',
  'sequence',
  'number',
  'status',
  'date',
  'formatVersion',
  'document',
  'actor',
  'reason',
  'replacedBy',
  'key',
  'batch',
  'guard',
  'waitedMs',
  'retryCount',
  'issuedAt',
  'expiresAt',
];
const CSV_PAGE = 1000;

/** The ledger as CSV, a piece a page: memory stays bounded however long it is. */
export async function* exportCsv(
  filter: LedgerFilter,
  list: (filter: LedgerFilter, page: PageRequest) => Promise<Page<LedgerEntry>>,
): AsyncGenerator<string> {
  const names = CSV_COLUMNS.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  yield `${names.join(',')}\r\n`;
  let after: string | undefined;
  for (;;) {
    const page = await list(filter, { first: CSV_PAGE, ...(after === undefined ? {} : { after }) });
    const lines = page.items.map(({ item }) => CSV_COLUMNS.map((name) => toCell(item[name])).join(','));
    if (lines.length > 0) yield lines.map((line) => `${line}\r\n`).join('');
    after = page.items.at(-1)?.cursor;
    if (!page.hasNextPage) return;
  }
}

/** RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function toCell(value: LedgerEntry[keyof LedgerEntry]): string {
  if (value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  const codes = typeof value === 'string' ? [value] : Object.entries(value).map((code) => code.join('='));
  const text = codes.join(' ').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
