import type { SqlSession } from '@solegate/postgres-infra';

/** Returns rows as callers see them. Statements already name and cast the columns, so only NULL is left to convert. */
export async function selectRows<Row>(session: SqlSession, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await session.query({ text, values });
  return (rows as Record<string, unknown>[]).map((row) => {
    const entries = Object.entries(row).map(([name, value]) => [name, value ?? undefined]);
    return Object.fromEntries(entries) as Row;
  });
}

/** Name of the column that holds a property. */
export const columnOf = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const INSERT_EVENTS = `
INSERT INTO document_number_events (type, space, counter_id, sequence, number, actor, reason, facts)
SELECT e.type, e.space, e."counterId", e.sequence, e.number, e.actor, e.reason, coalesce(e.facts, '{}')
FROM json_to_recordset($1::json) AS e (type text, space text, "counterId" bigint, sequence bigint, number text,
  actor text, reason text, facts jsonb)`;

export interface NewEvent {
  readonly type:
    | `series_${'defined' | 'changed'}`
    | `${'format' | 'default_format'}_saved`
    | 'format_withdrawn'
    | 'regression_accepted'
    | `number_${'voided' | 'assigned'}`
    | `numbers_${'skipped' | 'imported' | 'archived'}`;
  readonly space: string;
  readonly counterId?: string;
  readonly sequence?: number;
  readonly number?: string;
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Writes events in the caller's transaction, so that a step and its event are stored together or not at all. */
export async function appendEvents(session: SqlSession, ...events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await session.query({ text: INSERT_EVENTS, values: [JSON.stringify(events)] });
}
