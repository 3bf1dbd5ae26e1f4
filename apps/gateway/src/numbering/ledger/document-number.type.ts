import type { Guard, IssuedNumber, LedgerEntry, NumberStatus } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { codesOf, DocumentCode } from '../series/document-code.js';
import { DocumentNumberStatusEnum, NumberGuardEnum } from './document-number-status.js';

@ObjectType({ description: 'A document number, committed together with its ledger row.' })
export class DocumentNumber {
  @Field(() => TsidScalar, {
    nullable: true,
    description: 'ID of its ledger row; null for numbers issued in bulk, or while no ID could be minted.',
  })
  id: bigint | undefined;

  @Field(() => String, { description: 'The number as printed, such as TEAM-RFA-STR-2026-0001.' })
  number: string;

  @Field(() => GraphQLSafeInt, { description: 'Position in its counter: 1, 2, 3 …, without gaps.' })
  sequence: number;

  @Field(() => DocumentNumberStatusEnum, { description: 'Current status.' })
  status: NumberStatus;

  @Field(() => String, { description: 'Period of its counter, such as 2026.' })
  period: string;

  @Field(() => GraphQLLocalDate, { description: 'Business date.' })
  date: string;

  @Field(() => String, { description: 'Code of the document type.' })
  typeCode: string;

  @Field(() => String, {
    description: 'Code of the organization the document comes from; null if the series does not count by it.',
    nullable: true,
  })
  organizationCode: string | undefined;

  @Field(() => String, {
    description:
      "Code of the discipline, or the series' code for none; null if the series does not count by it.",
    nullable: true,
  })
  disciplineCode: string | undefined;

  @Field(() => [DocumentCode], {
    description: 'All codes that its counter counts by, by name of their token.',
  })
  dimensions: readonly DocumentCode[];

  @Field(() => Int, {
    description: 'Version of the format that printed it; null for an imported number that no format printed.',
    nullable: true,
  })
  formatVersion: number | undefined;

  @Field(() => NumberGuardEnum, {
    description: 'How other processes were excluded while it was issued.',
    nullable: true,
  })
  guard: Guard | undefined;

  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds from the request to the statement that issued it.',
  })
  waitedMs: number | undefined;

  @Field(() => Int, { nullable: true, description: 'How often that statement was retried.' })
  retryCount: number | undefined;

  readonly projectId: bigint;
  /** What the ledger has beyond the result of `issue`; absent until it is requested. */
  readonly entry: LedgerEntry | undefined;

  constructor(source: IssuedNumber | LedgerEntry, status: NumberStatus, entry?: LedgerEntry) {
    this.id = source.id === undefined ? undefined : BigInt(source.id);
    this.number = source.number;
    this.sequence = source.sequence;
    this.status = status;
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
    return new DocumentNumber(entry, entry.status, entry);
  }
}

@ObjectType({ description: 'The place of a number in a chain, each of whose seals covers the one before.' })
export class DocumentNumberSeal {
  @Field(() => String, { description: 'Name of the chain.' })
  chain!: string;

  @Field(() => GraphQLSafeInt, { description: 'Position in the chain: 1, 2, 3 …, in the order of commits.' })
  position!: number;

  @Field(() => String, { description: 'The seal, as the application that stores the documents makes it.' })
  seal!: string;
}

@ObjectType({ description: 'A number that is held until it is confirmed or cancelled, or expires.' })
export class DocumentNumberReservation {
  @Field(() => DocumentNumber, { description: 'The reserved number.' })
  documentNumber!: DocumentNumber;

  @Field(() => String, { description: 'Secret that is needed to confirm or cancel it.' })
  token!: string;

  @Field(() => GraphQLDateTimeISO, { description: 'When it is cancelled automatically, unless confirmed.' })
  expiresAt!: Date;
}
