import type { SqlSession } from '@solegate/postgres-infra';
import type { Replay } from './draft.js';
import { type ReplayRow, readReplay } from './draw.js';
import type { IssuedAddress } from './issued-number.js';

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
