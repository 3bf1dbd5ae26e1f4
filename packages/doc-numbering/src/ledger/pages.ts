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
import { rowsOf } from '../sql/rows.js';

const PAGE_SIZE = 50;
const PAGE_SIZE_RANGE = [1, 1000] as const;

/** Where a page begins: the key of the entry before it, as text. */
export interface PageStart {
  readonly kind: string;
  readonly first: number;
  readonly after: readonly string[] | undefined;
}

/** @throws InvalidRequestError for a size out of range or a cursor that is not of this kind of page */
export function readPage({ first = PAGE_SIZE, after }: PageRequest = {}, kind: string): PageStart {
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

/**
 * A page of at most `first` items out of one more, so that no second statement has to count. A cursor is the kind of page
 * and the key of its item, opaque for callers.
 */
export function toPage<Item>(
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
  const counters = rowsOf<CounterState>(await session.query({ text: SELECT_COUNTERS, values }));
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
  const events = rowsOf<NumberingEvent>(await session.query({ text: SELECT_EVENTS, values }));
  return toPage(events, start, ({ eventId }) => [eventId]);
}
