import type { Batch, Draft } from './counter-queue.js';
import {
  counterColumns,
  counterRow,
  itemColumns,
  itemRows,
  Parameters,
  recordedColumns,
} from './draw-columns.js';

/*
 * The deciding statements: they lock the counters of a batch in id order and record every number wanted from them in
 * the ledger, which raises the counters (sql/0002-guards.ts), in one commit.
 *
 * | a counter | is granted | the reply |
 * |---|---|---|
 * | whose row is locked | nothing, if the batch skips locked rows | has no row for it |
 * | | else what it wants once the row is free; after `rowWaitMs`, the whole statement fails (55P03) | |
 * | with another version or rules, below its floor, above its ceiling, dates out of order | nothing | its position |
 * | on another server than the batch expects | nothing: its floor must be looked up again | which server |
 * | any other | all it wants | its position before the draw |
 *
 * The row wait limit is part of the statement and is set before it locks anything. In a transaction it is restored, so
 * that it does not apply to the statements that follow.
 *
 * A statement with idempotency keys looks these up first: those found are answered from the ledger and draw nothing.
 * Its snapshot can be older than the rows it locks, so the unique index catches a key that was committed in the
 * meantime, and the statement is retried.
 */

interface DrawInput {
  readonly batch: Batch;
  /** Whether more statements follow in its transaction. */
  readonly isInTransaction: boolean;
}

/** A named statement; each connection keeps its plan under that name. */
export interface DrawStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: Parameters<DrawInput>;
}

/** Identifies the PostgreSQL server by its start time, which differs after a failover. */
export const SERVER = `extract(epoch FROM pg_postmaster_start_time())::text`;

/** A ledger row `n` as returned to a caller that repeats its key. */
export const REPLAY = `json_build_object('number', n.number, 'sequence', n.sequence, 'period', n.period,
    'date', n.business_date, 'formatVersion', coalesce(n.format_version, 0), 'counterId', n.counter_id::text,
    'id', n.id::text, 'status', n.status, 'guard', coalesce(n.guard, 'row'), 'waitedMs', coalesce(n.waited_ms, 0),
    'retryCount', coalesce(n.retry_count, 0)) AS issued,
  n.fingerprint, n.reservation, extract(epoch FROM n.expires_at) * 1000 AS expires_ms`;

/** Longest wait for a key or an id that another transaction has just written, if the batch skips locked rows. */
const KEY_WAIT_MS = 50;

/** The parts common to all texts. Reading `limits` sets the lock limit, so the locking part must read it first. */
function frame(parameters: Parameters<DrawInput>) {
  // A limit of 0 would mean none; a batch that skips locked rows waits only for unique keys.
  const limit = parameters.value('text', ({ batch }) => String(batch.rowWaitMs ?? KEY_WAIT_MS));
  const server = parameters.value('text', ({ batch }) => batch.server);
  const isInTransaction = parameters.value('boolean', (input) => input.isInTransaction);
  return {
    batchId: parameters.value('uuid', ({ batch }) => batch.id),
    isExpectedServer: `(${server} IS NULL OR k.server = ${server})`,
    limits: `
limits AS MATERIALIZED (
  SELECT current_setting('lock_timeout') AS lock_timeout_before, set_config('lock_timeout', ${limit}, true),
    ${SERVER} AS server
)`,
    ending: `k.server,
  CASE WHEN ${isInTransaction} THEN set_config('lock_timeout', k.lock_timeout_before, true) END AS restored`,
  };
}

const keys = (items: string): string => `
items AS MATERIALIZED (
  SELECT * FROM ${items}
),
known AS MATERIALIZED (
  SELECT i.position, n.counter_id, ${REPLAY}
  FROM items i
  JOIN wanted w ON w.counter_id = i.counter_id
  CROSS JOIN LATERAL (
    SELECT * FROM document_numbers_all n
    WHERE n.space = w.space AND n.idempotency_key = i.idempotency_key AND n.key_part = i.key_part
    -- Planned by itself: where statistics know of no keys, the join would read all of them for each number.
    LIMIT 1
  ) n
),
fresh AS MATERIALIZED (
  SELECT i.*, row_number() OVER (PARTITION BY i.counter_id ORDER BY i.position) AS fresh_ordinal
  FROM items i
  WHERE NOT EXISTS (SELECT FROM known k WHERE k.position = i.position)
),
totals AS MATERIALIZED (
  SELECT f.counter_id, count(*) AS number_count, min(coalesce(f.business_date, w.business_date)) AS first_date
  FROM fresh f
  JOIN wanted w USING (counter_id)
  GROUP BY f.counter_id
)`;

/** The `known` rows, as rows of a reply. */
export const REPLAYS = `
UNION ALL
SELECT k.counter_id, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, row_to_json(k)
FROM known k`;

function batchStatement(isKeyed: boolean, skips: boolean): DrawStatement {
  const parameters = new Parameters<DrawInput>();
  const { batchId, isExpectedServer, limits, ending } = frame(parameters);
  const counters = parameters.rows(counterColumns, ({ batch }) => batch.drafts.map(counterRow));
  const items = parameters.rows(itemColumns, ({ batch }) => itemRows(batch));
  const allItems = `${items.unnest} AS i (${items.names})`;
  const [totals, ordinal] = isKeyed ? ['t', 'fresh_ordinal'] : ['w', 'ordinal'];
  const text = `WITH${limits},
wanted AS MATERIALIZED (
  SELECT * FROM ${counters.unnest} AS w (${counters.names})
),${isKeyed ? `${keys(allItems)},` : ''}
locked AS MATERIALIZED (
  SELECT c.id, c.last_number, c.version, c.last_date, s.revision
  FROM limits, document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = ANY (${counters.arrays.counter_id})
  ORDER BY c.id
  FOR NO KEY UPDATE OF c${skips ? ' SKIP LOCKED' : ''}
),
granted AS MATERIALIZED (
  SELECT l.id, l.last_number AS base, w.space, w.period, w.retry_count, w.prefix, w.suffix, w.width, w.format_version,
    w.business_date, w.actor,
    CASE WHEN w.version IS NULL THEN 'row' ELSE 'redis+version' END AS guard
  FROM locked l
  JOIN wanted w ON w.counter_id = l.id${isKeyed ? '\n  JOIN totals t ON t.counter_id = l.id' : ''}
  CROSS JOIN limits k
  WHERE (w.version IS NULL OR l.version = w.version)
    AND l.revision = w.revision
    AND l.last_number >= w.floor
    AND l.last_number + ${totals}.number_count <= w.ceiling
    AND (w.first_date IS NULL OR l.last_date IS NULL OR ${totals}.first_date >= l.last_date)
    AND ${isExpectedServer}
),
recorded AS (
  INSERT INTO document_numbers (counter_id, sequence, id, expires_at, batch, reservation, batch_position, key_part,
    waited_ms, retry_count, format_version, business_date, batch_head, status, guard, space, number, period, actor,
    document, reason, idempotency_key, fingerprint)
  SELECT g.id, g.base + i.${ordinal}, i.id, now() + i.hold_ms * interval '1 ms', ${batchId}, i.reservation, i.position,
    i.key_part, i.waited_ms, g.retry_count, coalesce(i.format_version, g.format_version),
    coalesce(i.business_date, g.business_date),
    i.${ordinal} = 1 AND g.id = (SELECT min(id) FROM granted),
    CASE WHEN i.reservation IS NULL THEN 'issued' ELSE 'reserved' END, g.guard, g.space,
    coalesce(i.prefix, g.prefix)
      || lpad((g.base + i.${ordinal})::text,
        greatest(coalesce(i.width, g.width), length((g.base + i.${ordinal})::text)), '0')
      || coalesce(i.suffix, g.suffix),
    g.period, coalesce(i.actor, g.actor), i.document, i.reason, i.idempotency_key, i.fingerprint
  FROM ${isKeyed ? '(SELECT * FROM fresh ORDER BY position) i' : allItems}
  JOIN granted g ON g.id = i.counter_id
)
SELECT l.id, l.last_number, l.version, l.last_date::text, l.revision, g.id IS NOT NULL AS granted,
  CASE WHEN ${items.arrays.reservation} IS NOT NULL THEN extract(epoch FROM now()) * 1000 END AS now_ms,
  ${ending}, NULL::json AS replay
FROM limits k
LEFT JOIN locked l ON true
LEFT JOIN granted g ON g.id = l.id${isKeyed ? REPLAYS : ''}`;
  return { name: `doc_num_draw${isKeyed ? '_keyed' : ''}${skips ? '_free' : ''}`, text, parameters };
}

/** For any batch, by whether it has keys and whether it skips locked rows. */
export const drawBatch = {
  keyed: { waiting: batchStatement(true, false), skipping: batchStatement(true, true) },
  plain: { waiting: batchStatement(false, false), skipping: batchStatement(false, true) },
} as const;

/** Keyless numbers of one counter printed alike: about half of PostgreSQL's time. If refused, the batch reports why. */
function runStatement(): DrawStatement {
  const parameters = new Parameters<DrawInput>();
  const { batchId, isExpectedServer, limits, ending } = frame(parameters);
  const c = parameters.row(counterColumns, ({ batch }) => counterRow(batch.drafts[0] as Draft));
  const items = parameters.rows(recordedColumns, ({ batch }) => itemRows(batch));
  const text = `WITH${limits},
granted AS MATERIALIZED (
  SELECT c.id, c.last_number, c.version, c.last_date, s.revision
  FROM limits k, document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = ${c.counter_id}
    AND (${c.version} IS NULL OR c.version = ${c.version})
    AND s.revision = ${c.revision}
    AND c.last_number >= ${c.floor}
    AND c.last_number + ${c.number_count} <= ${c.ceiling}
    AND (${c.first_date} IS NULL OR c.last_date IS NULL OR c.last_date <= ${c.first_date})
    AND ${isExpectedServer}
  FOR NO KEY UPDATE OF c
),
recorded AS (
  INSERT INTO document_numbers (counter_id, sequence, id, batch, batch_position, waited_ms, retry_count,
    format_version, business_date, batch_head, status, guard, space, number, period, actor, document, reason)
  SELECT g.id, g.last_number + i.ordinal, i.id, ${batchId}, i.ordinal, i.waited_ms, ${c.retry_count},
    ${c.format_version}, ${c.business_date}, i.ordinal = 1, 'issued',
    CASE WHEN ${c.version} IS NULL THEN 'row' ELSE 'redis+version' END, ${c.space},
    ${c.prefix}
      || lpad((g.last_number + i.ordinal)::text, greatest(${c.width}, length((g.last_number + i.ordinal)::text)), '0')
      || ${c.suffix},
    ${c.period}, coalesce(i.actor, ${c.actor}), i.document, i.reason
  FROM granted g, ${items.unnest} WITH ORDINALITY AS i (${items.names}, ordinal)
)
SELECT g.id, g.last_number, g.version, g.last_date::text, g.revision, g.id IS NOT NULL AS granted, NULL AS now_ms,
  ${ending}, NULL AS replay
FROM limits k
LEFT JOIN granted g ON true`;
  return { name: 'doc_num_draw_run', text, parameters };
}

export const drawRun = runStatement();
