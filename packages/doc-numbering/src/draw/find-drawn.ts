import type { SqlSession } from '@solegate/postgres-infra';
import type { IssuedAddress } from '../request/resolved-request.js';
import { type Batch, type DrawnNumbers, type PendingIssue, positionsOf, type Replay } from './draft.js';
import { drawnNumbers, type ReplayRow, readReplay } from './draw.js';

/** The batch lies above what was known before it was sent, so only the top of each counter is read. */
const SELECT_BATCH = `
SELECT n.sequence, n.batch_position, extract(epoch FROM n.expires_at) * 1000 AS expires_ms
FROM unnest($1::bigint[], $2::bigint[]) AS w (counter_id, floor)
JOIN document_numbers n ON n.counter_id = w.counter_id AND n.sequence > w.floor
WHERE n.batch = $3::uuid
ORDER BY n.batch_position`;

const SELECT_POSITIONS = `
SELECT c.id, c.last_number, c.version, c.last_date::text, s.revision
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE c.id = ANY ($1::bigint[])`;

interface NumberRow {
  readonly sequence: string;
  readonly batch_position: number;
  readonly expires_ms: string | null;
}

interface CounterRow {
  readonly id: string;
  readonly last_number: string;
  readonly version: string;
  readonly last_date: string | null;
  readonly revision: string;
}

/**
 * Whether a batch was committed whose reply was lost: then its drafts have their replies. `false` when the ledger has none
 * of it, which is no proof that its statement does not run any more.
 */
export async function findBatch(session: SqlSession, batch: Batch): Promise<boolean> {
  const ids = batch.drafts.map(({ counter }) => counter.counterId);
  const floors = batch.drafts.map(({ counter }) => counter.issuedMark);
  const { rows } = await session.query({ text: SELECT_BATCH, values: [ids, floors, batch.id] });
  if (rows.length === 0) return false;
  const numbers = new Map((rows as NumberRow[]).map((row) => [row.batch_position, row]));
  const counters = await session.query({ text: SELECT_POSITIONS, values: [ids] });
  const rowById = new Map((counters.rows as CounterRow[]).map((row) => [String(row.id), row]));
  const positions = positionsOf(batch);
  for (const draft of batch.drafts) {
    const drawn = new Map<PendingIssue, DrawnNumbers>();
    for (const issue of draft.issues) {
      const row = numbers.get(positions.get(issue) ?? 0);
      if (!row) continue;
      const nowMs = Number(row.expires_ms) - (issue.facts.reservation?.holdMs ?? 0);
      const found = drawnNumbers({ batch, draft, issue, first: Number(row.sequence), nowMs });
      drawn.set(issue, { ...found, replayed: true });
    }
    const row = rowById.get(draft.counter.counterId ?? '');
    draft.reply = {
      kind: drawn.size === draft.issues.length ? 'GRANTED' : 'REFUSED',
      server: batch.server ?? '',
      position: { version: Number(row?.version), last: Number(row?.last_number) },
      lastDate: row?.last_date ?? undefined,
      revision: Number(row?.revision),
      drawn,
      replays: new Map(),
      failed: new Map(),
    };
  }
  return true;
}

const selectByKey = `
SELECT n.counter_id, n.sequence, n.number, n.period, n.business_date::text AS date, n.format_version, n.guard,
  n.waited_ms, n.retry_count, n.id, n.fingerprint, n.reservation, n.status, extract(epoch FROM n.expires_at) * 1000 AS expires_ms,
  n.key_part AS position, c.dimensions, s.code
FROM document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id
WHERE n.space = $1 AND n.idempotency_key = $2
ORDER BY n.key_part`;

interface KeyRow extends Omit<ReplayRow, 'sequence'> {
  readonly sequence: string;
  readonly dimensions: string;
  readonly code: string;
}

export interface FoundKey {
  readonly replay: Replay;
  readonly address: IssuedAddress;
}

/** The numbers that an idempotency key got, whatever the rules are today. */
export async function findByKey(
  session: SqlSession,
  { space, key }: { space: string; key: string },
): Promise<FoundKey | undefined> {
  const { rows } = await session.query({ text: selectByKey, values: [space, key] });
  const found = (rows as KeyRow[]).map((row) => ({ ...row, sequence: Number(row.sequence) }));
  const [first] = found;
  const replay = readReplay(found);
  if (!first || !replay) return undefined;
  const dimensions: Record<string, string> = JSON.parse(first.dimensions);
  return { replay, address: { series: { space, series: first.code }, dimensions } };
}
