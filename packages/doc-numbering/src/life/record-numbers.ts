import { type Deadline, PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import { checkId, checkOptionalText, checkText, checkWhole } from '../contract/checks.js';
import type { NumberStatus } from '../contract/ledger-columns.js';
import { BusyError, InvalidRequestError } from '../contract/numbering-error.js';
import type { ImportedNumber } from '../contract/requests.js';
import { newBatchId } from '../draw/commit-batch.js';
import { type Columns, placesOf, type RowOf } from '../draw/draw-statement.js';
import { readAnother, type SeriesFormat } from '../format/read-number.js';
import { type OpenedCounter, openCounters } from '../issue/counter-floors.js';
import type { CounterAddress, ResolvedRequest } from '../request/resolved-request.js';
import { callFunction } from '../sql/rows.js';
import { literalsInTurns } from './turns.js';

/** Locks counters in id order until the end of the transaction; creates those that do not exist. */
export function lockAddresses(
  session: SqlSession,
  addresses: readonly CounterAddress[],
  deadline: Deadline,
): Promise<OpenedCounter[]> {
  return openCounters(session, addresses, deadline, { locks: true });
}

/** A number that is recorded rather than drawn: assigned, skipped or imported. */
export interface KnownNumber {
  readonly sequence: number;
  readonly number: string;
  readonly status: NumberStatus;
  readonly formatVersion: number | undefined;
  readonly date: string;
  readonly document?: string | undefined;
  readonly id?: string | undefined;
  readonly reason?: string | undefined;
}

/** A number as its format prints it. */
export function toKnown(
  { format, affixes, date }: ResolvedRequest,
  facts: Pick<KnownNumber, 'sequence' | 'status' | 'reason'>,
): KnownNumber {
  const number = format.render(affixes, facts.sequence);
  return { ...facts, number, formatVersion: format.facts.version, date };
}

/** A number that another system issued. @throws InvalidRequestError if a format prints its text for another number */
export function toImported(
  row: ImportedNumber,
  resolved: ResolvedRequest,
  formats: readonly SeriesFormat[],
): KnownNumber {
  const { series, ceiling, dimensions, period } = resolved;
  const sequence = checkWhole('sequence', row.sequence, [series.startAt, ceiling]);
  const printed = toKnown(resolved, { sequence, status: 'imported' });
  const document = checkOptionalText('document', row.document, 200);
  const known = { ...printed, document, id: checkId('id', row.id) };
  if (row.number === undefined || row.number === printed.number) return known;
  const number = checkText('number', row.number, 200);
  const place = { seriesId: series.id, dimensions, period, sequence };
  for (const printing of formats) {
    const read = readAnother(printing, number, place);
    if (!read) continue;
    const { template } = printing.format.facts;
    const what = `"${template}" of ${printing.series.series} prints for sequence ${read.sequence}`;
    throw new InvalidRequestError('number', `"${number}" is what ${what}`);
  }
  return { ...known, number, formatVersion: undefined };
}

export interface RecordRequest {
  readonly event: 'number_assigned' | 'numbers_skipped' | 'numbers_imported';
  readonly counterId: string;
  readonly address: CounterAddress;
  readonly actor: string;
  readonly reason: string | undefined;
  readonly numbers: readonly KnownNumber[];
  /** Default: a new one. */
  readonly batch?: string;
  /**
   * Default `false`: a skipped number whose text is taken is refused. It would block its counter permanently, although
   * no one got it; with `true`, its row's text names its counter instead.
   */
  readonly passesTaken?: boolean;
}

const columns = {
  sequences: 'bigint',
  numbers: 'text',
  statuses: 'text',
  format_versions: 'integer',
  business_dates: 'date',
  documents: 'text',
  ids: 'bigint',
  reasons: 'text',
} as const satisfies Columns;

const RECORD = `document_number_record_v1(event => $1, counter_id => $2, revision => $3, batch => $4, actor => $5,
  reason => $6, passes_taken => $7, ${placesOf(columns, 8)})`;

const toRow = (known: KnownNumber): RowOf<typeof columns> => ({
  sequences: known.sequence,
  numbers: known.number,
  statuses: known.status,
  format_versions: known.formatVersion,
  business_dates: known.date,
  documents: known.document,
  ids: known.id,
  reasons: known.reason,
});

/** Writes known numbers of a locked counter: its next ones without a hole, or some of the manual interval. */
export async function recordNumbers(session: SqlSession, request: RecordRequest): Promise<void> {
  const { event, counterId, address, actor, reason, numbers } = request;
  const { batch = newBatchId(), passesTaken = false } = request;
  const arrays = await literalsInTurns(numbers, toRow, columns);
  const facts = [event, counterId, address.series.revision, batch, actor, reason ?? null, passesTaken];
  const verdict = await callFunction<string>(session, RECORD, [...facts, ...arrays]);
  if (verdict === 'RULES_CHANGED') throw new BusyError();
  if (verdict !== 'RECORDED') throw new Error(`the numbers of counter ${counterId} were ${verdict}`);
}

/** Runs a part of a transaction; if a number or an id is already in the ledger, undoes it and returns that failure. */
export async function runUnlessTaken(
  session: SqlSession,
  work: () => Promise<void>,
): Promise<PostgresFailure | undefined> {
  await session.query({ text: 'SAVEPOINT doc_num_known', values: [] });
  try {
    await work();
    return undefined;
  } catch (error) {
    const isTaken = error instanceof PostgresFailure && error.constraint !== undefined;
    if (!isTaken || error.kind !== 'CONFLICT') throw error;
    await session.query({ text: 'ROLLBACK TO SAVEPOINT doc_num_known', values: [] });
    return error;
  }
}
