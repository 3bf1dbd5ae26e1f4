import type { Batch, Draft } from './counter-queue.js';

/*
 * What a draw sends to PostgreSQL: one table of columns for the counters of a batch, one for the numbers wanted from
 * them. The compiler checks each row against its table; a statement's text and its values are both built from these.
 */

export const counterColumns = {
  counter_id: 'bigint',
  version: 'bigint',
  number_count: 'bigint',
  floor: 'bigint',
  ceiling: 'bigint',
  revision: 'bigint',
  space: 'text',
  period: 'text',
  first_date: 'date',
  retry_count: 'int',
  prefix: 'text',
  suffix: 'text',
  width: 'int',
  format_version: 'int',
  business_date: 'date',
  actor: 'text',
} as const;

/** What the ledger records about a number besides its text. */
export const recordedColumns = {
  waited_ms: 'int',
  id: 'bigint',
  actor: 'text',
  document: 'text',
  reason: 'text',
} as const;

export const itemColumns = {
  ...recordedColumns,
  counter_id: 'bigint',
  ordinal: 'bigint',
  position: 'int',
  prefix: 'text',
  suffix: 'text',
  width: 'int',
  format_version: 'int',
  business_date: 'date',
  reservation: 'uuid',
  hold_ms: 'bigint',
  idempotency_key: 'text',
  key_part: 'int',
  fingerprint: 'text',
} as const;

/** Values shared by all requests that are printed alike, taken from the counter's first request. */
export function counterRow({ counter, issues, expected, retryCount }: Draft): RowOf<typeof counterColumns> {
  const [{ resolved, facts }] = issues;
  const { series, format } = resolved;
  return {
    counter_id: counter.counterId,
    version: expected?.version,
    number_count: issues.reduce((sum, { count }) => sum + count, 0),
    floor: counter.floor,
    ceiling: resolved.ceiling,
    revision: series.revision,
    space: series.space,
    period: resolved.period,
    first_date: series.dateOrder ? resolved.date : undefined,
    retry_count: retryCount,
    prefix: resolved.affixes.prefix,
    suffix: resolved.affixes.suffix,
    width: format.width,
    format_version: format.facts.version,
    business_date: resolved.date,
    actor: facts.actor,
  };
}

/** One row per wanted number; values equal to those in the counter's row are left out. */
export function itemRows({ drafts }: Batch): RowOf<typeof itemColumns>[] {
  const rows: RowOf<typeof itemColumns>[] = [];
  for (const { counter, issues } of drafts) {
    const [first] = issues;
    let ordinal = 0;
    for (const { resolved, facts, count, position, waitedMs } of issues) {
      const printed = resolved === first.resolved ? undefined : resolved;
      for (let part = 1; part <= count; part += 1) {
        ordinal += 1;
        rows.push({
          waited_ms: waitedMs,
          id: facts.id,
          actor: facts.actor === first.facts.actor ? undefined : facts.actor,
          document: facts.document,
          reason: facts.reason,
          counter_id: counter.counterId,
          ordinal,
          position: position + part - 1,
          prefix: printed?.affixes.prefix,
          suffix: printed?.affixes.suffix,
          width: printed?.format.width,
          format_version: printed?.format.facts.version,
          business_date: printed?.date,
          reservation: facts.reservation?.token,
          hold_ms: facts.reservation?.holdMs,
          idempotency_key: facts.key,
          key_part: facts.key === undefined ? undefined : part,
          fingerprint: facts.fingerprint,
        });
      }
    }
  }
  return rows;
}

/** PostgreSQL types by column name. */
type Columns = Readonly<Record<string, string>>;
export type RowOf<Table extends Columns> = { readonly [Name in keyof Table]: string | number | undefined };
/** Placeholders in a text, such as `$3::bigint`. */
type PlacesOf<Table extends Columns> = { readonly [Name in keyof Table]: string };

/** Parameters of one statement. Each call defines both a placeholder and its value, so the two cannot drift apart. */
export class Parameters<Input> {
  readonly #readers: ((input: Input) => readonly unknown[])[] = [];
  #count = 0;

  value(type: string, read: (input: Input) => unknown): string {
    this.#readers.push((input) => [read(input)]);
    this.#count += 1;
    return `$${this.#count}::${type}`;
  }

  /** One row: each column is a parameter. */
  row<Table extends Columns>(table: Table, read: (input: Input) => RowOf<Table>): PlacesOf<Table> {
    const names = Object.keys(table);
    this.#readers.push((input) => {
      const row = read(input);
      return names.map((name) => row[name]);
    });
    return this.#places(table, '');
  }

  /** Many rows: each column is an array. `unnest` takes the arrays as arguments, and `names` lists its columns. */
  rows<Table extends Columns>(
    table: Table,
    read: (input: Input) => readonly RowOf<Table>[],
  ): { readonly arrays: PlacesOf<Table>; readonly unnest: string; readonly names: string } {
    const names = Object.keys(table);
    this.#readers.push((input) => {
      const rows = read(input);
      return names.map((name) => arrayLiteral(rows, name, table[name] === 'text'));
    });
    const arrays = this.#places(table, '[]');
    return { arrays, unnest: `unnest(${Object.values(arrays).join(', ')})`, names: names.join(', ') };
  }

  values(input: Input): unknown[] {
    return this.#readers.flatMap((read) => read(input));
  }

  #places<Table extends Columns>(table: Table, suffix: string): PlacesOf<Table> {
    const places = Object.entries(table).map(([name, type]) => {
      this.#count += 1;
      return [name, `$${this.#count}::${type}${suffix}`];
    });
    return Object.fromEntries(places) as PlacesOf<Table>;
  }
}

/**
 * Returns a column as an array literal, or NULL if no row has a value: unnest then fills it with NULL. Batches pass
 * thousands of values per second; a driver inspecting the type of each would cost more than the rest of the call. Equal
 * texts in sequence are escaped once; other values contain no blanks, quotes, commas, braces or backslashes.
 */
function arrayLiteral(rows: readonly RowOf<Columns>[], name: string, isText: boolean): string | null {
  if (rows.every((row) => row[name] === undefined)) return null;
  let elements = '';
  let lastValue: string | number | undefined;
  let lastElement = 'NULL';
  for (const row of rows) {
    const value = row[name];
    if (value !== lastValue) {
      lastValue = value;
      lastElement = isText ? `"${String(value).replace(/["\\]/g, '\\$&')}"` : String(value);
      if (value === undefined) lastElement = 'NULL';
    }
    elements += elements === '' ? lastElement : `,${lastElement}`;
  }
  return `{${elements}}`;
}
