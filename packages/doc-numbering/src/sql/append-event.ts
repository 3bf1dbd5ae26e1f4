import type { SqlSession } from '@solegate/postgres-infra';

const insertEvents = `
INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
SELECT e.type, e.space, e.counter_id, e.sequence, e.number, e.actor, e.reason, coalesce(e.facts, '{}')
FROM json_to_recordset($1::json) AS e (type text, space text, counter_id bigint, sequence bigint, number text,
  actor text, reason text, facts jsonb)`;

export interface NewEvent {
  readonly type:
    | 'series_defined'
    | 'series_changed'
    | 'format_saved'
    | 'format_withdrawn'
    | 'regression_accepted'
    | 'reservation_confirmed'
    | 'reservation_cancelled'
    | 'number_voided'
    | 'number_assigned'
    | 'numbers_skipped'
    | 'numbers_imported';
  readonly space: string;
  readonly counter_id?: string;
  readonly sequence?: number;
  readonly number?: string;
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Writes events in the caller's transaction, so that a step and its event are stored together or not at all. */
export async function appendEvents(session: SqlSession, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await session.query({ text: insertEvents, values: [JSON.stringify(events)] });
}
