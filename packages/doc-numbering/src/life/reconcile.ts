import type { SqlSession } from '@solegate/postgres-infra';
import { checkWhole } from '../contract/check-request.js';
import type { Finding, ReconcileRequest } from '../contract/ledger-entry.js';
import type { HighWaterMarks } from '../redis/high-water-marks.js';
import { type CounterAddress, counterName, lockKey } from '../request/resolved-request.js';
import { type SeriesRow, toSeries } from '../series/series-row.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { expireReservations } from './reservations.js';

/** Each counter beside what the ledger says of it: one pass over the ledger's primary key. */
const selectCounters = `
SELECT s.*, s.closed_until::text, s.open_until::text, c.id AS counter_id, c.dimensions AS codes, c.period,
  c.first_number, c.last_number, coalesce(l.number_count, 0) AS number_count, l.highest,
  (SELECT substring(f.template FROM '\\{SEQ:(\\d+)\\}') FROM document_number_formats f
   WHERE f.series_id = s.id ORDER BY f.version DESC LIMIT 1) AS width
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
LEFT JOIN (
  SELECT n.counter_id, count(*) AS number_count, max(n.sequence) AS highest
  FROM document_numbers n
  JOIN document_number_counters k ON k.id = n.counter_id
  JOIN document_number_series t ON t.id = k.series_id
  WHERE (t.manual_first IS NULL OR n.sequence < t.manual_first)
  GROUP BY n.counter_id
) l ON l.counter_id = c.id
WHERE ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)
ORDER BY c.id`;

/** Only asked for counters whose count is wrong. */
const selectHoles = `
SELECT previous + 1 AS first, sequence - 1 AS last
FROM (
  SELECT sequence, lag(sequence, 1, $2::bigint - 1) OVER (ORDER BY sequence) AS previous
  FROM (
    SELECT sequence FROM document_numbers WHERE counter_id = $1::bigint AND sequence <= $3::bigint
    UNION ALL
    SELECT $3::bigint + 1
  ) present
) steps
WHERE sequence > previous + 1
ORDER BY 1`;

const selectUnattached = `
SELECT n.counter_id, count(*) AS number_count, min(n.number) AS example
FROM document_numbers n
WHERE n.status = 'issued' AND n.document IS NULL
  AND n.issued_at < clock_timestamp() - $2::bigint * interval '1 ms'
  AND n.counter_id = ANY ($1::bigint[])
GROUP BY n.counter_id
ORDER BY n.counter_id`;

interface CounterRow extends SeriesRow {
  readonly counter_id: string;
  readonly codes: string;
  readonly period: string;
  readonly first_number: string;
  readonly last_number: string;
  readonly number_count: string;
  readonly highest: string | null;
  readonly width: string | null;
}

interface Looked {
  readonly address: CounterAddress;
  readonly row: CounterRow;
  readonly counter: string;
  readonly counterId: string;
  readonly lastNumber: number;
}

const widthWarning = 0.9;
/** Marks in one call. */
const MARKS_MAX = 1000;
const expiryMax = 10_000;

/**
 * Compares the counters with the ledger and with what Redis remembers, and ends reservations whose time is over. It reads
 * committed data while numbers are issued; every finding is a matter for a person.
 */
export async function reconcile(
  call: DatabaseCall,
  request: ReconcileRequest,
  marks: HighWaterMarks | undefined,
): Promise<Finding[]> {
  const session = call.reading;
  const olderThanMs = request.unattachedAfterMs;
  if (olderThanMs !== undefined) checkWhole('unattachedAfterMs', olderThanMs, [0, Number.MAX_SAFE_INTEGER]);
  const expiredCount = await expireReservations(call, expiryMax);
  const values = [request.space ?? null, request.series ?? null];
  const { rows } = await session.query({ text: selectCounters, values });
  const looked = (rows as CounterRow[]).map(look);
  return [
    ...(expiredCount > 0 ? [{ kind: 'expired_reservations' as const, count: expiredCount }] : []),
    ...(await findHoles(session, looked)),
    ...(await findRegressions(looked, marks)),
    ...(olderThanMs === undefined ? [] : await findUnattached(session, looked, olderThanMs)),
    ...findFullWidths(looked),
  ];
}

function look(row: CounterRow): Looked {
  const address = {
    series: toSeries(row),
    dimensions: JSON.parse(row.codes),
    dimensionsKey: row.codes,
    period: row.period,
  };
  return {
    address,
    row,
    counter: counterName(address),
    counterId: String(row.counter_id),
    lastNumber: Number(row.last_number),
  };
}

async function findHoles(session: SqlSession, looked: readonly Looked[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { row, counter, counterId, lastNumber } of looked) {
    const first = Number(row.first_number);
    if (Number(row.number_count) === lastNumber - first + 1) continue;
    const holes = await session.query({ text: selectHoles, values: [counterId, first, lastNumber] });
    for (const hole of holes.rows as { first: string; last: string }[]) {
      findings.push({ kind: 'hole', counterId, counter, first: Number(hole.first), last: Number(hole.last) });
    }
  }
  return findings;
}

async function findRegressions(
  looked: readonly Looked[],
  marks: HighWaterMarks | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let unreadCount = 0;
  for (let start = 0; start < looked.length; start += MARKS_MAX) {
    const some = looked.slice(start, start + MARKS_MAX);
    const keys = some.map(({ address }) => lockKey(address).state);
    // After the first call without an answer Redis is not asked for the rest.
    const remembered = marks && unreadCount === 0 ? await marks.read(keys) : undefined;
    if (marks && !remembered) unreadCount += some.length;
    some.forEach(({ row, counter, counterId, lastNumber }, index) => {
      const highWaterMark = Math.max(Number(row.highest ?? 0), remembered?.[index]?.last ?? 0);
      if (highWaterMark <= lastNumber) return;
      findings.push({ kind: 'regression', counterId, counter, lastNumber, highWaterMark });
    });
  }
  if (unreadCount > 0) findings.push({ kind: 'marks_unread', counterCount: unreadCount });
  return findings;
}

async function findUnattached(
  session: SqlSession,
  looked: readonly Looked[],
  olderThanMs: number,
): Promise<Finding[]> {
  const names = new Map(looked.map(({ counterId, counter }) => [counterId, counter]));
  const { rows } = await session.query({ text: selectUnattached, values: [[...names.keys()], olderThanMs] });
  return (rows as { counter_id: string; number_count: string; example: string }[]).map((row) => ({
    kind: 'unattached',
    counterId: String(row.counter_id),
    counter: names.get(String(row.counter_id)) ?? '',
    count: Number(row.number_count),
    example: row.example,
  }));
}

function findFullWidths(looked: readonly Looked[]): Finding[] {
  return looked.flatMap(({ row, counter, counterId, lastNumber }) => {
    const widthUsed = row.width === null ? 0 : lastNumber / (10 ** Number(row.width) - 1);
    if (widthUsed < widthWarning) return [];
    return [{ kind: 'width' as const, counterId, counter, lastNumber, widthUsed }];
  });
}
