import type { SqlSession } from '@solegate/postgres-infra';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import { entryColumnsWith } from '../ledger/entries.js';
import { THIS_SERVER } from '../sql/functions/this-server.js';
import { selectRows } from '../sql/rows.js';
import type { EventPosition, FeedPosition } from './feed-position.js';

/** Most counters of a feed: their positions fit into a cursor. */
const COUNTER_MAX = 500;
/** Most counters of the series, or of its period, that one query looks at. */
const LOOK_MAX = 10_000;
/** Most numbers, and most events of the space, that one query reads. */
export const PAGE = 1000;

/** What a page is read for. */
export interface PageQuery {
  readonly seriesId: string;
  readonly space: string;
  readonly series: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string | undefined;
  readonly position: FeedPosition;
  /** Begin with the counters after this one, so that a long one does not keep the others waiting. */
  readonly startAfter: number;
}

/** An event of a number, with the position that it was given. */
export interface PlacedEvent extends EventPosition {
  readonly type: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly replacedBy: string | null;
  readonly atMs: number;
}

export interface FeedPage {
  readonly server: string;
  readonly isTooWide: boolean;
  /** First sequence of the manual interval of the series, if it has one: its numbers have no order but that of their events. */
  readonly manualFirst: number | null;
  /** Whether events have no position yet. */
  readonly isUnplaced: boolean;
  /** Whether the ledger has fewer numbers of a counter than were read. */
  readonly isBehindReader: boolean;
  /** Numbers that were not read before this page. */
  readonly newCount: number;
  /** By counter: up to which sequence the page has its numbers. */
  readonly upTo: readonly (readonly [counterId: number, last: number])[];
  readonly numbers: readonly LedgerEntry[];
  /** Counters at the position that are not in the feed: the cursor was of a wider one. */
  readonly strangers: readonly number[];
  /** The last event of the space that was looked at, if any is new. */
  readonly lastEvent: EventPosition | null;
  readonly events: readonly { readonly event: PlacedEvent; readonly entry: LedgerEntry }[];
}

interface Header extends Omit<FeedPage, 'numbers' | 'events' | 'isTooWide'> {
  readonly counterCount: number;
  readonly lookCount: number;
  /** Once for all numbers of a counter. */
  readonly dimensionsOf: Readonly<Record<string, LedgerEntry['dimensions']>>;
}

/** What is the same in all rows is not sent, and a time is cheaper to read as a number: whole microseconds are exact. */
const rowColumns = entryColumnsWith({
  space: 'NULL',
  series: 'NULL',
  dimensions: 'n.said',
  issuedAt: "round(1e6 * date_part('epoch', n.issued_at))",
});

const EVENT_MS = 'floor(1000 * extract(epoch FROM e.at))';

/**
 * The numbers of each counter are a range, which the counter ends, so that the quota of a page is shared out before any is
 * read. What is read by key is in subqueries with OFFSET, because a join planned for other counts would read whole tables.
 */
const selectPage = (ofPeriod: string, ofDimensions: string): string => `
WITH looked AS MATERIALIZED (
  SELECT c.id, c.first_number, c.last_number, c.dimensions FROM document_number_counters c
  WHERE c.series_id = $1::bigint ${ofPeriod} LIMIT ${LOOK_MAX + 1}
),
feed AS MATERIALIZED (
  SELECT l.id, l.dimensions, l.last_number, coalesce(k.last, l.first_number - 1) AS last
  FROM looked l LEFT JOIN unnest($2::bigint[], $3::bigint[]) AS k (id, last) ON k.id = l.id
  ${ofDimensions} LIMIT ${COUNTER_MAX + 1}
),
due AS MATERIALIZED (
  SELECT d.id, d.turn, d.last, d.dimensions, least(d.last_number, d.last + ${PAGE} - d.before) AS up_to
  FROM (
    SELECT f.id, f.last, f.last_number, f.dimensions, row_number() OVER turns AS turn,
      coalesce(sum(f.last_number - f.last) OVER (turns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS before
    FROM feed f WHERE f.last_number > f.last
    WINDOW turns AS (ORDER BY f.id <= $6::bigint, f.id)
  ) d
  WHERE d.before < ${PAGE}
),
events AS MATERIALIZED (
  SELECT * FROM document_number_events e WHERE e.space = $4 AND e.position > $5::bigint ORDER BY e.position LIMIT ${PAGE}
)
SELECT ${rowColumns}
FROM (
  SELECT n.*, 0 AS part, NULL::bigint AS turn, json_build_object('server', ${THIS_SERVER},
    'manualFirst', (SELECT s.manual_first FROM document_number_series s WHERE s.id = $1::bigint),
    'counterCount', (SELECT count(*) FROM feed), 'lookCount', (SELECT count(*) FROM looked),
    'isUnplaced', EXISTS (SELECT FROM document_number_events e
      WHERE e.space = $4 AND e.position IS NULL AND e.number IS NOT NULL),
    'isBehindReader', EXISTS (SELECT FROM feed WHERE last_number < last),
    'newCount', (SELECT coalesce(sum(last_number - last), 0) FROM feed WHERE last_number > last),
    'strangers', (SELECT coalesce(json_agg(k.id), '[]') FROM unnest($2::bigint[]) AS k (id) LEFT JOIN feed f ON f.id = k.id WHERE f.id IS NULL),
    'lastEvent', (SELECT json_build_object('position', e.position, 'id', e.id::text, 'atMs', ${EVENT_MS})
      FROM events e ORDER BY e.position DESC LIMIT 1),
    'upTo', (SELECT coalesce(json_agg(json_build_array(id, up_to) ORDER BY turn), '[]') FROM due),
    'dimensionsOf', (SELECT coalesce(json_object_agg(id, dimensions::json), '{}') FROM due)) AS said
  FROM (SELECT) one LEFT JOIN document_numbers n ON false
  UNION ALL
  SELECT n.*, 1, d.turn, NULL
  FROM due d CROSS JOIN LATERAL (
    SELECT * FROM document_numbers n WHERE n.counter_id = d.id AND n.sequence > d.last AND n.sequence <= d.up_to OFFSET 0
  ) n
  UNION ALL
  SELECT n.*, 2, e.position, json_build_object('id', e.id::text, 'type', e.type, 'actor', e.actor, 'reason', e.reason,
    'replacedBy', e.facts ->> 'replacedBy', 'atMs', ${EVENT_MS}, 'position', e.position,
    'dimensions', f.dimensions::json)
  FROM events e JOIN feed f ON f.id = e.counter_id CROSS JOIN LATERAL (
    SELECT * FROM document_numbers n WHERE n.counter_id = e.counter_id AND n.sequence = e.sequence OFFSET 0
  ) n
) n
ORDER BY n.part, n.turn, n.sequence`;

/** A row becomes an entry in place. In that of its dimensions, the first has the header, and that of an event has the event. */
type Row = {
  -readonly [Name in keyof LedgerEntry]: Name extends 'dimensions' | 'issuedAt' ? unknown : LedgerEntry[Name];
};
type EventOfRow = PlacedEvent & Pick<LedgerEntry, 'dimensions'>;

/** Reads what follows a position, in one snapshot. */
export async function readFeedPage(session: SqlSession, query: PageQuery): Promise<FeedPage> {
  const { seriesId, space, series, dimensions, period, position, startAfter } = query;
  const known = [...position.counters];
  const values: unknown[] = [
    seriesId,
    known.map(([id]) => id),
    known.map(([, { last }]) => last),
    space,
    position.event.position,
    startAfter,
  ];
  const ofPeriod = period === undefined ? '' : `AND c.period = $${values.push(period)}`;
  const hasDimensions = Object.keys(dimensions).length > 0;
  const ofDimensions = hasDimensions
    ? `WHERE l.dimensions::jsonb @> $${values.push(JSON.stringify(dimensions))}`
    : '';
  // Planning it costs as much as reading 300 numbers.
  const name = `doc_num_feed${ofPeriod && '_period'}${ofDimensions && '_dimensions'}`;
  const [first, ...rows] = await selectRows<Row>(session, selectPage(ofPeriod, ofDimensions), values, name);
  if (!first) throw new Error('a page of a feed always has its header');
  const { counterCount, lookCount, dimensionsOf, ...header } = first.dimensions as Header;
  const numbers: LedgerEntry[] = [];
  const events: { readonly event: PlacedEvent; readonly entry: LedgerEntry }[] = [];
  for (const row of rows) {
    const event = row.dimensions as EventOfRow | undefined;
    row.space = space;
    row.series = series;
    row.issuedAt = new Date((row.issuedAt as number) / 1000);
    row.dimensions = event?.dimensions ?? dimensionsOf[row.counterId];
    const entry = row as LedgerEntry;
    if (event) events.push({ event, entry });
    else numbers.push(entry);
  }
  return { ...header, isTooWide: counterCount > COUNTER_MAX || lookCount > LOOK_MAX, numbers, events };
}
