import { randomUUID } from 'node:crypto';
import { PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import { checkId, checkOptionalText, checkText, checkWhole } from '../contract/checks.js';
import { InvalidRequestError } from '../contract/numbering-error.js';
import type { ImportedNumber, NumberStatus } from '../contract/requests.js';
import { readAnother, type SeriesFormat } from '../format/read-number.js';
import { openCounters } from '../issue/counter-floors.js';
import type { CounterAddress, ResolvedRequest } from '../request/resolved-request.js';
import { selectRows } from '../sql/rows.js';

const LOCK_COUNTERS = `
SELECT concat_ws(E'\\n', c.series_id, c.dimensions, c.period) AS key, c.id::text AS "counterId",
  c.last_number::float8 AS last, c.first_number::float8 AS first, c.last_date::text AS "lastDate", c.version::float8,
  s.revision::float8
FROM document_number_counters c
JOIN document_number_series s ON s.id = c.series_id
WHERE c.id = ANY ($1::bigint[])
ORDER BY c.id
FOR NO KEY UPDATE OF c`;

/** The position of a counter that is locked until the end of the transaction. */
export interface LockedCounter {
  readonly key: string;
  readonly counterId: string;
  readonly last: number;
  readonly first: number;
  readonly lastDate: string | undefined;
  readonly version: number;
  readonly revision: number;
}

/** Locks counters in id order and returns them in that order; creates those that do not exist. */
export async function lockAddresses(
  session: SqlSession,
  addresses: readonly CounterAddress[],
): Promise<LockedCounter[]> {
  const { counters } = await openCounters(session, addresses);
  const ids = [...counters.values()].map(({ counterId }) => counterId);
  return selectRows<LockedCounter>(session, LOCK_COUNTERS, [ids]);
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
  readonly counterId: string;
  readonly address: CounterAddress;
  readonly actor: string;
  readonly numbers: readonly KnownNumber[];
  /** Default: a new one. */
  readonly batch?: string;
  /**
   * Default `false`: a skipped number whose text is taken is refused. It would block its counter permanently, although
   * no one got it; with `true`, its row's text names its counter instead.
   */
  readonly passesTaken?: boolean;
}

const RECORD = `
INSERT INTO document_numbers (counter_id, space, period, actor, batch, sequence, number, status, format_version,
  business_date, document, id, reason)
SELECT $1::bigint, $2::text, $3, $4, $5, r.sequence,
  CASE WHEN $7::boolean AND r.status = 'cancelled'
    AND EXISTS (SELECT FROM document_numbers_all n WHERE n.space = $2::text AND n.number = r.number)
  THEN r.number || ' (skipped, counter ' || $1::bigint || ')' ELSE r.number END,
  r.status, r."formatVersion", r.date, r.document, r.id, r.reason
FROM json_to_recordset($6::json) AS r (sequence bigint, number text, status text, "formatVersion" int, date date,
  document text, id bigint, reason text)`;

/** Writes known numbers of a locked counter: its next ones without a hole, or some of the manual interval. */
export async function recordNumbers(
  session: SqlSession,
  { counterId, address: { series, period }, actor, numbers, ...request }: RecordRequest,
): Promise<void> {
  const { batch = randomUUID(), passesTaken = false } = request;
  const values = [counterId, series.space, period, actor, batch, JSON.stringify(numbers), passesTaken];
  await session.query({ text: RECORD, values });
}

/** Runs a part of a transaction; if a number, id or key is already in the ledger, undoes it and returns false. */
export async function runUnlessTaken(session: SqlSession, work: () => Promise<void>): Promise<boolean> {
  await session.query({ text: 'SAVEPOINT doc_num_known', values: [] });
  try {
    await work();
    return true;
  } catch (error) {
    const isTaken = error instanceof PostgresFailure && error.constraint !== undefined;
    if (!isTaken || error.kind !== 'CONFLICT') throw error;
    await session.query({ text: 'ROLLBACK TO SAVEPOINT doc_num_known', values: [] });
    return false;
  }
}
