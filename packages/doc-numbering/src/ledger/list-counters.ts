import type { SqlSession } from '@solegate/postgres-infra';
import { checkWhole } from '../contract/check-request.js';
import type {
  CounterFilter,
  CounterState,
  NumberingEvent,
  Page,
  PageRequest,
} from '../contract/ledger-entry.js';
import { InvalidRequestError } from '../contract/numbering-error.js';

const pageSizeDefault = 50;
const pageSizeMax = 1000;

/** Where a page begins: the key of the entry before it, as text. */
export interface PageStart {
  readonly first: number;
  readonly after: readonly string[] | undefined;
}

/** @throws InvalidRequestError for a size out of range or a cursor that is not of this kind of page */
export function readPage(page: PageRequest | undefined, kind: string): PageStart {
  const first = checkWhole('first', page?.first ?? pageSizeDefault, [1, pageSizeMax]);
  return { first, after: page?.after === undefined ? undefined : readCursor(page.after, kind) };
}

/** A page of at most `first` items out of one more, so that no second statement has to count. */
export function toPage<Item>(
  items: readonly Item[],
  { first }: PageStart,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const shown = items.slice(0, first);
  return {
    items: shown.map((item) => ({ item, cursor: cursorOf(item) })),
    hasNextPage: items.length > first,
  };
}

/** Opaque for callers: the kind of page and the key. */
export function writeCursor(kind: string, key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([kind, ...key.map(String)])).toString('base64url');
}

function readCursor(cursor: string, kind: string): string[] {
  const refusal = new InvalidRequestError('after', 'is not a cursor of this list');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refusal;
  }
  const texts = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [];
  if (texts.length < 2 || texts[0] !== kind) throw refusal;
  return texts.slice(1);
}

/** The width is that of the newest format: the one that the next numbers will have. */
const selectCounters = `
SELECT c.id, s.space, s.code, c.dimensions, c.period, c.last_number, c.version, c.last_date::text, c.updated_at,
  (SELECT substring(f.template FROM '\\{SEQ:(\\d+)\\}') FROM document_number_formats f
   WHERE f.series_id = s.id ORDER BY f.version DESC LIMIT 1) AS width
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE ($1::text IS NULL OR s.space = $1)
  AND ($2::text IS NULL OR s.code = $2)
  AND ($3::jsonb IS NULL OR c.dimensions::jsonb @> $3)
  AND ($4::text IS NULL OR c.period = $4)
  AND ($5::bigint IS NULL OR c.id > $5)
ORDER BY c.id
LIMIT $6`;

interface CounterRow {
  readonly id: string;
  readonly space: string;
  readonly code: string;
  readonly dimensions: string;
  readonly period: string;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly updated_at: Date;
  readonly width: string | null;
}

export async function listCounters(
  session: SqlSession,
  filter: CounterFilter,
  page?: PageRequest,
): Promise<Page<CounterState>> {
  const start = readPage(page, 'counter');
  const { space = null, series = null, period = null } = filter;
  const dimensions = filter.dimensions === undefined ? null : JSON.stringify(filter.dimensions);
  const { rows } = await session.query({
    text: selectCounters,
    values: [space, series, dimensions, period, start.after?.[0] ?? null, start.first + 1],
  });
  return toPage((rows as CounterRow[]).map(toState), start, ({ counterId }) =>
    writeCursor('counter', [counterId]),
  );
}

function toState(row: CounterRow): CounterState {
  const lastNumber = Number(row.last_number);
  return {
    counterId: String(row.id),
    space: row.space,
    series: row.code,
    dimensions: JSON.parse(row.dimensions),
    period: row.period,
    lastNumber,
    version: Number(row.version),
    lastDate: row.last_date ?? undefined,
    updatedAt: row.updated_at,
    widthUsed: row.width === null ? undefined : lastNumber / (10 ** Number(row.width) - 1),
  };
}

const selectEvents = `
SELECT id, type, space, counter_id, sequence, number, actor, reason, facts, at
FROM document_number_events
WHERE ($1::text IS NULL OR space = $1)
  AND ($2::text IS NULL OR number = $2)
  AND ($3::bigint IS NULL OR id > $3)
ORDER BY id
LIMIT $4`;

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly space: string;
  readonly counter_id: string | null;
  readonly sequence: string | null;
  readonly number: string | null;
  readonly actor: string;
  readonly reason: string | null;
  readonly facts: Record<string, unknown>;
  readonly at: Date;
}

export async function listEvents(
  session: SqlSession,
  filter: { readonly space?: string; readonly number?: string },
  page?: PageRequest,
): Promise<Page<NumberingEvent>> {
  const start = readPage(page, 'event');
  const { rows } = await session.query({
    text: selectEvents,
    values: [filter.space ?? null, filter.number ?? null, start.after?.[0] ?? null, start.first + 1],
  });
  return toPage((rows as EventRow[]).map(toEvent), start, ({ eventId }) => writeCursor('event', [eventId]));
}

function toEvent(row: EventRow): NumberingEvent {
  return {
    eventId: String(row.id),
    type: row.type,
    space: row.space,
    counterId: row.counter_id === null ? undefined : String(row.counter_id),
    sequence: row.sequence === null ? undefined : Number(row.sequence),
    number: row.number ?? undefined,
    actor: row.actor,
    reason: row.reason ?? undefined,
    facts: row.facts,
    at: row.at,
  };
}
