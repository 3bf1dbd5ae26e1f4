import type { SqlSession } from '@solegate/postgres-infra';
import type { NumberingEvent, Page, PageRequest } from './ledger-entry.js';
import { readPage, toPage, writeCursor } from './page-cursor.js';

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
