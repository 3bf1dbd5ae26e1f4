import { columnOf, type LedgerEntry } from '../contract/ledger-columns.js';
import type { LedgerFilter, Page, PageRequest } from '../contract/ledger-entry.js';
import { entryProperties } from './entries.js';

/** Entries in a chunk: other work of the process runs after each. */
const CSV_PAGE = 500;

/** Yields the ledger as CSV, one chunk per page, so that memory stays bounded. */
export async function* exportCsv(
  filter: LedgerFilter,
  list: (filter: LedgerFilter, page: PageRequest) => Promise<Page<LedgerEntry>>,
): AsyncGenerator<string> {
  yield `${entryProperties.map(columnOf).join(',')}\r\n`;
  let after: string | undefined;
  for (;;) {
    const page = await list(filter, { first: CSV_PAGE, ...(after === undefined ? {} : { after }) });
    const lines = page.items.map(({ item }) => entryProperties.map((name) => toCell(item[name])).join(','));
    if (lines.length > 0) yield lines.map((line) => `${line}\r\n`).join('');
    after = page.endCursor;
    if (!page.hasNextPage) return;
  }
}

/** Formats a cell by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function toCell(value: LedgerEntry[keyof LedgerEntry]): string {
  if (value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  const codes = typeof value === 'string' ? [value] : Object.entries(value).map((code) => code.join('='));
  const text = codes.join(' ').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
