/**
 * The statement that decides: it locks the counters of a batch in id order and records every number wanted of them in the
 * ledger, which raises them (sql/0002-guards.ts), in one commit.
 *
 * A counter is granted all that is wanted of it or nothing. Nothing, when its version is not the expected one, when the
 * series' rules have changed, when it stands below `floor` (a regression), when the numbers would pass `ceiling`, or
 * when their dates would break the date order. The reply tells where each counter stands, so a refusal needs no
 * second look. Without an expected version the statement waits for the row and cannot conflict.
 *
 * With idempotency keys it looks these up first: those found are answered from the ledger and draw nothing. Its snapshot
 * may be older than the rows it locks, so a key that was committed meanwhile is met by the unique index instead; the
 * statement is then repeated.
 */
const wanted = `
wanted AS MATERIALIZED (
  SELECT * FROM unnest(
    $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
    $9::date[], $10::int[], $11::text[], $12::text[], $13::int[], $14::int[], $15::date[], $16::text[]
  ) AS w (counter_id, version, number_count, floor, ceiling, revision, space, period,
    first_date, retry_count, prefix, suffix, width, format_version, business_date, actor)
)`;

/** Of what is printed and recorded, an item says only where it differs from the first of its counter. */
const items = `unnest(
    $18::bigint[], $19::bigint[], $20::int[], $21::int[], $22::text[], $23::text[], $24::int[], $25::int[], $26::date[],
    $27::text[], $28::text[], $29::text[], $30::bigint[], $31::uuid[], $32::bigint[],
    $33::text[], $34::int[], $35::text[]
  ) AS i (counter_id, ordinal, position, waited_ms, prefix, suffix, width, format_version, business_date,
    actor, document, reason, id, reservation, hold_ms, idempotency_key, key_part, fingerprint)`;

const locked = `
locked AS MATERIALIZED (
  SELECT c.id, c.last_number, c.version, c.last_date, s.revision
  FROM document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = ANY ($1::bigint[])
  ORDER BY c.id
  FOR NO KEY UPDATE OF c
)`;

/** `totals` is the relation that says how many numbers of which dates are wanted of each counter. */
const granted = (totals: string, join: string): string => `
granted AS MATERIALIZED (
  SELECT l.id, l.last_number AS base, w.space, w.period, w.retry_count, w.prefix, w.suffix, w.width, w.format_version,
    w.business_date, w.actor,
    CASE WHEN w.version IS NULL THEN 'row' ELSE 'redis+version' END AS guard
  FROM locked l
  JOIN wanted w ON w.counter_id = l.id${join}
  WHERE (w.version IS NULL OR l.version = w.version)
    AND l.revision = w.revision
    AND l.last_number >= w.floor
    AND l.last_number + ${totals}.number_count <= w.ceiling
    AND (w.first_date IS NULL OR l.last_date IS NULL OR ${totals}.first_date >= l.last_date)
)`;

const ledgerColumns = `counter_id, sequence, id, expires_at, batch, reservation, batch_position, key_part, waited_ms,
    retry_count, format_version, business_date, batch_head, status, guard, space, number, period, actor, document,
    reason, idempotency_key, fingerprint`;

const recorded = (source: string): string => `
recorded AS (
  INSERT INTO document_numbers (${ledgerColumns})
  SELECT g.id, g.base + i.ordinal, i.id, now() + i.hold_ms * interval '1 ms', $17::uuid, i.reservation, i.position,
    i.key_part, i.waited_ms, g.retry_count, coalesce(i.format_version, g.format_version),
    coalesce(i.business_date, g.business_date),
    $36::boolean AND i.ordinal = 1 AND g.id = (SELECT min(id) FROM granted),
    CASE WHEN i.reservation IS NULL THEN 'issued' ELSE 'reserved' END, g.guard, g.space,
    coalesce(i.prefix, g.prefix)
      || lpad((g.base + i.ordinal)::text,
        greatest(coalesce(i.width, g.width), length((g.base + i.ordinal)::text)), '0')
      || coalesce(i.suffix, g.suffix),
    g.period, coalesce(i.actor, g.actor), i.document, i.reason, i.idempotency_key, i.fingerprint
  FROM ${source}
  JOIN granted g ON g.id = i.counter_id
)`;

const standing = `
SELECT l.id, l.last_number, l.version, l.last_date::text, l.revision, g.id IS NOT NULL AS granted,
  CASE WHEN $31::uuid[] IS NOT NULL THEN extract(epoch FROM now()) * 1000 END AS now_ms`;

/** For batches without idempotency keys. */
export const drawText = `WITH${[wanted, locked, granted('w', ''), recorded(items)].join(',')}
${standing}, NULL::json AS replay
FROM locked l
LEFT JOIN granted g ON g.id = l.id`;

const keyed = `
items AS MATERIALIZED (
  SELECT * FROM ${items}
),
known AS MATERIALIZED (
  SELECT i.position, n.counter_id, n.sequence, n.number, n.period, n.business_date::text AS date, n.format_version,
    n.guard, n.waited_ms, n.retry_count, n.id::text, n.fingerprint, n.reservation,
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

const freshItems = `(
    SELECT counter_id, fresh_ordinal AS ordinal, position, waited_ms, prefix, suffix, width, format_version,
      business_date, actor, document, reason, id, reservation, hold_ms, idempotency_key, key_part, fingerprint
    FROM fresh
    ORDER BY position
  ) i`;

/** For batches in which somebody has an idempotency key. */
export const drawKeyedText = `WITH${[
  wanted,
  keyed,
  locked,
  granted('t', '\n  JOIN totals t ON t.counter_id = l.id'),
  recorded(freshItems),
].join(',')}
${standing}, NULL::json AS replay
FROM locked l
LEFT JOIN granted g ON g.id = l.id
UNION ALL
SELECT k.counter_id, NULL, NULL, NULL, NULL, false, NULL, row_to_json(k)
FROM known k`;

/**
 * For numbers of one counter that are printed alike, without keys: the same decision, up to a third quicker. A counter that
 * is not granted gives no row; the batch statement is then asked why.
 */
export const drawRunText = `WITH granted AS MATERIALIZED (
  SELECT c.id, c.last_number, c.version, c.last_date
  FROM document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = $1::bigint
    AND ($2::bigint IS NULL OR c.version = $2::bigint)
    AND s.revision = $3::bigint
    AND c.last_number >= $4::bigint
    AND c.last_number + $5::bigint <= $6::bigint
    AND ($7::date IS NULL OR c.last_date IS NULL OR c.last_date <= $7::date)
  FOR NO KEY UPDATE OF c
),
recorded AS (
  INSERT INTO document_numbers (counter_id, sequence, id, batch, batch_position, waited_ms, retry_count,
    format_version, business_date, batch_head, status, guard, space, number, period, actor, document, reason)
  SELECT g.id, g.last_number + i.ordinal, i.id, $8::uuid, i.ordinal, i.waited_ms, $9::int, $10::int, $11::date,
    i.ordinal = 1, 'issued', CASE WHEN $2::bigint IS NULL THEN 'row' ELSE 'redis+version' END, $12,
    $13::text
      || lpad((g.last_number + i.ordinal)::text, greatest($14::int, length((g.last_number + i.ordinal)::text)), '0')
      || $15::text,
    $16, coalesce(i.actor, $17), i.document, i.reason
  FROM granted g,
    unnest($18::int[], $19::bigint[], $20::text[], $21::text[], $22::text[])
      WITH ORDINALITY AS i (waited_ms, id, actor, document, reason, ordinal)
)
SELECT g.id, g.last_number, g.version, g.last_date::text, $3::bigint AS revision, true AS granted, NULL AS now_ms,
  NULL AS replay
FROM granted g`;
