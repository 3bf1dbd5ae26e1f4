import { type Column, Parameters } from '../sql/parameters.js';
import type { Draft, PendingIssue } from './draft.js';
import { COUNTER_COLUMNS, type DrawInput, firstOf, itemsOf, RECORDED_COLUMNS } from './draw-columns.js';
import { beginning, type DrawStatement, ending, isExpectedServer } from './draw-statement.js';

/**
 * For numbers of one counter that are printed alike, without keys: the same decision, up to a third quicker. A counter that
 * is not granted gives no position; the batch statement is then asked why.
 */
function runStatement(): DrawStatement {
  const parameters = new Parameters<DrawInput>();
  const of = (read: (draft: Draft, issue: PendingIssue) => unknown) => (input: DrawInput) => {
    const draft = input.batch.drafts[0] as Draft;
    return read(draft, firstOf(draft));
  };
  const counter = (name: string): string => {
    const column = COUNTER_COLUMNS.find((one) => one.name === name) as Column<Draft>;
    return parameters.value(column.type, of(column.of));
  };
  const version = counter('version');
  const firstDate = counter('first_date');
  const width = counter('width');
  const count = counter('number_count');
  const batchId = parameters.value('uuid', ({ batch }) => batch.id);
  const items = parameters.rows('u', RECORDED_COLUMNS, itemsOf);
  const names = RECORDED_COLUMNS.map(({ name }) => name).join(', ');
  const text = `WITH${beginning(parameters)},
granted AS MATERIALIZED (
  SELECT c.id, c.last_number, c.version, c.last_date, s.revision
  FROM limits k, document_number_counters c
  JOIN document_number_series s ON s.id = c.series_id
  WHERE c.id = ${counter('counter_id')}
    AND (${version} IS NULL OR c.version = ${version})
    AND s.revision = ${counter('revision')}
    AND c.last_number >= ${counter('floor')}
    AND c.last_number + ${count} <= ${counter('ceiling')}
    AND (${firstDate} IS NULL OR c.last_date IS NULL OR c.last_date <= ${firstDate})
    AND ${isExpectedServer(parameters)}
  FOR NO KEY UPDATE OF c
),
recorded AS (
  INSERT INTO document_numbers (counter_id, sequence, id, batch, batch_position, waited_ms, retry_count,
    format_version, business_date, batch_head, status, guard, space, number, period, actor, document, reason)
  SELECT g.id, g.last_number + i.ordinal, i.id, ${batchId}, i.ordinal, i.waited_ms, ${counter('retry_count')},
    ${counter('format_version')}, ${counter('business_date')}, i.ordinal = 1, 'issued',
    CASE WHEN ${version} IS NULL THEN 'row' ELSE 'redis+version' END, ${counter('space')},
    ${counter('prefix')}
      || lpad((g.last_number + i.ordinal)::text, greatest(${width}, length((g.last_number + i.ordinal)::text)), '0')
      || ${counter('suffix')},
    ${counter('period')}, coalesce(i.actor, ${counter('actor')}), i.document, i.reason
  FROM granted g,
    ${items.from.replace(/ AS u \(.*\)$/, '')} WITH ORDINALITY AS i (${names}, ordinal)
)
SELECT g.id, g.last_number, g.version, g.last_date::text, g.revision, g.id IS NOT NULL AS granted, NULL AS now_ms,
  ${ending(parameters)}, NULL AS replay
FROM limits k
LEFT JOIN granted g ON true`;
  return { name: 'doc_num_draw_run', text, values: (input) => parameters.values(input) };
}

export const drawRun = runStatement();
