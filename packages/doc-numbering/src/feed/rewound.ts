import type { SqlSession } from '@solegate/postgres-infra';
import { THIS_SERVER } from '../sql/functions/this-server.js';
import { selectRows } from '../sql/rows.js';
import { FeedPosition, type SavedPosition } from './feed-position.js';

const MS = (time: string): string => `floor(1000 * extract(epoch FROM ${time}))`;

/** How far the clocks of two servers may differ, in milliseconds: what is older than this was there before a restore. */
const CLOCK_MS = 60_000;

const eventAt = (position: string): string => `(
  SELECT json_build_array(e.position, e.id::text, ${MS('e.at')}) FROM document_number_events e
  WHERE e.space = $3 AND e.position = ${position}
)`;

const SELECT_ROWS = `
SELECT ${THIS_SERVER} AS server, ${eventAt('$4::bigint')} AS event, (
  SELECT json_agg(json_build_array(k.id, k.last, ${MS('n.issued_at')}))
  FROM unnest($1::bigint[], $2::bigint[]) AS k (id, last)
  LEFT JOIN LATERAL (
    SELECT n.issued_at FROM document_numbers n WHERE n.counter_id = k.id AND n.sequence = k.last OFFSET 0
  ) n ON true
) AS counters`;

/** The last rows at or before a position that are older than a time, which therefore were there when it was read. */
const SELECT_KEPT = `
SELECT ${THIS_SERVER} AS server, ${eventAt(`(
    SELECT least($4::bigint, min(e.position) - 1, (SELECT max(m.position) FROM document_number_events m WHERE m.space = $3))
    FROM document_number_events e
    WHERE e.space = $3 AND e.position <= $4::bigint AND ${MS('e.at')} > $5::bigint
  )`)} AS event, (
  SELECT json_agg(json_build_array(k.id, n.sequence, n.at_ms))
  FROM unnest($1::bigint[], $2::bigint[]) AS k (id, last)
  JOIN document_number_counters c ON c.id = k.id
  CROSS JOIN LATERAL (
    SELECT n.sequence, ${MS('n.issued_at')} AS at_ms FROM document_numbers n
    WHERE n.counter_id = k.id AND n.sequence <= least(k.last, c.last_number) AND ${MS('n.issued_at')} <= $5::bigint
    ORDER BY n.sequence DESC LIMIT 1
  ) n
) AS counters`;

interface Found {
  readonly server: string;
  readonly event?: readonly [position: number, id: string, atMs: number];
  readonly counters?: readonly (readonly [id: number, last: number, atMs: number | null])[];
}

/** What the ledger has at a position that was read earlier. */
export interface CheckedPosition {
  readonly server: string;
  readonly position: FeedPosition;
  /** Whether it has other rows there than were read, or none. */
  readonly isRewound: boolean;
}

/** Compares a position with the ledger as it is now; of one that has lost rows, returns what is left of it. */
export async function checkPosition(
  session: SqlSession,
  space: string,
  saved: SavedPosition,
): Promise<CheckedPosition> {
  const values = [[...saved.counters.keys()], [...saved.counters.values()], space, saved.eventPosition];
  const now = await select(session, SELECT_ROWS, values, saved.newestMs);
  if (now.position.digest().equals(saved.digest)) return { ...now, isRewound: false };
  const boundMs = saved.newestMs - CLOCK_MS;
  const kept = await select(session, SELECT_KEPT, [...values, boundMs], boundMs);
  return { ...kept, isRewound: true };
}

async function select(session: SqlSession, text: string, values: unknown[], newestMs: number) {
  const [found] = await selectRows<Found>(session, text, values);
  const position = new FeedPosition();
  for (const [id, last, atMs] of found?.counters ?? []) position.read(id, last, atMs ?? undefined);
  const [eventPosition, id, atMs] = found?.event ?? [];
  if (eventPosition !== undefined) position.readEvent({ position: eventPosition, id, atMs });
  position.newestMs = Math.max(0, newestMs);
  return { server: found?.server ?? '', position };
}
