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
  const counters: RowOf<typeof counterColumns>[] = [];
  const items: RowOf<typeof itemColumns>[] = [];
  for (const draft of drafts) addRows(draft, counters, items);
  const arrays = [...arrayLiterals(counters, counterColumns), ...arrayLiterals(items, itemColumns)];
  const values = [id, rowWaitMs ?? null, server ?? null, ...arrays];
  return mark === undefined
    ? { name: 'doc_num_draw', text, values }
    : { text: textInTransaction, values: [...values, mark] };
}

/**
 * Adds the row of a draft's counter, with what all requests have that are printed alike (taken from the first), and a row
 * for each number wanted, without values that are equal to those of the counter's row.
 */
function addRows(
  { counterId, floor, expected, retryCount, items: wanted }: Draft,
  counters: RowOf<typeof counterColumns>[],
  items: RowOf<typeof itemColumns>[],
): void {
  const [first] = wanted;
  const { series, affixes, format, ceiling } = first.resolved;
  let [earliest, latest] = [first.resolved.date, first.resolved.date];
  for (const { resolved } of wanted) {
    if (resolved.date < earliest) earliest = resolved.date;
    if (resolved.date > latest) latest = resolved.date;
  }
  const itemCount = items.length;
  for (const { resolved, facts, count, waitedMs } of wanted) {
    const printed = resolved === first.resolved ? undefined : resolved;
    for (let part = 1; part <= count; part += 1) {
      items.push({
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
  counters.push({
    counter_ids: counterId,
    number_counts: items.length - itemCount,
    revisions: series.revision,
    business_dates: earliest,
    final_dates: latest === earliest ? undefined : latest,
    actors: first.facts.actor,
    prefixes: affixes.prefix,
    widths: format.width,
    suffixes: affixes.suffix,
    format_versions: format.facts.version,
    ceilings: ceiling,
    floors: floor,
    versions: expected?.version,
    retry_counts: retryCount,
  });
}

/** Named arguments, an array each, in the order of the table: `counter_ids => $4::bigint[], …`. */
export function placesOf(table: Columns, firstPlace: number): string {
  return Object.entries(table)
    .map(([name, type], index) => `${name} => $${firstPlace + index}::${type}[]`)
    .join(', ');
}

/**
 * Returns each column of a table as an array literal, or NULL if no row has a value. Batches pass thousands of values per
 * second; a driver inspecting the type of each would cost more than the rest of the call. Equal values in sequence are
 * escaped once. Only texts contain blanks, quotes, commas, braces or backslashes.
 */
export function arrayLiterals<Table extends Columns>(
  rows: readonly RowOf<Table>[],
  table: Table,
): (string | null)[] {
  const literals: (string | null)[] = [];
  for (const name in table) {
    const isText = table[name] === 'text';
    let elements = '';
    let lastValue: string | number | undefined;
    let lastElement = 'NULL';
    for (const row of rows.every((one) => one[name] === undefined) ? [] : rows) {
      const value = row[name];
      if (value !== lastValue) {
        lastValue = value;
        lastElement = isText ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value);
        if (value === undefined) lastElement = 'NULL';
      }
      elements += elements === '' ? lastElement : `,${lastElement}`;
    }
    literals.push(elements === '' ? null : `{${elements}}`);
  }
  return literals;
}
