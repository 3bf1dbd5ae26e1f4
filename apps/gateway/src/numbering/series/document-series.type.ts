import type { Reset, Series } from '@solegate/doc-numbering';
import { GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { CounterResetEnum, FiscalYearNameEnum, SeriesRulesInput } from './format.inputs.js';

@ObjectType({
  description: 'Sequences of a series that only assignDocumentNumber gives out, both ends included.',
})
@InputType('NumberIntervalInput', {
  description: 'Sequences that only assignDocumentNumber gives out, both ends included.',
})
export class NumberInterval {
  @Field(() => GraphQLSafeInt, { description: 'The lowest of them.' })
  first!: number;

  @Field(() => GraphQLSafeInt, { description: 'The highest of them.' })
  last!: number;
}

@ObjectType({ description: 'How the counters of one document type of a project run.' })
export class DocumentSeries {
  @Field(() => ID, { description: 'The row of its rules.' })
  id: string;

  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode: string;

  @Field(() => CounterResetEnum, { description: 'When its counters start again.' })
  reset: Reset;

  @Field(() => String, { description: 'IANA name; it decides what "today" is.' })
  timeZone: string;

  @Field(() => Int, { description: 'First month of the fiscal year, 1 to 12.' })
  fiscalStartMonth: number;

  @Field(() => FiscalYearNameEnum, { description: 'The year that names a fiscal year.' })
  fiscalYearNamedBy: 'start' | 'end';

  @Field(() => GraphQLSafeInt, { description: 'First number of every counter.' })
  startAt: number;

  @Field(() => Boolean, { description: 'Whether a business date before the last one is refused.' })
  dateOrder: boolean;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Dates up to this one are closed.' })
  closedUntil: string | undefined;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Dates after this one are not open yet.' })
  openUntil: string | undefined;

  @Field(() => NumberInterval, { nullable: true, description: 'What only assignDocumentNumber gives out.' })
  manualInterval: NumberInterval | undefined;

  @Field(() => GraphQLSafeInt, {
    nullable: true,
    description:
      'Last number of every counter, such as the end of an authorised range; null: what the format holds.',
  })
  endAt: number | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'What an authority has named the series or its range; {AUTHORITY} prints it.',
  })
  authorityCode: string | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'Why nobody may draw a number from it; null while it is open.',
  })
  blockedReason: string | undefined;

  @Field(() => Int, { description: 'Grows with every change of its rules or formats.' })
  revision: number;

  readonly projectId: bigint;

  constructor(series: Series) {
    this.id = series.id;
    this.typeCode = series.series;
    this.reset = series.reset;
    this.timeZone = series.timeZone;
    this.fiscalStartMonth = series.fiscalStartMonth;
    this.fiscalYearNamedBy = series.fiscalYearNamedBy;
    this.startAt = series.startAt;
    this.dateOrder = series.dateOrder;
    this.closedUntil = series.closedUntil;
    this.openUntil = series.openUntil;
    this.manualInterval = series.manualInterval;
    this.endAt = series.endAt;
    this.authorityCode = series.authorityCode;
    this.blockedReason = series.blocked;
    this.revision = series.revision;
    this.projectId = BigInt(series.space);
  }
}

@InputType({ description: 'Defines the series of a document type, or changes what may change.' })
export class DefineDocumentSeriesInput {
  @Field(() => String, { description: 'The project that it belongs to.' })
  projectCode!: string;

  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode!: string;

  @Field(() => SeriesRulesInput, { description: 'How its counters run.' })
  rules!: SeriesRulesInput;

  @Field(() => GraphQLSafeInt, { nullable: true, description: 'First number of every counter. Default: 1.' })
  startAt?: number;

  @Field(() => NumberInterval, {
    nullable: true,
    description: 'Sequences that only assignDocumentNumber gives out. Default: none.',
  })
  manualInterval?: NumberInterval;

  @Field(() => GraphQLSafeInt, {
    nullable: true,
    description:
      'Last number of every counter, such as the end of an authorised range. Default: what the format holds.',
  })
  endAt?: number;

  @Field(() => String, {
    nullable: true,
    description:
      'What an authority has named the series or its range, such as a validation code of Portugal; {AUTHORITY} prints it. Default: nothing.',
  })
  authorityCode?: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'The revision that the change was made for; when somebody else has changed the series since, it is refused (SERIES_CHANGED). Default: that of now.',
  })
  expectedRevision?: number;
}

@ObjectType({ description: 'What was moved to the archive; both are 0 when nothing was left to do.' })
export class NumberArchive {
  @Field(() => Int, { description: 'Counters whose period is archived now.' })
  counterCount!: number;

  @Field(() => GraphQLSafeInt, { description: 'Their numbers.' })
  numberCount!: number;
}

@InputType({ description: 'Names the series of a document type.' })
export class DocumentTypeInput {
  @Field(() => String, { description: 'The project that it belongs to.' })
  projectCode!: string;

  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode!: string;
}

@InputType({ description: 'Stops a series, for a while or for good.' })
export class BlockDocumentSeriesInput extends DocumentTypeInput {
  @Field(() => String, {
    description: 'Why, such as "replaced by RFI"; whoever asks for a number reads it. 1 to 1,000 characters.',
  })
  reason!: string;
}
