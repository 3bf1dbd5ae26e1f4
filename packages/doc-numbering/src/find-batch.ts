import { type Batch, placesOf } from './batch.js';
import { drawnNumbers, type LineReply } from './draw-reply.js';
import type { DrawnNumbers, PendingIssue } from './pending-issue.js';
import type { SqlSession } from './sql-session.js';

/** Waits for a back end that may still be busy with the batch: it holds these rows until it commits or gives up. */
const waitForCounters = `
SELECT c.id, c.last_number, c.version, c.last_date::text, s.revision
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE c.id = ANY ($1::bigint[])
ORDER BY c.id
FOR NO KEY UPDATE OF c`;

/** The batch lies above what was known before it was sent, so only the top of each counter is read. */
const selectBatch = `
SELECT n.counter_id, n.sequence, n.batch_position, extract(epoch FROM n.expires_at) * 1000 AS expires_ms
FROM unnest($1::bigint[], $2::bigint[]) AS w (counter_id, floor)
JOIN document_numbers n ON n.counter_id = w.counter_id AND n.sequence > w.floor
WHERE n.batch = $3::uuid
ORDER BY n.batch_position`;

interface CounterRow {
  readonly id: string;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly revision: string;
}

interface NumberRow {
  readonly sequence: string;
  readonly batch_position: number;
  readonly expires_ms: string | null;
}

/**
 * Whether a batch was committed whose reply was lost: its numbers, or `undefined` when the ledger has none of it. Two
 * statements, so that the second one sees what the first has waited for.
 */
export async function findBatch(session: SqlSession, batch: Batch): Promise<LineReply[] | undefined> {
  const ids = batch.lines.map(({ counterId }) => counterId);
  const counters = await session.query({ text: waitForCounters, values: [ids] });
  const floors = batch.lines.map(({ highWaterMark }) => highWaterMark);
  const { rows } = await session.query({ text: selectBatch, values: [ids, floors, batch.id] });
  if (rows.length === 0) return undefined;
  const numbers = new Map((rows as NumberRow[]).map((row) => [row.batch_position, row]));
  return readFound(
    batch,
    new Map((counters.rows as CounterRow[]).map((row) => [String(row.id), row])),
    numbers,
  );
}

function readFound(
  batch: Batch,
  counters: ReadonlyMap<string, CounterRow>,
  numbers: ReadonlyMap<number, NumberRow>,
): LineReply[] {
  const places = placesOf(batch);
  return batch.lines.map((line) => {
    const drawn = new Map<PendingIssue, DrawnNumbers>();
    for (const { line: ofLine, issue, position } of places) {
      const row = numbers.get(position);
      if (ofLine !== line || !row) continue;
      const nowMs = Number(row.expires_ms) - (issue.facts.reservation?.holdMs ?? 0);
      const found = drawnNumbers({ batch, line, issue, first: Number(row.sequence), nowMs });
      drawn.set(issue, { ...found, replayed: true });
    }
    const counter = counters.get(line.counterId);
    return {
      line,
      isGranted: drawn.size === line.issues.length,
      standing: { version: Number(counter?.version), last: Number(counter?.last_number) },
      lastDate: counter?.last_date ?? undefined,
      revision: Number(counter?.revision),
      drawn,
      replays: new Map(),
      failed: new Map(),
    };
  });
}
