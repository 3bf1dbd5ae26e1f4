import type { SqlSession } from '@solegate/postgres-infra';
import { checkWhole } from '../contract/checks.js';
import type { Page, PageRequest } from '../contract/ledger-entry.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import { selectRows } from '../sql/rows.js';

const PAGE_SIZE = 50;
const PAGE_SIZE_RANGE = [1, 1000] as const;
/** Most rows that one page looks at for conditions that its index does not answer. */
export const LOOK_MAX = 2500;

/** One kind of list, over rows `n`. */
export interface List {
  readonly kind: string;
  /** What to select of the rows of a page. */
  readonly select: string;
  readonly from: string;
  /** Outer joins to the page, once it is found. */
  readonly joins: string;
  /** Conditions, `?` being the value, that are answered by an index in the order of the list. */
  readonly indexed: Conditions;
  /** Other conditions. They are looked for among the next {@link LOOK_MAX} rows. */
  readonly looked?: Conditions;
  /** Whether the indexed conditions leave few rows: these are read before they are ordered. Default `false`. */
  readonly isShort?: boolean;
  /** Columns of `n` that order it, with their names in items; together they are the key in a cursor. */
  readonly order: Readonly<Record<string, string>>;
  /** Whether its last entries come first. Default `false`. */
  readonly isBackward?: boolean | undefined;
}

/** By field of the filter: text in which `?` is its value, or text in which it is a group of them. */
type Conditions = Readonly<
  Record<string, string | { readonly within: string; readonly conditions: Readonly<Record<string, string>> }>
>;

/**
 * Reads a page by the key of the entry before. It costs the same wherever it is: an index has the entries in the order of
 * the list, and what it cannot answer is looked for in a bounded number of rows. Then the page can be short, even empty,
 * and says where to continue.
 *
 * @throws InvalidRequestError
 */
export async function readPage<Item extends object>(
  session: SqlSession,
  list: List,
  filter: object,
  { first = PAGE_SIZE, after }: PageRequest = {},
): Promise<Page<Item>> {
  const size = checkWhole('first', first, PAGE_SIZE_RANGE);
  const { text, values } = statementOf(list, filter, { size, after });
  const found = await selectRows<Item & { readonly lookEnd?: readonly string[] }>(session, text, values);
  const [{ lookEnd } = {}] = found;
  const names = Object.values(list.order);
  const cursorAt = (key: readonly unknown[]): string =>
    Buffer.from(JSON.stringify([list.kind, ...key.map(String)])).toString('base64url');
  const cursorOf = (item: Item): string => cursorAt(names.map((name) => Reflect.get(item, name)));
  const items = found.filter((row) => Reflect.get(row, names[0] ?? '') !== undefined);
  for (const item of items) Reflect.deleteProperty(item, 'lookEnd');
  const shown = items.slice(0, size).map((item) => ({ item, cursor: cursorOf(item) }));
  const isFull = items.length > size;
  return {
    items: shown,
    hasNextPage: isFull || lookEnd !== undefined,
    endCursor: isFull || !lookEnd ? shown.at(-1)?.cursor : cursorAt(lookEnd),
  };
}

/** Reads one row more than the page holds, and in `lookEnd` the key at which a look that found less has ended. */
function statementOf(
  { kind, select, from, joins, indexed, looked = {}, isShort = false, order, isBackward = false }: List,
  filter: object,
  { size, after }: { readonly size: number; readonly after: string | undefined },
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const wanted = (conditions: Conditions): string[] =>
    Object.entries(conditions).flatMap(([name, condition]) => {
      if (typeof condition !== 'string') {
        const group = wanted(condition.conditions);
        return group.length === 0 ? [] : condition.within.replace('?', group.join(' AND '));
      }
      const value: unknown = Reflect.get(filter, name) ?? undefined;
      if (value === undefined || JSON.stringify(value) === '{}') return [];
      return condition.replace('?', place(typeof value === 'object' ? JSON.stringify(value) : value));
    });
  const keys = Object.keys(order);
  const byKey = `ORDER BY ${keys.map((key) => (isBackward ? `${key} DESC` : key)).join(', ')}`;
  const answered = wanted(indexed);
  const others = wanted(looked);
  const start = after === undefined ? undefined : readCursor(after, kind, keys.length).map(place);
  const later = start ? [`(${keys.join(', ')}) ${isBackward ? '<' : '>'} (${start.join(', ')})`] : [];
  const isBounded = others.length > 0 && !isShort;
  // OFFSET keeps the planner from reading the order's index for conditions that leave few rows.
  const rows = isShort
    ? `(SELECT n.* FROM ${from} ${whereOf(answered)} OFFSET 0) n ${whereOf([...later, ...others])} ${byKey}`
    : `${from} ${whereOf([...answered, ...later])} ${byKey}`;
  const page = isBounded
    ? `SELECT * FROM (SELECT n.* FROM ${rows} LIMIT ${LOOK_MAX}) n ${whereOf(others)} ${byKey} LIMIT ${size + 1}`
    : `SELECT n.* FROM ${rows} LIMIT ${size + 1}`;
  // Read from the index alone. A row, even if none is found, has the end of the look.
  const end = isBounded
    ? `CASE WHEN (SELECT count(*) FROM page) <= ${size} THEN (
        SELECT json_build_array(${keys.map((key) => `${key}::text`).join(', ')}) FROM ${rows} OFFSET ${LOOK_MAX - 1} LIMIT 1) END`
    : 'NULL';
  const text = `WITH page AS MATERIALIZED (${page}) SELECT ${select}, ${end} AS "lookEnd"
    FROM (SELECT) one LEFT JOIN page n ON true ${joins} ${byKey}`;
  return { text, values };
}

const whereOf = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';

/** Reads the key from a cursor, which starts with the kind of its list. @throws InvalidRequestError */
function readCursor(cursor: string, kind: string, length: number): string[] {
  try {
    const [ofKind, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    // A value that is none of the key's type would be an error of PostgreSQL.
    const readable = kind === 'number' ? /^\P{Cc}*$/u : /^\d{1,18}$/;
    const values = key.map(String);
    if (ofKind === kind && values.length === length && values.every((value) => readable.test(value)))
      return values;
  } catch {
    // Not even an array.
  }
  throw new InvalidRequestError('after', 'is not a cursor of this list');
}
