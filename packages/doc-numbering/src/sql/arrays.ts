/** PostgreSQL types by name. */
export type Columns = Readonly<Record<string, string>>;
export type RowOf<Table extends Columns> = { readonly [Name in keyof Table]: string | number | undefined };

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
