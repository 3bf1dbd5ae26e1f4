import type { Batch, Draft } from './draft.js';

/*
 * The call of document_number_draw_v1. Its arguments are two tables, one of the counters of a batch and one of the
 * numbers wanted from them; the compiler checks each row against its table, and text and values are built from both.
 */

/** PostgreSQL types by name. */
export type Columns = Readonly<Record<string, string>>;
export type RowOf<Table extends Columns> = { readonly [Name in keyof Table]: string | number | undefined };

const counterColumns = {
  counter_ids: 'bigint',
  number_counts: 'integer',
  revisions: 'bigint',
  business_dates: 'date',
  final_dates: 'date',
  actors: 'text',
  prefixes: 'text',
  widths: 'integer',
  suffixes: 'text',
  format_versions: 'integer',
  ceilings: 'bigint',
  floors: 'bigint',
  versions: 'bigint',
  retry_counts: 'integer',
} as const satisfies Columns;

const itemColumns = {
  item_waited_ms: 'integer',
  item_ids: 'bigint',
  item_documents: 'text',
  item_reasons: 'text',
  item_keys: 'text',
  item_key_parts: 'integer',
  item_fingerprints: 'text',
  item_reservations: 'uuid',
  item_hold_ms: 'bigint',
  item_prefixes: 'text',
  item_widths: 'integer',
  item_suffixes: 'text',
  item_format_versions: 'integer',
  item_business_dates: 'date',
  item_actors: 'text',
} as const satisfies Columns;

const call = `document_number_draw_v1(batch => $1::uuid, wait_ms => $2::integer, server => $3::text,
  ${placesOf({ ...counterColumns, ...itemColumns }, 4)})`;

const text = `SELECT ${call} AS reply`;

/** Setting of a transaction that draws: a value that another transaction does not have. */
export const TRANSACTION_MARK = 'document_number.transaction';

const placeCount = 3 + Object.keys(counterColumns).length + Object.keys(itemColumns).length;

const textInTransaction = `
SELECT CASE WHEN current_setting('${TRANSACTION_MARK}', true) = $${placeCount + 1} THEN ${call} END AS reply`;

/** @param mark of the transaction in which alone to draw; in any other, the reply is NULL */
export function drawStatement({ id, drafts, server, rowWaitMs }: Batch, mark?: string) {
  const counters = drafts.map(counterRow);
  const items = drafts.flatMap(itemRows);
  const values = [
    id,
    rowWaitMs ?? null,
    server ?? null,
    ...Object.entries(counterColumns).map(([name, type]) => arrayLiteral(counters, name, type)),
    ...Object.entries(itemColumns).map(([name, type]) => arrayLiteral(items, name, type)),
  ];
  return mark === undefined
    ? { name: 'doc_num_draw', text, values }
    : { text: textInTransaction, values: [...values, mark] };
}

/** Values shared by all requests that are printed alike, taken from the draft's first request. */
function counterRow({ counterId, floor, expected, retryCount, items }: Draft): RowOf<typeof counterColumns> {
  const [{ resolved, facts }] = items;
  const earliest = earliestDate(items);
  let latest = earliest;
  for (const one of items) if (one.resolved.date > latest) latest = one.resolved.date;
  return {
    counter_ids: counterId,
    number_counts: items.reduce((sum, { count }) => sum + count, 0),
    revisions: resolved.series.revision,
    business_dates: earliest,
    final_dates: latest === earliest ? undefined : latest,
    actors: facts.actor,
    prefixes: resolved.affixes.prefix,
    widths: resolved.format.width,
    suffixes: resolved.affixes.suffix,
    format_versions: resolved.format.facts.version,
    ceilings: resolved.ceiling,
    floors: floor,
    versions: expected?.version,
    retry_counts: retryCount,
  };
}

/** One row per wanted number; values equal to those in the counter's row are left out. */
function itemRows({ items }: Draft): RowOf<typeof itemColumns>[] {
  const rows: RowOf<typeof itemColumns>[] = [];
  const [first] = items;
  const earliest = earliestDate(items);
  for (const { resolved, facts, count, waitedMs } of items) {
    const printed = resolved === first.resolved ? undefined : resolved;
    for (let part = 1; part <= count; part += 1) {
      rows.push({
        item_waited_ms: waitedMs,
        item_ids: facts.id,
        item_documents: facts.document,
        item_reasons: facts.reason,
        item_keys: facts.key,
        item_key_parts: facts.key === undefined ? undefined : part,
        item_fingerprints: facts.fingerprint,
        item_reservations: facts.reservation?.token,
        item_hold_ms: facts.reservation?.holdMs,
        item_prefixes: printed?.affixes.prefix,
        item_widths: printed?.format.width,
        item_suffixes: printed?.affixes.suffix,
        item_format_versions: printed?.format.facts.version,
        item_business_dates: resolved.date === earliest ? undefined : resolved.date,
        item_actors: facts.actor === first.facts.actor ? undefined : facts.actor,
      });
    }
  }
  return rows;
}

function earliestDate(items: Draft['items']): string {
  let earliest = items[0].resolved.date;
  for (const { resolved } of items) if (resolved.date < earliest) earliest = resolved.date;
  return earliest;
}

/** Named arguments, an array each, in the order of the table: `counter_ids => $4::bigint[], …`. */
export function placesOf(table: Columns, firstPlace: number): string {
  return Object.entries(table)
    .map(([name, type], index) => `${name} => $${firstPlace + index}::${type}[]`)
    .join(', ');
}

/**
 * Returns a column as an array literal, or NULL if no row has a value. Batches pass thousands of values per second; a
 * driver inspecting the type of each would cost more than the rest of the call. Equal texts in sequence are escaped
 * once; other values contain no blanks, quotes, commas, braces or backslashes.
 */
export function arrayLiteral(rows: readonly RowOf<Columns>[], name: string, type: string): string | null {
  if (rows.every((row) => row[name] === undefined)) return null;
  let elements = '';
  let lastValue: string | number | undefined;
  let lastElement = 'NULL';
  for (const row of rows) {
    const value = row[name];
    if (value !== lastValue) {
      lastValue = value;
      lastElement = type === 'text' ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value);
      if (value === undefined) lastElement = 'NULL';
    }
    elements += elements === '' ? lastElement : `,${lastElement}`;
  }
  return `{${elements}}`;
}
