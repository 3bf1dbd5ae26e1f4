import type { SqlSession } from '@solegate/postgres-infra';
import type {
  CounterFilter,
  CounterState,
  NumberingEvent,
  Page,
  PageRequest,
} from '../contract/ledger-entry.js';
import { readPage } from './pages.js';

/** The width of the newest format, which the next numbers will have. Doubled braces are text. */
export const widthOfSeries = `(
    SELECT substring(replace(replace(f.template, '{{', ''), '}}', '') FROM '\\{SEQ:(\\d+)\\}') FROM document_number_formats f
    WHERE f.series_id = s.id AND f.withdrawn_at IS NULL ORDER BY f.version DESC LIMIT 1
  )::int`;

const counters = {
  kind: 'counter',
  select: `n.id::text AS "counterId", s.space, s.code AS series, n.dimensions::json, n.period,
    n.last_number::float8 AS "lastNumber", n.version::float8, n.last_date::text AS "lastDate",
    n.updated_at AS "updatedAt", n.last_number / (10::float8 ^ ${widthOfSeries} - 1) AS "widthUsed"`,
  from: 'document_number_counters n',
  joins: 'LEFT JOIN document_number_series s ON s.id = n.series_id',
  indexed: {
    space: 'n.series_id IN (SELECT id FROM document_number_series WHERE space = ?)',
    series: 'n.series_id IN (SELECT id FROM document_number_series WHERE code = ?)',
    dimensions: 'n.dimensions::jsonb @> ?',
    period: 'n.period = ?',
  } satisfies Record<keyof CounterFilter, string>,
  order: { 'n.id': 'counterId' },
};

export function listCounters(
  session: SqlSession,
  filter: CounterFilter,
  page?: PageRequest,
): Promise<Page<CounterState>> {
  return readPage(session, counters, filter, page);
}

const events = {
  kind: 'event',
  select: `n.id::text AS "eventId", n.type, n.space, n.counter_id::text AS "counterId", n.sequence::float8, n.number,
    n.actor, n.reason, n.facts, n.at`,
  from: 'document_number_events n',
  joins: '',
  indexed: { space: 'n.space = ?', number: 'n.number = ?' },
  order: { 'n.id': 'eventId' },
};

export function listEvents(
  session: SqlSession,
  filter: { readonly space?: string; readonly number?: string },
  page?: PageRequest,
): Promise<Page<NumberingEvent>> {
  return readPage(session, { ...events, isShort: filter.number !== undefined }, filter, page);
}
