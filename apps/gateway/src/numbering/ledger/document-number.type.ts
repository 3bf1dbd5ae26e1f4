import type { Guard, IssuedNumber, LedgerEntry, NumberStatus } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { enumType, Fields, field, nullable, ObjectType } from '../../graphql/fields.js';
import { codesOf, DocumentCode } from '../series/document-series.input.js';

export const DocumentNumberStatusEnum = enumType<NumberStatus>(
  'DocumentNumberStatus',
  'Status of a document number.',
  {
    reserved: 'Held by a reservation.',
    issued: 'In use.',
    cancelled: 'Its reservation was cancelled or expired, or the number was skipped.',
    void: 'Taken out of use, with a reason.',
    imported: 'Issued by another system.',
    manual: 'Assigned by hand.',
  },
);
const NumberGuardEnum = enumType<Guard>(
  'NumberGuard',
  'How other processes were excluded while a number was issued.',
  {
    'redis+version': 'By a Redis lock in front of the version check.',
    row: 'By the lock on the counter row alone, as when Redis is unavailable.',
  },
);

@ObjectType('A document number, committed together with its ledger row.')
export class DocumentNumber extends Fields({
  id: nullable(
    TsidScalar,
    'ID of its ledger row; null for numbers issued in bulk, or while no ID could be minted.',
  ),
  number: field(String, 'The number as printed, such as TEAM-RFA-STR-2026-0001.'),
  sequence: field(GraphQLSafeInt, 'Position in its counter: 1, 2, 3 …, without gaps.'),
  status: field(DocumentNumberStatusEnum, 'Current status.'),
  period: field(String, 'Period of its counter, such as 2026.'),
  date: field(GraphQLLocalDate, 'Business date.'),
  typeCode: field(String, 'Code of the document type.'),
  organizationCode: nullable(
    String,
    'Code of the organization the document comes from; null if the series does not count by it.',
  ),
  disciplineCode: nullable(
    String,
    "Code of the discipline, or the series' code for none; null if the series does not count by it.",
  ),
  dimensions: field([DocumentCode], 'All codes that its counter counts by, by name of their token.'),
  formatVersion: nullable(
    Int,
    'Version of the format that printed it; null for an imported number that no format printed.',
  ),
  guard: nullable(NumberGuardEnum, 'How other processes were excluded while it was issued.'),
  waitedMs: nullable(Int, 'Milliseconds from the request to the statement that issued it.'),
  retryCount: nullable(Int, 'How often that statement was retried.'),
}) {
  readonly projectId: bigint;
  /** What the ledger has beyond the result of `issue`; absent until it is requested. */
  readonly entry: LedgerEntry | undefined;

  constructor(source: IssuedNumber | LedgerEntry, entry?: LedgerEntry) {
    super();
    this.id = source.id === undefined ? undefined : BigInt(source.id);
    this.number = source.number;
    this.sequence = source.sequence;
    this.status = source.status;
    this.period = source.period;
    this.date = source.date;
    this.typeCode = source.series;
    const codes = codesOf(source);
    this.organizationCode = codes.organizationCode;
    this.disciplineCode = codes.disciplineCode;
    this.dimensions = codes.dimensions;
    this.formatVersion = source.formatVersion;
    this.guard = source.guard;
    this.waitedMs = source.waitedMs === undefined ? undefined : Math.round(source.waitedMs);
    this.retryCount = source.retryCount;
    this.projectId = BigInt(source.space);
    this.entry = entry;
  }

  static ofLedger(entry: LedgerEntry): DocumentNumber {
    return new DocumentNumber(entry, entry);
  }
}

@ObjectType('The place of a number in a chain, each of whose seals covers the one before.')
export class DocumentNumberSeal extends Fields({
  chain: field(String, 'Name of the chain.'),
  position: field(GraphQLSafeInt, 'Position in the chain: 1, 2, 3 …, in the order of commits.'),
  seal: field(String, 'The seal, as the application that stores the documents makes it.'),
}) {}

@ObjectType('A number that is held until it is confirmed or cancelled, or expires.')
export class DocumentNumberReservation extends Fields({
  documentNumber: field(DocumentNumber, 'The reserved number.'),
  token: field(String, 'Secret that is needed to confirm or cancel it.'),
  expiresAt: field(GraphQLDateTimeISO, 'When it is cancelled automatically, unless confirmed.'),
}) {}

@ObjectType('Consecutive numbers, issued in one commit.')
export class DocumentNumbersIssued extends Fields({
  documentNumbers: field([DocumentNumber], 'The numbers, in order of their sequence.'),
}) {}
