import { EntitySchema } from 'typeorm';
import {
  big,
  type Column,
  columnOf,
  date,
  flag,
  key,
  ledgerColumns,
  moment,
  of,
  optional,
  plainText,
  text,
  uuid,
  whole,
} from '../contract/ledger-columns.js';
import type { Reset, SeriesDimension } from '../contract/series.js';

/*
 * This package's numbered SQL files create the tables with all their constraints, indexes and triggers. These
 * schemas map them for reading and joining; `synchronize` never touches them. Changes go through a Numbering.
 *
 * Properties are columns in camel case. Identifiers and sequences are decimal text, as TypeORM reads BIGINT.
 */

type RecordOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Stored, unknown> ? Stored : never;
};

function entity<Columns extends Record<string, Column<unknown>>>(
  name: string,
  tableName: string,
  columns: Columns,
): EntitySchema<RecordOf<Columns>> {
  const named = Object.entries(columns).map(([property, column]) => {
    return [property, { name: columnOf(property), ...column }];
  });
  return new EntitySchema({ name, tableName, synchronize: false, columns: Object.fromEntries(named) });
}

const versions: Column<readonly number[]> & { readonly array: true } = { type: 'integer', array: true };

const seriesColumns = {
  id: key,
  space: plainText,
  code: plainText,
  dimensions: of<readonly SeriesDimension[]>({ type: 'jsonb' }),
  reset: of<Reset>(text),
  timeZone: text,
  fiscalStartMonth: of<number>({ type: 'smallint' }),
  fiscalYearNamedBy: of<'start' | 'end'>(text),
  startAt: big,
  dateOrder: flag,
  closedUntil: optional(date),
  openUntil: optional(date),
  endAt: optional(big),
  blocked: optional(text),
  authorityCode: optional(text),
  manualFirst: optional(big),
  manualLast: optional(big),
  revision: big,
  identity: uuid,
  createdAt: moment,
};
const formatColumns = {
  id: key,
  seriesId: big,
  version: whole,
  template: text,
  description: optional(text),
  overflow: of<'error' | 'widen'>(text),
  validFrom: date,
  createdBy: text,
  createdAt: moment,
  withdrawnAt: optional(moment),
};
const counterColumns = {
  id: key,
  seriesId: big,
  dimensions: plainText,
  period: plainText,
  firstNumber: big,
  lastNumber: big,
  version: big,
  lastDate: optional(date),
  printedVersions: versions,
  updatedAt: moment,
};
/** As read by callers, but for the codes of the counter. */
const { series: _series, dimensions: _dimensions, ...numberColumns } = ledgerColumns;
const eventColumns = {
  id: key,
  type: plainText,
  space: plainText,
  counterId: optional(big),
  sequence: optional(big),
  number: optional(plainText),
  actor: text,
  reason: optional(text),
  facts: of<Readonly<Record<string, unknown>>>({ type: 'jsonb' }),
  at: moment,
  position: optional(big),
};

/** A row of `document_number_series`. */
export type SeriesRecord = RecordOf<typeof seriesColumns>;
/** A row of `document_number_formats`. */
export type FormatRecord = RecordOf<typeof formatColumns>;
/** A row of `document_number_counters`. */
export type CounterRecord = RecordOf<typeof counterColumns>;
/** A row of the ledger. */
export type NumberRecord = RecordOf<typeof numberColumns>;
/** A row of `document_number_events`. */
export type EventRecord = RecordOf<typeof eventColumns>;

/** The series, for reading through TypeORM. */
export const SeriesEntity = entity('DocumentNumberSeries', 'document_number_series', seriesColumns);
/** The versions of formats, for reading through TypeORM. */
export const FormatEntity = entity('DocumentNumberFormat', 'document_number_formats', formatColumns);
/** The counters, for reading through TypeORM. */
export const CounterEntity = entity('DocumentNumberCounter', 'document_number_counters', counterColumns);
/** The ledger, for reading through TypeORM. */
export const NumberEntity = entity('DocumentNumber', 'document_numbers', numberColumns);
/** The events, for reading through TypeORM. */
export const EventEntity = entity('DocumentNumberEvent', 'document_number_events', eventColumns);
