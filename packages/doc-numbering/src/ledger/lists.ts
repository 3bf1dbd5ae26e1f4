import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkWhole } from '../contract/checks.js';
import type {
  CounterFilter,
  CounterState,
  LedgerEntry,
  LedgerFilter,
  NumberingEvent,
  Page,
  PageRequest,
} from '../contract/ledger-entry.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import { selectRows } from '../sql/rows.js';

const PAGE_SIZE = 50;
const PAGE_SIZE_RANGE = [1, 1000] as const;

/** Where a page begins: the key of the entry before it, as text. */
interface PageStart {
  readonly kind: string;
  readonly first: number;
  readonly after: readonly string[] | undefined;
}

/** @throws InvalidRequestError for a size out of range or a cursor that is not of this kind of page */
function readPage({ first = PAGE_SIZE, after }: PageRequest = {}, kind: string): PageStart {
  const start = { kind, first: checkWhole('first', first, PAGE_SIZE_RANGE) };
  if (after === undefined) return { ...start, after };
  const refusal = new InvalidRequestError('after', 'is not a cursor of this list');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(after, 'base64url').toString());
  } catch {
    throw refusal;
  }
  const texts = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [];
  if (texts.length < 2 || texts[0] !== kind) throw refusal;
  return { ...start, after: texts.slice(1) };
}

/** A page out of one item more than it holds, so that nothing counts. A cursor is the kind of page and the item's key. */
function toPage<Item>(
  items: readonly Item[],
  { kind, first }: PageStart,
  keyOf: (item: Item) => readonly (string | number)[],
): Page<Item> {
  const cursor = (item: Item): string =>
    Buffer.from(JSON.stringify([kind, ...keyOf(item).map(String)])).toString('base64url');
  return {
    items: items.slice(0, first).map((item) => ({ item, cursor: cursor(item) })),
    hasNextPage: items.length > first,
  };
}

/** The width is that of the newest format: the one that the next numbers will have. */
export const widthOfSeries = `(
    SELECT substring(f.template FROM '\\{SEQ:(\\d+)\\}') FROM document_number_formats f
    WHERE f.series_id = s.id AND f.withdrawn_at IS NULL ORDER BY f.version DESC LIMIT 1
  )::int`;

const SELECT_COUNTERS = `
SELECT c.id::text AS "counterId", s.space, s.code AS series, c.dimensions::json, c.period,
  c.last_number::float8 AS "lastNumber", c.version::float8, c.last_date::text AS "lastDate", c.updated_at AS "updatedAt",
  c.last_number / (10::float8 ^ ${widthOfSeries} - 1) AS "widthUsed"
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE ($1::text IS NULL OR s.space = $1)
  AND ($2::text IS NULL OR s.code = $2)
  AND ($3::jsonb IS NULL OR c.dimensions::jsonb @> $3)
  AND ($4::text IS NULL OR c.period = $4)
  AND ($5::bigint IS NULL OR c.id > $5)
ORDER BY c.id
LIMIT $6`;

export async function listCounters(
  session: SqlSession,
  { space, series, dimensions, period }: CounterFilter,
  page?: PageRequest,
): Promise<Page<CounterState>> {
  const start = readPage(page, 'counter');
  const codes = dimensions && JSON.stringify(dimensions);
  const wanted = [space, series, codes, period, start.after?.[0]].map((value) => value ?? null);
  const values = [...wanted, start.first + 1];
  const counters = await selectRows<CounterState>(session, SELECT_COUNTERS, values);
  return toPage(counters, start, ({ counterId }) => [counterId]);
}

const SELECT_EVENTS = `
SELECT id::text AS "eventId", type, space, counter_id::text AS "counterId", sequence::float8, number, actor, reason,
  facts, at
FROM document_number_events
WHERE ($1::text IS NULL OR space = $1)
  AND ($2::text IS NULL OR number = $2)
  AND ($3::bigint IS NULL OR id > $3)
ORDER BY document_number_events.id
LIMIT $4`;

export async function listEvents(
  session: SqlSession,
  { space, number }: { readonly space?: string; readonly number?: string },
  page?: PageRequest,
): Promise<Page<NumberingEvent>> {
  const start = readPage(page, 'event');
  const values = [space ?? null, number ?? null, start.after?.[0] ?? null, start.first + 1];
  const events = await selectRows<NumberingEvent>(session, SELECT_EVENTS, values);
  return toPage(events, start, ({ eventId }) => [eventId]);
}

/** A {@link LedgerEntry} in SQL: `n` is document_numbers, `c` its counter, `s` its series. */
export const entryColumns = `n.id::text, n.space, s.code AS series, c.dimensions::json, n.period,
  n.counter_id::text AS "counterId", n.sequence::float8, n.number, n.status, n.format_version AS "formatVersion",
  n.business_date::text AS date, n.document, n.actor, n.reason, n.replaced_by AS "replacedBy", n.idempotency_key AS key,
  n.batch, n.waited_ms AS "waitedMs", n.retry_count AS "retryCount", n.guard, n.issued_at AS "issuedAt",
  n.expires_at AS "expiresAt"`;

const ENTRY_JOINS = `
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id`;

/** The ledger with its archive. */
export const entryTables = `document_numbers_all n ${ENTRY_JOINS}`;

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
  const named = [
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
  const values = [...named, start.first + 1, first, second].map((value) => value ?? null);
  const entries = await selectRows<LedgerEntry>(session, selectPage(order), values);
  return toPage(entries, start, (entry) =>
    order === 'number' ? [entry.space, entry.number] : [entry.counterId, entry.sequence],
  );
}

/** @param isLocked no state of the entry changes until the end of the transaction; one of the archive is not found */
export async function findByNumber(
  session: SqlSession,
  { space, number }: { readonly space: string; readonly number: string },
  isLocked = false,
): Promise<LedgerEntry | undefined> {
  const tables = isLocked ? `document_numbers n ${ENTRY_JOINS}` : entryTables;
  const found = `SELECT ${entryColumns} FROM ${tables} WHERE n.space = $1 AND n.number = $2`;
  const text = isLocked ? `${found} FOR NO KEY UPDATE OF n` : found;
  return (await selectRows<LedgerEntry>(session, text, [space, number]))[0];
}

const SELECT_BY_IDS = `SELECT ${entryColumns} FROM ${entryTables} WHERE n.id = ANY ($1::bigint[])`;

export async function findNumbersById(
  session: SqlSession,
  ids: readonly (bigint | string)[],
): Promise<(LedgerEntry | undefined)[]> {
  const wanted = ids.map((id) => checkId('id', id));
  const entries = await selectRows<LedgerEntry>(session, SELECT_BY_IDS, [wanted]);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return wanted.map((id) => (id === undefined ? undefined : byId.get(id)));
}

const CSV_COLUMNS = (
  'id space series dimensions period sequence number status date formatVersion document actor reason replacedBy key batch ' +
  'guard waitedMs retryCount issuedAt expiresAt'
).split(' ') as (keyof LedgerEntry)[];
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
