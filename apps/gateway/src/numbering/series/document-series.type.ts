import type { Reset } from '@solegate/doc-numbering';
import { GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DocumentSeriesDimension } from './document-code.js';
import { CounterResetEnum, FiscalYearNameEnum, SeriesRulesInput } from './format.inputs.js';

@ObjectType({
  description: 'Sequences of a series that only `assignDocumentNumber` can issue, both ends included.',
})
@InputType('NumberIntervalInput', {
  description: 'Sequences that only `assignDocumentNumber` can issue, both ends included.',
})
export class NumberInterval {
  @Field(() => GraphQLSafeInt, { description: 'Lowest sequence.' })
  first!: number;

  @Field(() => GraphQLSafeInt, { description: 'Highest sequence.' })
  last!: number;
}

@ObjectType({ description: 'Numbering rules of one document type in a project.' })
export class DocumentSeries {
  @Field(() => ID, { description: 'ID of the series.' })
  id!: string;

  @Field(() => String, { name: 'typeCode', description: 'Code of the document type.' })
  series!: string;

  @Field(() => [DocumentSeriesDimension], { description: 'Tokens whose codes have counters of their own.' })
  dimensions!: readonly DocumentSeriesDimension[];

  @Field(() => CounterResetEnum, { description: 'When its counters restart.' })
  reset!: Reset;

  @Field(() => String, { description: 'IANA time zone; it determines what "today" is.' })
  timeZone!: string;

  @Field(() => Int, { description: 'First month of the fiscal year, 1 to 12.' })
  fiscalStartMonth!: number;

  @Field(() => FiscalYearNameEnum, { description: 'Which calendar year a fiscal year is named after.' })
  fiscalYearNamedBy!: 'start' | 'end';

  @Field(() => GraphQLSafeInt, { description: 'First number of every counter.' })
  startAt!: number;

  @Field(() => Boolean, {
    description: 'Whether a business date earlier than the last one is refused (DATE_ORDER).',
  })
  dateOrder!: boolean;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Dates up to and including this one are closed; null: none.',
  })
  closedUntil!: string | undefined;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Dates after this one are not open yet; null: no limit.',
  })
  openUntil!: string | undefined;

  @Field(() => NumberInterval, {
    nullable: true,
    description: 'Sequences that only `assignDocumentNumber` can issue; null: none.',
  })
  manualInterval!: NumberInterval | undefined;

  @Field(() => GraphQLSafeInt, {
    nullable: true,
    description:
      'Last number of every counter, such as the end of an authorized range; null: limited by the format only.',
  })
  endAt!: number | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'Code that an authority assigned to the series or its range; printed by {AUTHORITY}.',
  })
  authorityCode!: string | undefined;

  @Field(() => String, {
    name: 'blockedReason',
    nullable: true,
    description: 'Why the series is blocked; null while it is open.',
  })
  blocked!: string | undefined;

  @Field(() => Int, { description: 'Increases with every change to its rules or formats.' })
  revision!: number;

  readonly space!: string;
}

@InputType({ description: 'Defines the series of a document type, or changes the rules that can change.' })
export class DefineDocumentSeriesInput {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;

  @Field(() => SeriesRulesInput, { description: 'Rules for its counters.' })
  rules!: SeriesRulesInput;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'First number of every counter. Default: 1.' })
  startAt?: number;

  @Field(() => NumberInterval, {
    nullable: true,
    description: 'Sequences that only `assignDocumentNumber` can issue. Default: none.',
  })
  manualInterval?: NumberInterval;

  @Field(() => GraphQLSafeInt, {
    nullable: true,
    description:
      'Last number of every counter, such as the end of an authorized range. Default: limited by the format only.',
  })
  endAt?: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Code that an authority assigned to the series or its range, such as a Portuguese validation code; printed by {AUTHORITY}. Up to 20 characters. Default: none.',
  })
  authorityCode?: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'Revision that the change is based on; refused (SERIES_CHANGED) if the series has changed since. Default: the current revision.',
  })
  expectedRevision?: number;
}

@InputType({ description: 'Identifies the series of a document type.' })
export class DocumentTypeInput {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;
}

@InputType({ description: 'Blocks a series, temporarily or permanently.' })
export class BlockDocumentSeriesInput extends DocumentTypeInput {
  @Field(() => String, {
    description:
      'Reason, such as "replaced by RFI"; shown to callers who request a number. 1 to 1,000 characters.',
  })
  reason!: string;
}
