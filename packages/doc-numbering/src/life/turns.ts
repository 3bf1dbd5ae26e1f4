import { setImmediate as turn } from 'node:timers/promises';
import { arrayLiterals, type Columns, type RowOf } from '../draw/draw-statement.js';

/** Most rows that are handled before other work of the process runs. */
const TURN_ROWS = 500;

/** Handles items one after another, and lets other work of the process run after every 500. */
export async function inTurns<Item>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => void,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    work(item, count);
    count += 1;
    if (count % TURN_ROWS === 0) await turn();
  }
}

/** Returns the literals of {@link arrayLiterals} for many items. */
export async function literalsInTurns<Item, Table extends Columns>(
  items: readonly Item[],
  toRow: (item: Item) => RowOf<Table>,
  table: Table,
): Promise<(string | null)[]> {
  const parts: (string | null)[][] = Object.keys(table).map(() => []);
  const counts: number[] = [];
  for (let from = 0; from < items.length; from += TURN_ROWS) {
    const rows = items.slice(from, from + TURN_ROWS).map(toRow);
    counts.push(rows.length);
    for (const [index, literal] of arrayLiterals(rows, table).entries()) parts[index]?.push(literal);
    await turn();
  }
  return parts.map((literals) => {
    if (literals.every((literal) => literal === null)) return null;
    const elements = literals.map((literal, index) =>
      literal === null ? Array(counts[index]).fill('NULL').join(',') : literal.slice(1, -1),
    );
    return `{${elements.join(',')}}`;
  });
}
