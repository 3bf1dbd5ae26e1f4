type Value = string | number | undefined;

/** One column of rows that a statement is given: how SQL calls it, and where its values come from. */
export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  readonly of: (row: Row) => Value;
}

/** Rows in the text of a statement. */
export interface RowsSource {
  /** For FROM: `unnest(…) AS alias (…)`. */
  readonly from: string;
  /** The array of one column, such as `$3::bigint[]`. */
  array(column: string): string;
}

/**
 * The parameters of one statement, each written once: what gives it its place in the text also gives its value, so that no
 * number in the text can drift from the array of values.
 */
export class Parameters<Input> {
  readonly #readers: ((input: Input, into: unknown[]) => void)[] = [];
  #count = 0;

  /** @returns its place in the text, such as `$3::bigint` */
  value(type: string, of: (input: Input) => unknown): string {
    this.#readers.push((input, into) => into.push(of(input) ?? null));
    return this.#place(type);
  }

  /** Each column is an array parameter. */
  rows<Row>(
    alias: string,
    columns: readonly Column<Row>[],
    of: (input: Input) => readonly Row[],
  ): RowsSource {
    const places = new Map(columns.map(({ name, type }) => [name, this.#place(`${type}[]`)]));
    this.#readers.push((input, into) => {
      const rows = of(input);
      for (const column of columns) into.push(literalOf(column, rows));
    });
    const names = columns.map(({ name }) => name).join(', ');
    return {
      from: `unnest(${[...places.values()].join(', ')}) AS ${alias} (${names})`,
      array: (column) => places.get(column) ?? '',
    };
  }

  values(input: Input): unknown[] {
    const values: unknown[] = [];
    for (const read of this.#readers) read(input, values);
    return values;
  }

  #place(type: string): string {
    this.#count += 1;
    return `$${this.#count}::${type}`;
  }
}

function literalOf<Row>({ type, of }: Column<Row>, rows: readonly Row[]): string | null {
  const array = new LiteralArray();
  if (type === 'text') for (const row of rows) array.text(of(row) as string | undefined);
  else for (const row of rows) array.plain(of(row));
  return array.literalOrNull();
}

/**
 * An array for PostgreSQL, written as its literal. Batches pass thousands of values a second; a driver that looks at the
 * type of each would cost more than the rest of the call. An element that equals the one before is escaped once.
 */
export class LiteralArray {
  #elements = '';
  /** Elements without a value before the first that has one; a column that nobody uses costs no text. */
  #blankCount = 0;
  #lastText: string | undefined;
  #lastElement = '';

  /** A number, date, uuid or other value without blanks, quotes, commas, braces or backslashes. */
  plain(value: string | number | undefined): void {
    this.#add(value);
  }

  text(value: string | undefined): void {
    if (value !== undefined && value !== this.#lastText) {
      this.#lastText = value;
      this.#lastElement = `"${value.replace(/["\\]/g, '\\$&')}"`;
    }
    this.#add(value === undefined ? undefined : this.#lastElement);
  }

  literal(): string {
    return `{${this.#elements === '' ? 'NULL,'.repeat(this.#blankCount).slice(0, -1) : this.#elements}}`;
  }

  /** The literal, or NULL when no element has a value: unnest then fills its column with NULL. */
  literalOrNull(): string | null {
    return this.#elements === '' ? null : this.literal();
  }

  #add(element: string | number | undefined): void {
    if (this.#elements !== '') this.#elements += `,${element ?? 'NULL'}`;
    else if (element === undefined) this.#blankCount += 1;
    else this.#elements = `${'NULL,'.repeat(this.#blankCount)}${element}`;
  }
}
