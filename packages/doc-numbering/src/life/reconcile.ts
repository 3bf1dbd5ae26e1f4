import type { SqlSession } from '@solegate/postgres-infra';
import { checkWhole } from '../contract/checks.js';
import type { Finding, ReconcileRequest } from '../contract/ledger-entry.js';
import { widthOfSeries } from '../ledger/lists.js';
import type { HighWaterMarks } from '../redis/high-water-marks.js';
import { counterName, lockKey, type NamedCounter } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { selectRows } from '../sql/rows.js';
import { expireReservations } from './reservations.js';

/** Counters, with what one scan of the ledger's key finds for them. */
const SELECT_COUNTERS = `
SELECT to_json(r) AS series, c.id::text AS "counterId", c.dimensions::json, c.period, c.first_number::float8 AS first,
  c.last_number::float8 AS "lastNumber", l.highest::float8,
  coalesce(l.number_count, 0)::float8 AS "numberCount",
  c.last_number / (10::float8 ^ ${widthOfSeries} - 1) AS "widthUsed"
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
CROSS JOIN LATERAL (SELECT s.space, s.code AS series, s.identity) r
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

/** Runs only for counters whose count is wrong. */
const SELECT_HOLES = `
SELECT (previous + 1)::float8 AS first, (sequence - 1)::float8 AS last
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

const SELECT_UNATTACHED = `
SELECT n.counter_id::text AS "counterId", count(*)::float8 AS count, min(n.number) AS example
FROM document_numbers n
WHERE n.status = 'issued' AND n.document IS NULL
  AND n.issued_at < clock_timestamp() - $2::bigint * interval '1 ms'
  AND n.counter_id = ANY ($1::bigint[])
GROUP BY n.counter_id
ORDER BY n.counter_id`;

interface Looked extends NamedCounter {
  readonly counterId: string;
  /** Its name in findings. */
  readonly counter: string;
  readonly first: number;
  readonly lastNumber: number;
  readonly numberCount: number;
  readonly highest: number | undefined;
  readonly widthUsed: number | undefined;
}

const WIDTH_WARNING = 0.9;

/** Compares counters, ledger and marks while numbers are issued, and expires reservations; findings need a person. */
export async function reconcile(
  call: DatabaseCall,
  request: ReconcileRequest,
  marks: HighWaterMarks | undefined,
): Promise<Finding[]> {
  const session = call.reading;
  const olderThanMs = request.unattachedAfterMs;
  if (olderThanMs !== undefined) checkWhole('unattachedAfterMs', olderThanMs, [0, Number.MAX_SAFE_INTEGER]);
  const expiredCount = await expireReservations(call);
  const values = [request.space ?? null, request.series ?? null];
  const rows = await selectRows<Looked>(session, SELECT_COUNTERS, values);
  const looked = rows.map((row) => ({ ...row, counter: counterName(row) }));
  return [
    ...(expiredCount > 0 ? [{ kind: 'expired_reservations' as const, count: expiredCount }] : []),
    ...(await findHoles(session, looked)),
    ...(await findRegressions(looked, marks)),
    ...(olderThanMs === undefined ? [] : await findUnattached(session, looked, olderThanMs)),
    ...findFullWidths(looked),
  ];
}

async function findHoles(session: SqlSession, looked: readonly Looked[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { counterId, counter, first, lastNumber, numberCount } of looked) {
    if (numberCount === lastNumber - first + 1) continue;
    const values = [counterId, first, lastNumber];
    const holes = await selectRows<{ first: number; last: number }>(session, SELECT_HOLES, values);
    findings.push(...holes.map((hole) => ({ kind: 'hole' as const, counterId, counter, ...hole })));
  }
  return findings;
}

async function findRegressions(
  looked: readonly Looked[],
  marks: HighWaterMarks | undefined,
): Promise<Finding[]> {
  const remembered = marks && (await marks.read(looked.map((named) => lockKey(named).state)));
  const findings = looked.flatMap(({ highest = 0, counterId, counter, lastNumber }, index): Finding[] => {
    const highWaterMark = Math.max(highest, remembered?.[index]?.last ?? 0);
    if (highWaterMark <= lastNumber) return [];
    return [{ kind: 'regression', counterId, counter, lastNumber, highWaterMark }];
  });
  const isUnread = marks && !remembered && looked.length > 0;
  return isUnread ? [...findings, { kind: 'marks_unread', counterCount: looked.length }] : findings;
}

async function findUnattached(
  session: SqlSession,
  looked: readonly Looked[],
  olderThanMs: number,
): Promise<Finding[]> {
  const names = new Map(looked.map(({ counterId, counter }) => [counterId, counter]));
  const values = [[...names.keys()], olderThanMs];
  type Unattached = { readonly counterId: string; readonly count: number; readonly example: string };
  const found = await selectRows<Unattached>(session, SELECT_UNATTACHED, values);
  return found.map((row) => ({ kind: 'unattached', ...row, counter: names.get(row.counterId) ?? '' }));
}

function findFullWidths(looked: readonly Looked[]): Finding[] {
  return looked.flatMap(({ counterId, counter, lastNumber, widthUsed = 0 }) =>
    widthUsed < WIDTH_WARNING ? [] : [{ kind: 'width', counterId, counter, lastNumber, widthUsed }],
  );
}
