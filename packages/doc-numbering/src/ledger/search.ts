import type { SqlSession } from '@solegate/postgres-infra';
import { checkOptionalText, checkText, checkWhole } from '../contract/checks.js';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import type { FoundNumbers, NumberSearch } from '../contract/ledger-entry.js';
import { checkDate } from '../format/period.js';
import { selectRows } from '../sql/rows.js';
import { entryColumns, joins } from './entries.js';

/** Most numbers with one text that a search looks at. */
const FOUND_MAX = 1000;
/** Counters whose number of a sequence is looked up: those that began last. */
const COUNTERS_MAX = 2500;
const PAGE_SIZE = 50;

/** After every text that begins with `head`. */
const endOf = (head: string): string => `${head} || chr(1114111)`;
const newestFirst = 'ORDER BY n.issued_at DESC, n.counter_id DESC, n.sequence DESC';

/**
 * A search in any case, by indexes that issuing needs anyway. `walk` follows the unique index of numbers one letter at a
 * time, in each case that it has, and ends where no number goes on; so it costs a few probes for each letter and space,
 * and no index of its own. Every probe is limited, so that it remains one whatever the planner estimates.
 *
 * Arguments: spaces or NULL; for each letter its cases; sequence or NULL; document; status, actor, first and last date
 * or NULL; entries to skip and to return.
 */
const SEARCH = `WITH RECURSIVE spaces AS MATERIALIZED (
    SELECT DISTINCT s.space FROM document_number_series s
    WHERE $1::json IS NULL OR s.space IN (SELECT json_array_elements_text($1))
  ), walk AS (
    SELECT s.space, '' COLLATE "C" AS head, 0 AS length FROM spaces s
    UNION ALL
    SELECT w.space, w.head || v.letter, w.length + 1
    FROM walk w CROSS JOIN json_array_elements_text($2::json -> w.length) v(letter)
    CROSS JOIN LATERAL (
      SELECT FROM document_numbers n WHERE n.space = w.space
        AND n.number >= w.head || v.letter AND n.number < ${endOf('w.head || v.letter')} LIMIT 1
    ) one
  ), found AS MATERIALIZED (
    SELECT * FROM (
      SELECT n.* FROM walk w CROSS JOIN LATERAL (
        SELECT * FROM document_numbers n WHERE n.space = w.space AND n.number >= w.head AND n.number < ${endOf('w.head')}
        ORDER BY n.space DESC, n.number DESC LIMIT ${FOUND_MAX + 1}
      ) n WHERE w.length = json_array_length($2::json)
      UNION
      SELECT n.* FROM (
        SELECT c.id FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id
        WHERE $3::bigint IS NOT NULL AND s.space IN (SELECT space FROM spaces) ORDER BY c.id DESC LIMIT ${COUNTERS_MAX}
      ) c CROSS JOIN LATERAL (
        SELECT * FROM document_numbers n WHERE n.counter_id = c.id AND n.sequence = $3 LIMIT 1
      ) n
      UNION
      SELECT n.* FROM (SELECT * FROM document_numbers n WHERE n.document = $4 LIMIT ${FOUND_MAX + 1}) n
      WHERE n.space IN (SELECT space FROM spaces)
    ) n LIMIT ${FOUND_MAX + 1}
  ), page AS MATERIALIZED (
    SELECT n.*, count(*) OVER () AS total FROM found n
    WHERE ($5::text IS NULL OR n.status = $5) AND ($6::text IS NULL OR n.actor = $6)
      AND ($7::date IS NULL OR n.business_date >= $7) AND ($8::date IS NULL OR n.business_date <= $8)
    ${newestFirst} OFFSET $9 LIMIT $10
  )
  SELECT ${entryColumns}, n.total::float8 AS total, (SELECT count(*) FROM found) > ${FOUND_MAX} AS "isMore"
  FROM (SELECT) one LEFT JOIN page n ON true ${joins} ${newestFirst}`;

/** Finds numbers by what a person remembers of them. @throws InvalidRequestError */
export async function searchNumbers(session: SqlSession, search: NumberSearch): Promise<FoundNumbers> {
  const { spaces, status, dateFrom, dateTo, first: size = PAGE_SIZE, skip = 0 } = search;
  const text = checkText('text', search.text, 100);
  const actor = checkOptionalText('actor', search.actor, 200);
  if (dateFrom !== undefined) checkDate('dateFrom', dateFrom);
  if (dateTo !== undefined) checkDate('dateTo', dateTo);
  const letters = Array.from(text, (letter) => [
    ...new Set([letter, letter.toUpperCase(), letter.toLowerCase()]),
  ]);
  const rows = await selectRows<LedgerEntry & { readonly total?: number; readonly isMore: boolean }>(
    session,
    SEARCH,
    [
      spaces === undefined ? null : JSON.stringify(spaces),
      JSON.stringify(letters),
      /^\d{1,15}$/.test(text) ? text : null,
      text,
      ...[status, actor, dateFrom, dateTo].map((condition) => condition ?? null),
      checkWhole('skip', skip, [0, FOUND_MAX]),
      checkWhole('first', size, [1, FOUND_MAX]),
    ],
  );
  const [first] = rows;
  const entries = rows.filter((row) => row.number !== undefined);
  const facts = { total: Math.min(first?.total ?? 0, FOUND_MAX), isMore: first?.isMore === true };
  for (const entry of entries) for (const name of Object.keys(facts)) Reflect.deleteProperty(entry, name);
  return { entries, ...facts };
}
