import { Parameters } from '../sql/parameters.js';
import type { Batch } from './draft.js';
import { COUNTER_COLUMNS, type DrawInput, ITEM_COLUMNS, itemsOf } from './draw-columns.js';

/*
 * The statement that decides: it locks the counters of a batch in id order and records every number wanted of them in the
 * ledger, which raises them (sql/0002-guards.ts), in one commit.
 *
 * | a counter | is granted | the reply |
 * |---|---|---|
 * | whose row somebody holds | nothing, if the batch skips such rows | has no row of it |
 * | | else what it wants once the row is free; after `rowWaitMs` the whole statement fails (55P03) | |
 * | with another version than expected, other rules, below its floor, above its ceiling, dates out of order | nothing | where it stands |
 * | on another server than the batch believes to talk to | nothing: its floor must be looked up again | which server |
 * | any other | all that is wanted of it | where it stood |
 *
 * The longest wait for a row is part of the statement, set before it locks anything. In a transaction it is put back, so
 * that it does not hold for the statements that follow.
 *
 * With idempotency keys it looks these up first: those found are answered from the ledger and draw nothing. Its snapshot
 * may be older than the rows it locks, so a key that was committed meanwhile is met by the unique index instead; the
 * statement is then repeated.
 */

/** PostgreSQL itself by the moment of its start: after a fail-over it is another. */
export const SERVER = `extract(epoch FROM pg_postmaster_start_time())::text`;

/** Opens every text: the lock limit is set while this is read, which the locking part must do first. */
export function beginning(parameters: Parameters<DrawInput>): string {
  // A limit of 0 would mean none; what is skipped waits for unique keys alone.
  const limit = parameters.value('text', ({ batch }) => String(batch.rowWaitMs ?? KEY_WAIT_MS));
  return `
limits AS MATERIALIZED (
  SELECT current_setting('lock_timeout') AS lock_timeout_before, set_config('lock_timeout', ${limit}, true),
    ${SERVER} AS server
)`;
}

/** Longest wait for a key or an id that another transaction has just written, when rows are not waited for. */
const KEY_WAIT_MS = 50;

export function ending(parameters: Parameters<DrawInput>): string {
  const isInTransaction = parameters.value('boolean', (input) => input.isInTransaction);
  return `k.server,
  CASE WHEN ${isInTransaction} THEN set_config('lock_timeout', k.lock_timeout_before, true) END AS restored`;
}

export const isExpectedServer = (parameters: Parameters<DrawInput>): string => {
  const server = parameters.value('text', ({ batch }) => batch.server);
  return `(${server} IS NULL OR k.server = ${server})`;
};

const LEDGER_COLUMNS = `counter_id, sequence, id, expires_at, batch, reservation, batch_position, key_part, waited_ms,
    retry_count, format_version, business_date, batch_head, status, guard, space, number, period, actor, document,
    reason, idempotency_key, fingerprint`;

const keys = (items: string): string => `
items AS MATERIALIZED (
  SELECT * FROM ${items}
),
known AS MATERIALIZED (
  SELECT i.position, n.counter_id, n.sequence, n.number, n.period, n.business_date::text AS date, n.format_version,
    n.guard, n.waited_ms, n.retry_count, n.id::text, n.fingerprint, n.reservation, n.status,
    extract(epoch FROM n.expires_at) * 1000 AS expires_ms
  FROM items i
  JOIN wanted w ON w.counter_id = i.counter_id
  CROSS JOIN LATERAL (
    SELECT * FROM document_numbers n
    WHERE n.space = w.space AND n.idempotency_key = i.idempotency_key AND n.key_part = i.key_part
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

const FRESH_ITEMS = `(
    SELECT counter_id, fresh_ordinal AS ordinal, ${ITEM_COLUMNS.slice(2)
      .map(({ name }) => name)
      .join(', ')}
    FROM fresh
    ORDER BY position
  ) i`;

/** A statement by its name, which also is that of its plan on each connection. */
export interface DrawStatement {
  readonly name: string;
  readonly text: string;
  readonly values: (input: DrawInput) => unknown[];
}

interface BatchKind {
  readonly isKeyed: boolean;
  readonly skips: boolean;
}

function batchStatement({ isKeyed, skips }: BatchKind): DrawStatement {
  const parameters = new Parameters<DrawInput>();
  const counters = parameters.rows('w', COUNTER_COLUMNS, ({ batch }) => batch.drafts);
  const items = parameters.rows('i', ITEM_COLUMNS, itemsOf);
  const parts = [
    beginning(parameters),
    `
wanted AS MATERIALIZED (
  SELECT * FROM ${counters.from}
)`,
    ...(isKeyed ? [keys(items.from)] : []),
    `
locked AS MATERIALIZED (
  SELECT c.id, c.last_number, c.version, c.last_date, s.revision
  FROM limits, document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = ANY (${counters.array('counter_id')})
  ORDER BY c.id
  FOR NO KEY UPDATE OF c${skips ? ' SKIP LOCKED' : ''}
)`,
    grants(parameters, isKeyed),
    records(parameters, isKeyed ? FRESH_ITEMS : items.from),
  ];
  const text = `WITH${parts.join(',')}
SELECT l.id, l.last_number, l.version, l.last_date::text, l.revision, g.id IS NOT NULL AS granted,
  CASE WHEN ${items.array('reservation')} IS NOT NULL THEN extract(epoch FROM now()) * 1000 END AS now_ms,
  ${ending(parameters)}, NULL::json AS replay
FROM limits k
LEFT JOIN locked l ON true
LEFT JOIN granted g ON g.id = l.id${isKeyed ? REPLAYS : ''}`;
  const name = `doc_num_draw${isKeyed ? '_keyed' : ''}${skips ? '_free' : ''}`;
  return { name, text, values: (input) => parameters.values(input) };
}

const REPLAYS = `
UNION ALL
SELECT k.counter_id, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, row_to_json(k)
FROM known k`;

function grants(parameters: Parameters<DrawInput>, isKeyed: boolean): string {
  const totals = isKeyed ? 't' : 'w';
  return `
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
    AND ${isExpectedServer(parameters)}
)`;
}

function records(parameters: Parameters<DrawInput>, items: string): string {
  const batchId = parameters.value('uuid', ({ batch }) => batch.id);
  const hasHead = parameters.value('boolean', ({ batch }) => batch.partOf?.hasHead === true);
  return `
recorded AS (
  INSERT INTO document_numbers (${LEDGER_COLUMNS})
  SELECT g.id, g.base + i.ordinal, i.id, now() + i.hold_ms * interval '1 ms', ${batchId}, i.reservation, i.position,
    i.key_part, i.waited_ms, g.retry_count, coalesce(i.format_version, g.format_version),
    coalesce(i.business_date, g.business_date),
    NOT ${hasHead} AND i.ordinal = 1 AND g.id = (SELECT min(id) FROM granted),
    CASE WHEN i.reservation IS NULL THEN 'issued' ELSE 'reserved' END, g.guard, g.space,
    coalesce(i.prefix, g.prefix)
      || lpad((g.base + i.ordinal)::text,
        greatest(coalesce(i.width, g.width), length((g.base + i.ordinal)::text)), '0')
      || coalesce(i.suffix, g.suffix),
    g.period, coalesce(i.actor, g.actor), i.document, i.reason, i.idempotency_key, i.fingerprint
  FROM ${items}
  JOIN granted g ON g.id = i.counter_id
)`;
}

const BATCH_STATEMENTS = [true, false].flatMap((isKeyed) =>
  [true, false].map((skips) => ({ isKeyed, skips, statement: batchStatement({ isKeyed, skips }) })),
);

export function drawStatementFor(batch: Batch): DrawStatement {
  const isKeyed = batch.drafts.some(({ issues }) => issues.some(({ facts }) => facts.key !== undefined));
  const skips = batch.rowWaitMs === undefined;
  const found = BATCH_STATEMENTS.find((one) => one.isKeyed === isKeyed && one.skips === skips);
  return (found ?? BATCH_STATEMENTS[0])?.statement as DrawStatement;
}
