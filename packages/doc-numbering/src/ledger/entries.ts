import type { SqlSession } from '@solegate/postgres-infra';
import { checkId } from '../contract/checks.js';
import { type Column, columnOf, type LedgerEntry, ledgerColumns } from '../contract/ledger-columns.js';
import type { LedgerFilter, Page, PageRequest } from '../contract/ledger-entry.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import { checkDate } from '../format/period.js';
import { selectRows } from '../sql/rows.js';
import { type List, readPage } from './pages.js';

const columns = Object.entries<Column<unknown> & { readonly from?: string; readonly isInternal?: true }>(
  ledgerColumns,
).filter(([, { isInternal }]) => !isInternal);

/** The properties of a {@link LedgerEntry}, in the order of the CSV. */
export const entryProperties = columns.map(([property]) => property) as readonly (keyof LedgerEntry)[];

/** {@link entryColumns}, with other SQL for some properties. */
export const entryColumnsWith = (others: { readonly [Name in keyof LedgerEntry]?: string }): string =>
  columns
    .map(([property, { from = 'n', name = columnOf(property), cast }]) => {
      const own = `${from}.${name}${cast ? `::${cast}` : ''}`;
      return `${others[property as keyof LedgerEntry] ?? own} AS "${property}"`;
    })
    .join(', ');

/** A {@link LedgerEntry} in SQL: `n` is document_numbers, `c` its counter, `s` its series. */
export const entryColumns = entryColumnsWith({});

/** What {@link entryColumns} need besides rows `n`. */
export const joins = `LEFT JOIN document_number_counters c ON c.id = n.counter_id
LEFT JOIN document_number_series s ON s.id = c.series_id`;

/** Tables for {@link entryColumns}. */
export const entryTables = `document_numbers n ${joins}`;

const SELECT_ENTRIES = `SELECT ${entryColumns} FROM ${entryTables}`;

/** Counters by what identifies them: a table that is small beside the ledger. */
const ofCounters = {
  within: `n.counter_id = ANY (ARRAY(
    SELECT c.id FROM document_number_counters c JOIN document_number_series s ON s.id = c.series_id WHERE ?))`,
  conditions: {
    counterId: 'c.id = ?',
    series: 's.code = ?',
    dimensions: 'c.dimensions::jsonb @> ?',
    period: 'c.period = ?',
  },
};
const ofSpace = { space: 'n.space = ?' };
const ofKey = { key: 'n.idempotency_key = ?' };
const ofDocument = { document: 'n.document = ?' };
const ofRow = {
  status: 'n.status = ?',
  actor: 'n.actor = ?',
  dateFrom: 'n.business_date >= ?',
  dateTo: 'n.business_date <= ?',
};
const byNumber = { kind: 'number', order: { 'n.space': 'space', 'n.number': 'number' } };
const bySequence = { kind: 'sequence', order: { 'n.counter_id': 'counterId', 'n.sequence': 'sequence' } };

/** How the ledger is read: in the order of an index that answers the condition which leaves the fewest rows. */
function wayOf(filter: LedgerFilter): Pick<List, 'kind' | 'order' | 'indexed' | 'looked' | 'isShort'> {
  const { space, key, document, number, spaces, status, dimensions = {}, newestFirst = false } = filter;
  const { status: ofStatus, ...others } = ofRow;
  if (number !== undefined) {
    // One probe of the index for each space; a space without a series has no numbers.
    const isAnywhere = space === undefined && spaces === undefined;
    const inSpaces = 'n.space = ANY (ARRAY(SELECT s.space FROM document_number_series s))';
    const indexed = {
      ...ofSpace,
      spaces: 'n.space = ANY (ARRAY(SELECT json_array_elements_text(?)))',
      number: isAnywhere ? `n.number = ? AND ${inSpaces}` : 'n.number = ?',
    };
    return { ...byNumber, indexed, looked: { ...ofRow, ...ofKey, ...ofDocument, ofCounters }, isShort: true };
  }
  if (key !== undefined) {
    const looked = { ...ofRow, ...ofDocument, ofCounters };
    return { ...byNumber, indexed: { ...ofSpace, ...ofKey }, looked, isShort: true };
  }
  if (document !== undefined) {
    const looked = { ...ofSpace, ...ofRow, ofCounters };
    return { ...byNumber, indexed: ofDocument, looked, isShort: true };
  }
  if (status !== undefined && status !== 'issued') {
    return { ...byNumber, indexed: { ...ofSpace, status: ofStatus }, looked: { ...others, ofCounters } };
  }
  const { counterId, series, period } = filter;
  const isOfCounters = [counterId, series, period, ...Object.values(dimensions)].some(
    (one) => one !== undefined,
  );
  if (isOfCounters || newestFirst) {
    const scope = { ...ofCounters, conditions: { ...ofCounters.conditions, space: 's.space = ?' } };
    return { ...bySequence, indexed: { scope }, looked: ofRow };
  }
  return space === undefined
    ? { ...bySequence, indexed: {}, looked: ofRow }
    : { ...byNumber, indexed: ofSpace, looked: ofRow };
}

/**
 * Lists the ledger: by number if the filter has a number, a key, a document, a status other than `issued`, or no more
 * than a space; else by counter and sequence.
 *
 * @throws InvalidRequestError
 */
export function listNumbers(
  session: SqlSession,
  filter: LedgerFilter,
  page?: PageRequest,
): Promise<Page<LedgerEntry>> {
  if (filter.key !== undefined && filter.space === undefined)
    throw new InvalidRequestError('space', 'is required with a key, which is unique only within its space');
  if (filter.spaces !== undefined && filter.number === undefined)
    throw new InvalidRequestError('number', 'is required with spaces');
  const checked = { ...filter, counterId: checkId('counterId', filter.counterId) };
  for (const name of ['dateFrom', 'dateTo'] as const) {
    if (filter[name] !== undefined) checkDate(name, filter[name]);
  }
  const way = { ...wayOf(filter), isBackward: filter.newestFirst };
  const list = { ...way, select: entryColumns, from: 'document_numbers n', joins };
  return readPage(session, list, checked, page);
}

export async function findByNumber(
  session: SqlSession,
  { space, number }: { readonly space: string; readonly number: string },
): Promise<LedgerEntry | undefined> {
  const text = `${SELECT_ENTRIES} WHERE n.space = $1 AND n.number = $2`;
  return (await selectRows<LedgerEntry>(session, text, [space, number]))[0];
}

export async function findNumbersById(
  session: SqlSession,
  ids: readonly (bigint | string)[],
): Promise<(LedgerEntry | undefined)[]> {
  const wanted = ids.map((id) => checkId('id', id));
  const text = `${SELECT_ENTRIES} WHERE n.id = ANY ($1::bigint[])`;
  const entries = await selectRows<LedgerEntry>(session, text, [wanted]);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return wanted.map((id) => byId.get(id));
}
