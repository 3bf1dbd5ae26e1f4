import type { SqlSession } from '@solegate/postgres-infra';
import { checkWhole } from '../contract/checks.js';
import type { Finding, ReconcileRequest } from '../contract/ledger-entry.js';
import { widthOfSeries } from '../ledger/lists.js';
import { type HighWaterMarks, PATIENCE_MS } from '../redis/high-water-marks.js';
import { counterName, lockKey, type NamedCounter } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { selectRows } from '../sql/rows.js';
import { expireReservations } from './reservations.js';

/*
 * PostgreSQL compares counters and ledger, and returns only what does not fit. Where Redis has marks, it also returns the
 * counters, which are compared here. Rows come in pages, between which other work of the process runs.
 */

/** Rows of one page. */
const PAGE = 500;
/** Share of a format's width from which a counter is a finding. */
const WIDTH_WARNING = 0.9;

/** `$1` is a space, `$2` a series (NULL: all), `$3` the last counter of the page before. */
const OF_PAGE = `c.id > $3::bigint AND ($1::text IS NULL OR s.space = $1) AND ($2::text IS NULL OR s.code = $2)`;
/** For numbers: a planner knows the values, so that nothing is left of it without a scope. */
const IN_SCOPE = `n.counter_id > $3::bigint AND ($1::text IS NULL AND $2::text IS NULL OR n.counter_id = ANY (ARRAY(
    SELECT c.id FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id WHERE ${OF_PAGE})))`;
const IN_ORDER = `ORDER BY c.id LIMIT ${PAGE}`;

const NAMED = `c.id::text AS "counterId", c.dimensions::json, c.period,
  json_build_object('space', s.space, 'series', s.code, 'identity', s.identity) AS series`;

/** Over the numbers of a counter below the manual ones: a subquery, which runs for no counter without a manual range. */
const ofDrawn = (aggregate: string): string =>
  `(SELECT ${aggregate} FROM document_numbers n WHERE n.counter_id = c.id AND n.sequence < s.manual_first)`;

/** Groups the ledger once, in the order of its key, and joins the few counters that do not fit. */
const SELECT_BROKEN = `
SELECT ${NAMED}, c.first_number::float8 AS first, c.last_number::float8 AS "lastNumber", f.highest::float8
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
LEFT JOIN (
  SELECT n.counter_id, count(*) AS number_count, max(n.sequence) AS highest FROM document_numbers n
  WHERE ${IN_SCOPE} GROUP BY n.counter_id
) l ON l.counter_id = c.id
CROSS JOIN LATERAL (
  SELECT CASE WHEN s.manual_first IS NULL THEN coalesce(l.number_count, 0) ELSE ${ofDrawn('count(*)')} END AS number_count,
    coalesce(CASE WHEN s.manual_first IS NULL THEN l.highest ELSE ${ofDrawn('max(n.sequence)')} END, 0) AS highest
) f
WHERE ${OF_PAGE} AND (f.number_count <> c.last_number - c.first_number + 1 OR f.highest > c.last_number)
${IN_ORDER}`;

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

/** Counters whose format is nearly full; all counters, if `$4`. Few are past the warning of the narrowest format. */
const SELECT_COUNTERS = `
WITH s AS MATERIALIZED (SELECT *, 10::float8 ^ ${widthOfSeries} - 1 AS width_max FROM document_number_series s)
SELECT ${NAMED}, c.last_number::float8 AS "lastNumber", c.last_number / s.width_max AS "widthUsed"
FROM document_number_counters c
JOIN s ON s.id = c.series_id
WHERE ${OF_PAGE} AND ($4 OR c.last_number >= (SELECT ${WIDTH_WARNING} * min(width_max) FROM s)
  AND c.last_number / s.width_max >= ${WIDTH_WARNING})
${IN_ORDER}`;

const SELECT_LAST = `
SELECT c.id::text AS "counterId", c.last_number::float8 AS "lastNumber" FROM document_number_counters c
WHERE c.id = ANY ($1::bigint[])`;

const numbersWhere = (condition: string): string => `
SELECT ${NAMED}, f.count::float8, f.example
FROM (
  SELECT n.counter_id, count(*), min(n.number) AS example FROM document_numbers n
  WHERE ${IN_SCOPE} AND ${condition}
  GROUP BY n.counter_id
) f
JOIN document_number_counters c ON c.id = f.counter_id
JOIN document_number_series s ON s.id = c.series_id
WHERE ${OF_PAGE}
${IN_ORDER}`;

const SELECT_UNATTACHED = numbersWhere(`n.status = 'issued' AND n.document IS NULL
    AND n.issued_at < clock_timestamp() - $4::bigint * interval '1 ms'`);

/** The condition of document_numbers_void_idx. */
const SELECT_VOIDS = numbersWhere(
  `num_nonnulls(n.void_reason, n.voided_by, n.voided_at) <> CASE n.status WHEN 'void' THEN 3 ELSE 0 END`,
);

interface Looked extends NamedCounter {
  readonly counterId: string;
}
type Numbers = Looked & { readonly count: number; readonly example: string };
type ReadMarks = Pick<HighWaterMarks, 'read'>;
type Regression = Extract<Finding, { kind: 'REGRESSION' }>;

/** A hundred years. PostgreSQL has no time that lies 2^53 milliseconds back. */
const UNATTACHED_AFTER_MAX_MS = 36_525 * 86_400_000;

/** Compares counters, ledger and marks while numbers are issued, and expires reservations; findings need a person. */
export async function reconcile(
  call: DatabaseCall,
  request: ReconcileRequest,
  marks: ReadMarks | undefined,
): Promise<Finding[]> {
  const { unattachedAfterMs: olderThanMs } = request;
  if (olderThanMs !== undefined) checkWhole('unattachedAfterMs', olderThanMs, [0, UNATTACHED_AFTER_MAX_MS]);
  const session = call.reading;
  const scope = [request.space ?? null, request.series ?? null];
  const expiredCount = await expireReservations(call);
  const regressions = new Map<string, Regression>();
  const findings: Finding[] = expiredCount > 0 ? [{ kind: 'EXPIRED_RESERVATIONS', count: expiredCount }] : [];
  findings.push(...(await findBroken(session, scope, regressions)));
  const ofCounters = await findByCounters(call, scope, { marks, regressions });
  findings.push(...regressions.values(), ...ofCounters.unread);
  findings.push(...(await findNumbers(session, 'VOID_MISMATCH', SELECT_VOIDS, scope)));
  if (olderThanMs !== undefined)
    findings.push(...(await findNumbers(session, 'UNATTACHED', SELECT_UNATTACHED, scope, [olderThanMs])));
  return [...findings, ...ofCounters.widths];
}

/** Reads a statement page by page, in the order of counters. */
async function* pagesOf<Row extends Looked>(
  session: SqlSession,
  text: string,
  scope: readonly unknown[],
  more: readonly unknown[] = [],
): AsyncGenerator<readonly (Row & { readonly counter: string })[]> {
  for (let after = '0'; ; ) {
    const rows = await selectRows<Row>(session, text, [...scope, after, ...more]);
    yield rows.map((row) => ({ ...row, counter: counterName(row) }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.counterId;
  }
}

/** Returns holes, and adds counters below numbers of the ledger to `regressions`. */
async function findBroken(
  session: SqlSession,
  scope: readonly unknown[],
  regressions: Map<string, Regression>,
): Promise<Finding[]> {
  type Broken = Looked & { first: number; lastNumber: number; highest: number };
  const holes: Finding[] = [];
  for await (const page of pagesOf<Broken>(session, SELECT_BROKEN, scope)) {
    for (const { counterId, counter, first, lastNumber, highest } of page) {
      const values = [counterId, first, lastNumber];
      const found = await selectRows<{ first: number; last: number }>(session, SELECT_HOLES, values);
      for (const hole of found) holes.push({ kind: 'HOLE', counterId, counter, ...hole });
      if (highest > lastNumber)
        regressions.set(counterId, {
          kind: 'REGRESSION',
          counterId,
          counter,
          lastNumber,
          highWaterMark: highest,
        });
    }
  }
  return holes;
}

/** Compares counters with their formats, and with their marks, which raise those in `regressions` or add to them. */
async function findByCounters(
  { reading: session, deadline }: DatabaseCall,
  scope: readonly unknown[],
  { marks, regressions }: { marks: ReadMarks | undefined; regressions: Map<string, Regression> },
): Promise<{ readonly widths: Finding[]; readonly unread: Finding[] }> {
  type Counter = Looked & { lastNumber: number; widthUsed: number | undefined };
  const widths: Finding[] = [];
  let unreadCount = 0;
  // A Redis that is away costs one second, not one for each page.
  let patienceMs = PATIENCE_MS;
  for await (const page of pagesOf<Counter>(session, SELECT_COUNTERS, scope, [marks !== undefined])) {
    const keys = page.map((named) => lockKey(named).state);
    const remembered = marks ? await marks.read(keys, deadline.atMost(patienceMs)) : [];
    if (!remembered) {
      unreadCount += page.length;
      patienceMs = 0;
    }
    const below: Regression[] = [];
    for (const [index, { counterId, counter, lastNumber, widthUsed = 0 }] of page.entries()) {
      if (widthUsed >= WIDTH_WARNING)
        widths.push({ kind: 'WIDTH', counterId, counter, lastNumber, widthUsed });
      const known = regressions.get(counterId)?.highWaterMark ?? lastNumber;
      const highWaterMark = remembered?.[index]?.last ?? 0;
      if (highWaterMark > known)
        below.push({ kind: 'REGRESSION', counterId, counter, lastNumber, highWaterMark });
    }
    for (const found of await stillBelow(session, below)) regressions.set(found.counterId, found);
  }
  return { widths, unread: unreadCount > 0 ? [{ kind: 'MARKS_UNREAD', counterCount: unreadCount }] : [] };
}

/** Looks again at counters below their marks: numbers were issued after the rows were read and before the marks. */
async function stillBelow(session: SqlSession, below: readonly Regression[]): Promise<Regression[]> {
  if (below.length === 0) return [];
  const ids = below.map(({ counterId }) => counterId);
  const rows = await selectRows<{ counterId: string; lastNumber: number }>(session, SELECT_LAST, [ids]);
  const lastById = new Map(rows.map(({ counterId, lastNumber }) => [counterId, lastNumber]));
  return below
    .map((found) => ({ ...found, lastNumber: lastById.get(found.counterId) ?? found.lastNumber }))
    .filter(({ lastNumber, highWaterMark }) => lastNumber < highWaterMark);
}

async function findNumbers(
  session: SqlSession,
  kind: 'UNATTACHED' | 'VOID_MISMATCH',
  text: string,
  ...values: [scope: readonly unknown[], more?: readonly unknown[]]
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const page of pagesOf<Numbers>(session, text, ...values)) {
    for (const { counterId, counter, count, example } of page)
      findings.push({ kind, counterId, counter, count, example });
  }
  return findings;
}
