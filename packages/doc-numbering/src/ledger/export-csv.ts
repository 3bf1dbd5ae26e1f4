import type { LedgerEntry, LedgerFilter, Page, PageRequest } from '../contract/ledger-entry.js';

type Cell = string | number | Date | undefined;

const columns: readonly (readonly [string, (entry: LedgerEntry) => Cell])[] = [
  ['id', (entry) => entry.id],
  ['space', (entry) => entry.space],
  ['series', (entry) => entry.series],
  ['dimensions', (entry) => codesText(entry.dimensions)],
  ['period', (entry) => entry.period],
  ['sequence', (entry) => entry.sequence],
  ['number', (entry) => entry.number],
  ['status', (entry) => entry.status],
  ['date', (entry) => entry.date],
  ['format_version', (entry) => entry.formatVersion],
  ['document', (entry) => entry.document],
  ['actor', (entry) => entry.actor],
  ['reason', (entry) => entry.reason],
  ['replaced_by', (entry) => entry.replacedBy],
  ['key', (entry) => entry.key],
  ['batch', (entry) => entry.batch],
  ['guard', (entry) => entry.guard],
  ['waited_ms', (entry) => entry.waitedMs],
  ['retry_count', (entry) => entry.retryCount],
  ['issued_at', (entry) => entry.issuedAt],
  ['expires_at', (entry) => entry.expiresAt],
];

type ListNumbers = (filter: LedgerFilter, page: PageRequest) => Promise<Page<LedgerEntry>>;

const pageSize = 1000;

/** The ledger as CSV, a piece a page: memory stays bounded however long it is. */
export async function* exportCsv(filter: LedgerFilter, listNumbers: ListNumbers): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`;
  let after: string | undefined;
  for (;;) {
    const page = await listNumbers(filter, {
      first: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    const lines = page.items.map(
      ({ item }) => `${columns.map(([, read]) => toCell(read(item))).join(',')}\r\n`,
    );
    if (lines.length > 0) yield lines.join('');
    after = page.items.at(-1)?.cursor;
    if (!page.hasNextPage) return;
  }
}

const codesText = (codes: Readonly<Record<string, string>>): string =>
  Object.entries(codes)
    .map(([token, code]) => `${token}=${code}`)
    .join(' ');

/** RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function toCell(value: Cell): string {
  if (value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
