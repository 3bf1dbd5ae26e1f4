import type { Overflow, Reset } from '@solegate/doc-numbering';
import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { WidthOverflowEnum } from './document-number-format.type.js';

export const CounterResetEnum = {
  NEVER: 'never',
  YEAR: 'year',
  FISCAL_YEAR: 'fiscal_year',
  QUARTER: 'quarter',
  MONTH: 'month',
  WEEK: 'week',
  DAY: 'day',
} as const satisfies Record<string, Reset>;

export const FiscalYearNameEnum = { START: 'start', END: 'end' } as const;

registerEnumType(CounterResetEnum, {
  name: 'CounterReset',
  description: 'When a counter starts again at 1.',
  valuesConfig: {
    NEVER: { description: 'Never.' },
    YEAR: { description: 'With the calendar year.' },
    FISCAL_YEAR: { description: 'With the fiscal year.' },
    QUARTER: { description: 'With the calendar quarter.' },
    MONTH: { description: 'With the month.' },
    WEEK: { description: 'With the week of ISO 8601, whose year is its own.' },
    DAY: { description: 'Every day.' },
  },
});
registerEnumType(FiscalYearNameEnum, {
  name: 'FiscalYearName',
  description: 'The year that names a fiscal year.',
  valuesConfig: {
    START: { description: 'The year that it starts in.' },
    END: { description: 'The year that it ends in.' },
  },
});

@InputType({
  description: 'How the counters of a type run. Fixed once a number was issued, but for dateOrder and dates.',
})
export class SeriesRulesInput {
  @Field(() => CounterResetEnum, {
    description: 'When its counters start again at the first number.',
    defaultValue: 'year',
  })
  reset!: Reset;

  @Field(() => String, {
    defaultValue: 'Asia/Bangkok',
    description: 'IANA name; it decides what "today" is.',
  })
  timeZone!: string;

  @Field(() => Int, { defaultValue: 1, description: 'First month of the fiscal year, 1 to 12.' })
  fiscalStartMonth!: number;

  @Field(() => FiscalYearNameEnum, {
    description: 'The year that names a fiscal year.',
    defaultValue: 'start',
  })
  fiscalYearNamedBy!: 'start' | 'end';

  @Field(() => Boolean, { defaultValue: false, description: 'Refuse a business date before the last one.' })
  dateOrder!: boolean;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Dates up to this one are closed.' })
  closedUntil?: string;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Dates after this one are not open yet.' })
  openUntil?: string;
}

@InputType({ description: 'Names one version of a format by which no number was printed.' })
export class WithdrawDocumentNumberFormatInput {
  @Field(() => String, { description: 'The project that it belongs to.' })
  projectCode!: string;

  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode!: string;

  @Field(() => Int, { description: 'The version, from 1.' })
  version!: number;
}

@InputType({ description: 'What series of a project begin with that have no format of their own.' })
export class SaveDefaultDocumentNumberFormatInput {
  @Field(() => String, { description: 'The project that it belongs to.' })
  projectCode!: string;

  @Field(() => String, {
    description:
      'Such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must show organisation, discipline and period.',
  })
  template!: string;

  @Field(() => WidthOverflowEnum, {
    description: 'What happens at the first number that does not fit.',
    defaultValue: 'error',
  })
  overflow!: Overflow;
}

@InputType({ description: 'A template as it would be saved for a type that is numbered already.' })
export class CheckDocumentNumberFormatInput extends SaveDefaultDocumentNumberFormatInput {
  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode!: string;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'First business date. Default: today.' })
  validFrom?: string;
}

@InputType({
  description: 'Saves the next version of a format. Running counters and old numbers stay as they are.',
})
export class SaveDocumentNumberFormatInput extends CheckDocumentNumberFormatInput {
  @Field(() => SeriesRulesInput, {
    nullable: true,
    description:
      'How its counters run. Default: as they do; for a type that was never numbered, a yearly reset in Asia/Bangkok.',
  })
  rules?: SeriesRulesInput;
}
