import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Guard, NumberStatus } from '../contract/issue-request.js';
import type { Reset, SeriesDimension } from '../contract/series.js';

/** A row of `document_number_series`. Identifiers and sequences are decimal text, as TypeORM gives BIGINT. */
export interface SeriesRecord {
  readonly id: string;
  readonly space: string;
  readonly code: string;
  readonly dimensions: readonly SeriesDimension[];
  readonly reset: Reset;
  readonly timeZone: string;
  readonly fiscalStartMonth: number;
  readonly fiscalYearNamedBy: 'start' | 'end';
  readonly startAt: string;
  readonly dateOrder: boolean;
  readonly closedUntil: string | null;
  readonly openUntil: string | null;
  readonly endAt: string | null;
  readonly blocked: string | null;
  readonly manualFirst: string | null;
  readonly manualLast: string | null;
  readonly revision: string;
  readonly identity: string;
  readonly createdAt: Date;
}

/** A row of `document_number_formats`. */
export interface FormatRecord {
  readonly id: string;
  readonly seriesId: string;
  readonly version: number;
  readonly template: string;
  readonly overflow: 'error' | 'widen';
  readonly validFrom: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly withdrawnAt: Date | null;
}

/** A row of `document_number_counters`. */
export interface CounterRecord {
  readonly id: string;
  readonly seriesId: string;
  readonly dimensions: string;
  readonly period: string;
  readonly firstNumber: string;
  readonly lastNumber: string;
  readonly version: string;
  readonly lastDate: string | null;
  readonly updatedAt: Date;
}

/** A row of `document_numbers`, the ledger. */
export interface NumberRecord {
  readonly counterId: string;
  readonly sequence: string;
  readonly id: string | null;
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  readonly batch: string | null;
  readonly reservation: string | null;
  readonly batchPosition: number | null;
  readonly keyPart: number | null;
  readonly waitedMs: number | null;
  readonly retryCount: number | null;
  readonly formatVersion: number | null;
  readonly businessDate: string;
  readonly batchHead: boolean;
  readonly status: NumberStatus;
  readonly guard: Guard | null;
  readonly space: string;
  readonly number: string;
  readonly period: string;
  readonly actor: string;
  readonly document: string | null;
  readonly reason: string | null;
  readonly replacedBy: string | null;
  readonly idempotencyKey: string | null;
  readonly fingerprint: string | null;
}

/** A row of `document_number_events`. */
export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly space: string;
  readonly counterId: string | null;
  readonly sequence: string | null;
  readonly number: string | null;
  readonly actor: string;
  readonly reason: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

type Column = EntitySchemaColumnOptions;

const big = (name: string): Column => ({ name, type: 'bigint' });
const whole = (name: string): Column => ({ name, type: 'integer' });
const text = (name: string): Column => ({ name, type: 'text' });
const plainText = (name: string): Column => ({ name, type: 'text', collation: 'C' });
const moment = (name: string): Column => ({ name, type: 'timestamptz' });
const date = (name: string): Column => ({ name, type: 'date' });
const flag = (name: string): Column => ({ name, type: 'boolean' });
const uuid = (name: string): Column => ({ name, type: 'uuid' });
const json = (name: string): Column => ({ name, type: 'jsonb' });
const key = (column: Column): Column => ({ ...column, primary: true });
const optional = (column: Column): Column => ({ ...column, nullable: true });

/*
 * The tables belong to the numbered SQL files of this package, with all their constraints, indexes and triggers. These
 * schemas map them for reading and joining; `synchronize` never touches them. Changes go through a Numbering.
 */

export const SeriesEntity = new EntitySchema<SeriesRecord>({
  name: 'DocumentNumberSeries',
  tableName: 'document_number_series',
  synchronize: false,
  columns: {
    id: key(big('id')),
    space: plainText('space'),
    code: plainText('code'),
    dimensions: json('dimensions'),
    reset: text('reset'),
    timeZone: text('time_zone'),
    fiscalStartMonth: { name: 'fiscal_start_month', type: 'smallint' },
    fiscalYearNamedBy: text('fiscal_year_named_by'),
    startAt: big('start_at'),
    dateOrder: flag('date_order'),
    closedUntil: optional(date('closed_until')),
    openUntil: optional(date('open_until')),
    endAt: optional(big('end_at')),
    blocked: optional(text('blocked')),
    manualFirst: optional(big('manual_first')),
    manualLast: optional(big('manual_last')),
    revision: big('revision'),
    identity: uuid('identity'),
    createdAt: moment('created_at'),
  },
});

export const FormatEntity = new EntitySchema<FormatRecord>({
  name: 'DocumentNumberFormat',
  tableName: 'document_number_formats',
  synchronize: false,
  columns: {
    id: key(big('id')),
    seriesId: big('series_id'),
    version: whole('version'),
    template: text('template'),
    overflow: text('overflow'),
    validFrom: date('valid_from'),
    createdBy: text('created_by'),
    createdAt: moment('created_at'),
    withdrawnAt: optional(moment('withdrawn_at')),
  },
});

export const CounterEntity = new EntitySchema<CounterRecord>({
  name: 'DocumentNumberCounter',
  tableName: 'document_number_counters',
  synchronize: false,
  columns: {
    id: key(big('id')),
    seriesId: big('series_id'),
    dimensions: plainText('dimensions'),
    period: plainText('period'),
    firstNumber: big('first_number'),
    lastNumber: big('last_number'),
    version: big('version'),
    lastDate: optional(date('last_date')),
    updatedAt: moment('updated_at'),
  },
});

export const NumberEntity = new EntitySchema<NumberRecord>({
  name: 'DocumentNumber',
  tableName: 'document_numbers',
  synchronize: false,
  columns: {
    counterId: key(big('counter_id')),
    sequence: key(big('sequence')),
    id: optional(big('id')),
    issuedAt: moment('issued_at'),
    expiresAt: optional(moment('expires_at')),
    batch: optional(uuid('batch')),
    reservation: optional(uuid('reservation')),
    batchPosition: optional(whole('batch_position')),
    keyPart: optional(whole('key_part')),
    waitedMs: optional(whole('waited_ms')),
    retryCount: optional(whole('retry_count')),
    formatVersion: optional(whole('format_version')),
    businessDate: date('business_date'),
    batchHead: flag('batch_head'),
    status: plainText('status'),
    guard: optional(plainText('guard')),
    space: plainText('space'),
    number: plainText('number'),
    period: plainText('period'),
    actor: text('actor'),
    document: optional(plainText('document')),
    reason: optional(text('reason')),
    replacedBy: optional(plainText('replaced_by')),
    idempotencyKey: optional(plainText('idempotency_key')),
    fingerprint: optional(plainText('fingerprint')),
  },
});

export const EventEntity = new EntitySchema<EventRecord>({
  name: 'DocumentNumberEvent',
  tableName: 'document_number_events',
  synchronize: false,
  columns: {
    id: key(big('id')),
    type: plainText('type'),
    space: plainText('space'),
    counterId: optional(big('counter_id')),
    sequence: optional(big('sequence')),
    number: optional(plainText('number')),
    actor: text('actor'),
    reason: optional(text('reason')),
    facts: json('facts'),
    at: moment('at'),
  },
});
