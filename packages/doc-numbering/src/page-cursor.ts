import { checkWhole } from './check-request.js';
import type { Page, PageRequest } from './ledger-entry.js';
import { InvalidRequestError } from './numbering-error.js';

const pageSizeDefault = 50;
const pageSizeMax = 1000;

/** Where a page begins: the key of the entry before it, as text. */
export interface PageStart {
  readonly first: number;
  readonly after: readonly string[] | undefined;
}

/** @throws InvalidRequestError for a size out of range or a cursor that is not of this kind of page */
export function readPage(page: PageRequest | undefined, kind: string): PageStart {
  const first = checkWhole('first', page?.first ?? pageSizeDefault, [1, pageSizeMax]);
  return { first, after: page?.after === undefined ? undefined : readCursor(page.after, kind) };
}

/** A page of at most `first` items out of one more, so that no second statement has to count. */
export function toPage<Item>(
  items: readonly Item[],
  { first }: PageStart,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const shown = items.slice(0, first);
  return {
    items: shown.map((item) => ({ item, cursor: cursorOf(item) })),
    hasNextPage: items.length > first,
  };
}

/** Opaque for callers: the kind of page and the key. */
export function writeCursor(kind: string, key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([kind, ...key.map(String)])).toString('base64url');
}

function readCursor(cursor: string, kind: string): string[] {
  const refusal = new InvalidRequestError('after', 'is not a cursor of this list');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refusal;
  }
  const texts = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [];
  if (texts.length < 2 || texts[0] !== kind) throw refusal;
  return texts.slice(1);
}
