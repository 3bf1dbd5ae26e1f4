import type { SqlSession } from '@solegate/postgres-infra';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import { entryColumns } from '../ledger/entries.js';
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
  readonly lastEvent: EventPosition | undefined;
  readonly events: readonly { readonly event: PlacedEvent; readonly entry: LedgerEntry }[];
}

interface Header
  extends Omit<FeedPage, 'numbers' | 'events' | 'isTooWide' | 'upTo' | 'strangers' | 'lastEvent'> {
  readonly counterCount: number;
  readonly lookCount: number;
  readonly upTo: FeedPage['upTo'] | null;
  readonly strangers: FeedPage['strangers'] | null;
  readonly lastEvent: EventPosition | null;
}

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
  SELECT d.id, d.turn, d.last, least(d.last_number, d.last + ${PAGE} - d.before) AS up_to
  FROM (
    SELECT f.id, f.last, f.last_number, row_number() OVER turns AS turn,
      coalesce(sum(f.last_number - f.last) OVER (turns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS before
    FROM feed f WHERE f.last_number > f.last
    WINDOW turns AS (ORDER BY f.id <= $6::bigint, f.id)
  ) d
  WHERE d.before < ${PAGE}
),
events AS MATERIALIZED (
  SELECT * FROM document_number_events e WHERE e.space = $4 AND e.position > $5::bigint ORDER BY e.position LIMIT ${PAGE}
),
page AS (
  SELECT n.*, 0 AS part, NULL::bigint AS turn, json_build_object('server', ${THIS_SERVER},
    'counterCount', (SELECT count(*) FROM feed), 'lookCount', (SELECT count(*) FROM looked),
    'isUnplaced', EXISTS (SELECT FROM document_number_events e
      WHERE e.space = $4 AND e.position IS NULL AND e.number IS NOT NULL),
    'isBehindReader', EXISTS (SELECT FROM feed WHERE last_number < last),
    'newCount', (SELECT coalesce(sum(last_number - last), 0) FROM feed WHERE last_number > last),
    'strangers', (SELECT json_agg(k.id) FROM unnest($2::bigint[]) AS k (id) LEFT JOIN feed f ON f.id = k.id WHERE f.id IS NULL),
    'lastEvent', (SELECT json_build_object('position', e.position, 'id', e.id::text, 'atMs', ${EVENT_MS})
      FROM events e ORDER BY e.position DESC LIMIT 1),
    'upTo', (SELECT json_agg(json_build_array(id, up_to) ORDER BY turn) FROM due)) AS said
  FROM (SELECT) one LEFT JOIN document_numbers n ON false
  UNION ALL
  SELECT n.*, 1, d.turn, NULL
  FROM due d CROSS JOIN LATERAL (
    SELECT * FROM document_numbers n WHERE n.counter_id = d.id AND n.sequence > d.last AND n.sequence <= d.up_to OFFSET 0
  ) n
  UNION ALL
  SELECT n.*, 2, e.position, json_build_object('id', e.id::text, 'type', e.type, 'actor', e.actor, 'reason', e.reason,
    'replacedBy', e.facts ->> 'replacedBy', 'atMs', ${EVENT_MS}, 'position', e.position)
  FROM events e JOIN feed f ON f.id = e.counter_id CROSS JOIN LATERAL (
    SELECT * FROM document_numbers n WHERE n.counter_id = e.counter_id AND n.sequence = e.sequence OFFSET 0
  ) n
)
SELECT n.part, n.said, ${entryColumns}
FROM page n LEFT JOIN feed c ON c.id = n.counter_id CROSS JOIN (SELECT $7::text AS code) s
ORDER BY n.part, n.turn, n.sequence`;

type Row = LedgerEntry & { readonly part: number; readonly said?: unknown };

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
    series,
  ];
  const ofPeriod = period === undefined ? '' : `AND c.period = $${values.push(period)}`;
  const hasDimensions = Object.keys(dimensions).length > 0;
  const ofDimensions = hasDimensions
    ? `WHERE l.dimensions::jsonb @> $${values.push(JSON.stringify(dimensions))}`
    : '';
  const rows = await selectRows<Row>(session, selectPage(ofPeriod, ofDimensions), values);
  const [first] = rows;
  if (!first) throw new Error('a page of a feed always has its header');
  const { counterCount, lookCount, upTo, strangers, lastEvent, ...header } = first.said as Header;
  const partOf = (part: number) => rows.filter((row) => row.part === part);
  return {
    ...header,
    isTooWide: counterCount > COUNTER_MAX || lookCount > LOOK_MAX,
    upTo: upTo ?? [],
    strangers: strangers ?? [],
    lastEvent: lastEvent ?? undefined,
    numbers: partOf(1).map(entryOf),
    events: partOf(2).map((row) => ({ event: row.said as PlacedEvent, entry: entryOf(row) })),
  };
}

const entryOf = ({ part: _part, said: _said, ...entry }: Row): LedgerEntry => entry;
