import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Guard, NumberStatus } from '../contract/requests.js';
import type { Reset, SeriesDimension } from '../contract/series.js';
import { columnOf } from '../sql/rows.js';

/*
 * This package's numbered SQL files create the tables with all their constraints, indexes and triggers. These
 * schemas map them for reading and joining; `synchronize` never touches them. Changes go through a Numbering.
 *
 * Properties are columns in camel case. Identifiers and sequences are decimal text, as TypeORM reads BIGINT.
 */

/** `Value` is what TypeORM reads. */
interface Column<Value> extends Omit<EntitySchemaColumnOptions, 'name'> {
  readonly reads?: Value;
}

type RecordOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

const big: Column<string> = { type: 'bigint' };
const whole: Column<number> = { type: 'integer' };
const flag: Column<boolean> = { type: 'boolean' };
const uuid: Column<string> = { type: 'uuid' };
const date: Column<string> = { type: 'date' };
const moment: Column<Date> = { type: 'timestamptz' };
const text: Column<string> = { type: 'text' };
const plainText: Column<string> = { type: 'text', collation: 'C' };
const key: Column<string> = { type: 'bigint', primary: true };

const of = <Value>(column: Column<unknown>): Column<Value> => column as Column<Value>;
const optional = <Value>(column: Column<Value>): Column<Value | null> => ({ ...column, nullable: true });

function entity<Columns extends Record<string, Column<unknown>>>(
  name: string,
  tableName: string,
  columns: Columns,
): EntitySchema<RecordOf<Columns>> {
  const named = Object.entries(columns).map(([property, column]) => {
    return [property, { ...column, name: columnOf(property) }];
  });
  return new EntitySchema({ name, tableName, synchronize: false, columns: Object.fromEntries(named) });
}

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
  updatedAt: moment,
};
const numberColumns = {
  counterId: key,
  sequence: key,
  id: optional(big),
  issuedAt: moment,
  expiresAt: optional(moment),
  batch: optional(uuid),
  reservation: optional(uuid),
  batchPosition: optional(whole),
  keyPart: optional(whole),
  waitedMs: optional(whole),
  retryCount: optional(whole),
  formatVersion: optional(whole),
  businessDate: date,
  batchHead: flag,
  status: of<NumberStatus>(plainText),
  guard: optional(of<Guard>(plainText)),
  space: plainText,
  number: plainText,
  period: plainText,
  actor: text,
  document: optional(plainText),
  reason: optional(text),
  replacedBy: optional(plainText),
  idempotencyKey: optional(plainText),
  fingerprint: optional(plainText),
};
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
