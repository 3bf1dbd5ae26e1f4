import type { SqlSession } from '@solegate/postgres-infra';
import { checkId, checkWhole } from '../contract/checks.js';
import { type Column, columnOf, type LedgerEntry, ledgerColumns } from '../contract/ledger-columns.js';
import type {
  CounterFilter,
  CounterState,
  LedgerFilter,
  NumberingEvent,
  Page,
  PageRequest,
} from '../contract/ledger-entry.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import { selectRows } from '../sql/rows.js';

const PAGE_SIZE = 50;
const PAGE_SIZE_RANGE = [1, 1000] as const;

/** One kind of list. */
interface List {
  readonly kind: string;
  readonly select: string;
  /** The condition for each field of a filter; `?` is its value. */
  readonly conditions: Readonly<Record<string, string>>;
  /** Columns that order it by an index, with their names in items; together they are the key in a cursor. */
  readonly order: Readonly<Record<string, string>>;
}

/** Reads one item more than the page holds instead of counting. @throws InvalidRequestError */
async function readPage<Item extends object>(
  session: SqlSession,
  { kind, select, conditions, order }: List,
  filter: object,
  { first = PAGE_SIZE, after }: PageRequest = {},
): Promise<Page<Item>> {
  const size = checkWhole('first', first, PAGE_SIZE_RANGE);
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const wanted = Object.entries(conditions).flatMap(([name, condition]) => {
    const value: unknown = Reflect.get(filter, name) ?? undefined;
    if (value === undefined) return [];
    return condition.replace('?', place(typeof value === 'object' ? JSON.stringify(value) : value));
  });
  const columns = Object.keys(order).join(', ');
  const names = Object.values(order);
  if (after !== undefined) {
    wanted.push(`(${columns}) > (${readCursor(after, kind, names.length).map(place).join(', ')})`);
  }
  const where = wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : '';
  const text = `${select} ${where} ORDER BY ${columns} LIMIT ${size + 1}`;
  const items = await selectRows<Item>(session, text, values);
  const cursorOf = (item: Item): string => {
    const parts = [kind, ...names.map((name) => String(Reflect.get(item, name)))];
    return Buffer.from(JSON.stringify(parts)).toString('base64url');
  };
  return {
    items: items.slice(0, size).map((item) => ({ item, cursor: cursorOf(item) })),
    hasNextPage: items.length > size,
  };
}

/** Reads the key from a cursor, which starts with the kind of its list. @throws InvalidRequestError */
function readCursor(cursor: string, kind: string, length: number): string[] {
  try {
    const [ofKind, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (ofKind === kind && key.length === length) return key.map(String);
  } catch {
    // Not even an array.
  }
  throw new InvalidRequestError('after', 'is not a cursor of this list');
}

/** The width of the newest format, which the next numbers will have. */
export const widthOfSeries = `(
    SELECT substring(f.template FROM '\\{SEQ:(\\d+)\\}') FROM document_number_formats f
    WHERE f.series_id = s.id AND f.withdrawn_at IS NULL ORDER BY f.version DESC LIMIT 1
  )::int`;

const counterConditions = {
  space: 's.space = ?',
  series: 's.code = ?',
  dimensions: 'c.dimensions::jsonb @> ?',
  period: 'c.period = ?',
} satisfies Record<keyof CounterFilter, string>;

const SELECT_COUNTERS = `
SELECT c.id::text AS "counterId", s.space, s.code AS series, c.dimensions::json, c.period,
  c.last_number::float8 AS "lastNumber", c.version::float8, c.last_date::text AS "lastDate", c.updated_at AS "updatedAt",
  c.last_number / (10::float8 ^ ${widthOfSeries} - 1) AS "widthUsed"
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id`;

export function listCounters(
  session: SqlSession,
  filter: CounterFilter,
  page?: PageRequest,
): Promise<Page<CounterState>> {
  const order = { 'c.id': 'counterId' };
  const list = { kind: 'counter', select: SELECT_COUNTERS, conditions: counterConditions, order };
  return readPage(session, list, filter, page);
}

const SELECT_EVENTS = `
SELECT e.id::text AS "eventId", e.type, e.space, e.counter_id::text AS "counterId", e.sequence::float8, e.number, e.actor,
  e.reason, e.facts, e.at
FROM document_number_events e`;

export function listEvents(
  session: SqlSession,
  filter: { readonly space?: string; readonly number?: string },
  page?: PageRequest,
): Promise<Page<NumberingEvent>> {
  const conditions = { space: 'e.space = ?', number: 'e.number = ?' };
  const order = { 'e.id': 'eventId' };
  return readPage(session, { kind: 'event', select: SELECT_EVENTS, conditions, order }, filter, page);
}

/** Tables for {@link entryColumns}. */
export const entryTables = `document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id`;

const entryProperties = Object.entries<
  Column<unknown> & { readonly from?: string; readonly isInternal?: true }
>(ledgerColumns).filter(([, { isInternal }]) => !isInternal);

/** A {@link LedgerEntry} in SQL: `n` is document_numbers, `c` its counter, `s` its series. */
export const entryColumns = entryProperties
  .map(([property, { from = 'n', name = columnOf(property), cast }]) => {
    return `${from}.${name}${cast ? `::${cast}` : ''} AS "${property}"`;
  })
  .join(', ');

const SELECT_ENTRIES = `SELECT ${entryColumns} FROM ${entryTables}`;

const entryConditions = {
  ...counterConditions,
  space: 'n.space = ?',
  period: 'n.period = ?',
  counterId: 'n.counter_id = ?',
  status: 'n.status = ?',
  document: 'n.document = ?',
  actor: 'n.actor = ?',
  dateFrom: 'n.business_date >= ?',
  dateTo: 'n.business_date <= ?',
  key: 'n.idempotency_key = ?',
} satisfies Record<keyof LedgerFilter, string>;

/** Within one number space, pages are ordered by number text, else by counter and sequence. */
export function listNumbers(
  session: SqlSession,
  filter: LedgerFilter,
  page?: PageRequest,
): Promise<Page<LedgerEntry>> {
  const counterId = checkId('counterId', filter.counterId);
  const isOfSpace = filter.space !== undefined && counterId === undefined;
  const ordered = isOfSpace
    ? { kind: 'number', order: { 'n.space': 'space', 'n.number': 'number' } }
    : { kind: 'sequence', order: { 'n.counter_id': 'counterId', 'n.sequence': 'sequence' } };
  const list = { ...ordered, select: SELECT_ENTRIES, conditions: entryConditions };
  return readPage(session, list, { ...filter, counterId }, page);
}

export async function findByNumber(
  session: SqlSession,
  { space, number }: { readonly space: string; readonly number: string },
): Promise<LedgerEntry | undefined> {
  const text = `${SELECT_ENTRIES} WHERE n.space = $1 AND n.number = $2`;
  return (await selectRows<LedgerEntry>(session, text, [space, number]))[0];
}

export async function findNumbersById(
  session: SqlSession,
  ids: readonly (bigint | string)[],
): Promise<(LedgerEntry | undefined)[]> {
  const wanted = ids.map((id) => checkId('id', id));
  const text = `${SELECT_ENTRIES} WHERE n.id = ANY ($1::bigint[])`;
  const entries = await selectRows<LedgerEntry>(session, text, [wanted]);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return wanted.map((id) => byId.get(id));
}

const CSV_COLUMNS = entryProperties.map(([property]) => property) as (keyof LedgerEntry)[];
const CSV_PAGE = 1000;

/** Yields the ledger as CSV, one chunk per page, so that memory stays bounded. */
export async function* exportCsv(
  filter: LedgerFilter,
  list: (filter: LedgerFilter, page: PageRequest) => Promise<Page<LedgerEntry>>,
): AsyncGenerator<string> {
  yield `${CSV_COLUMNS.map(columnOf).join(',')}\r\n`;
  let after: string | undefined;
  for (;;) {
    const page = await list(filter, { first: CSV_PAGE, ...(after === undefined ? {} : { after }) });
    const lines = page.items.map(({ item }) => CSV_COLUMNS.map((name) => toCell(item[name])).join(','));
    if (lines.length > 0) yield lines.map((line) => `${line}\r\n`).join('');
    after = page.items.at(-1)?.cursor;
    if (!page.hasNextPage) return;
  }
}

/** Formats a cell by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function toCell(value: LedgerEntry[keyof LedgerEntry]): string {
  if (value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  const codes = typeof value === 'string' ? [value] : Object.entries(value).map((code) => code.join('='));
  const text = codes.join(' ').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
