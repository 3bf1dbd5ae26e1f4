import type { Guard, IssuedNumber, LedgerEntry, NumberStatus } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLDateTimeISO, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { DocumentNumberStatusEnum, NumberGuardEnum } from './document-number-status.js';

@ObjectType({ description: 'A number that is committed together with its row in the ledger.' })
export class DocumentNumber {
  @Field(() => TsidScalar, { nullable: true, description: 'Null for numbers that were issued many at once.' })
  id: bigint | undefined;

  @Field(() => String, { description: 'Such as TEAM-RFA-STR-2026-0001.' })
  number: string;

  @Field(() => GraphQLSafeInt, { description: 'Position in its counter: 1, 2, 3 … without holes.' })
  sequence: number;

  @Field(() => DocumentNumberStatusEnum, { description: 'What became of it.' })
  status: NumberStatus;

  @Field(() => String, { description: 'Period of its counter, such as 2026.' })
  period: string;

  @Field(() => GraphQLLocalDate, { description: 'Business date.' })
  date: string;

  @Field(() => String, { description: 'The document type.' })
  typeCode: string;

  @Field(() => String, { description: 'Who the document comes from.', nullable: true })
  organizationCode: string | undefined;

  @Field(() => String, { description: 'The discipline.', nullable: true })
  disciplineCode: string | undefined;

  @Field(() => Int, {
    description: 'The version of the format that printed it; null for imported ones that none printed.',
    nullable: true,
  })
  formatVersion: number | undefined;

  @Field(() => NumberGuardEnum, {
    description: 'What kept other processes away while it was drawn.',
    nullable: true,
  })
  guard: Guard | undefined;

  @Field(() => Int, { nullable: true, description: 'From the request to the statement that drew it.' })
  waitedMs: number | undefined;

  @Field(() => Int, { nullable: true, description: 'How often that statement was repeated.' })
  retryCount: number | undefined;

  readonly projectId: bigint;
  /** What the ledger says beyond the answer of `issue`; absent until somebody asks for it. */
  readonly entry: LedgerEntry | undefined;

  constructor(source: IssuedNumber | LedgerEntry, status: NumberStatus, entry?: LedgerEntry) {
    this.id = source.id === undefined ? undefined : BigInt(source.id);
    this.number = source.number;
    this.sequence = source.sequence;
    this.status = status;
    this.period = source.period;
    this.date = source.date;
    this.typeCode = source.series;
    this.organizationCode = source.dimensions.ORG;
    this.disciplineCode = source.dimensions.DISCIPLINE;
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

@ObjectType({ description: 'A number that is held until it is confirmed, cancelled, or its time is over.' })
export class DocumentNumberReservation {
  @Field(() => DocumentNumber, { description: 'The number that is held.' })
  documentNumber: DocumentNumber;

  @Field(() => String, { description: 'Secret that confirms or cancels it.' })
  token: string;

  @Field(() => GraphQLDateTimeISO, { description: 'When it ends as cancelled unless it is confirmed.' })
  expiresAt: Date;

  constructor(documentNumber: DocumentNumber, token: string, expiresAt: Date) {
    this.documentNumber = documentNumber;
    this.token = token;
    this.expiresAt = expiresAt;
  }
}
