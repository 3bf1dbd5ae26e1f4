import type { Overflow, Reset } from '@solegate/doc-numbering';
import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { WidthOverflowEnum } from './document-number-format.type.js';

const CounterResetEnum = {
  NEVER: 'never',
  YEAR: 'year',
  FISCAL_YEAR: 'fiscal_year',
  MONTH: 'month',
  DAY: 'day',
} as const satisfies Record<string, Reset>;

const FiscalYearNameEnum = { START: 'start', END: 'end' } as const;

registerEnumType(CounterResetEnum, {
  name: 'CounterReset',
  description: 'When a counter starts again at 1.',
});
registerEnumType(FiscalYearNameEnum, {
  name: 'FiscalYearName',
  description: 'The year that names a fiscal year.',
});

@InputType({
  description: 'How the counters of a type run. Fixed once a number was issued, but for dateOrder and dates.',
})
export class SeriesRulesInput {
  @Field(() => CounterResetEnum, { defaultValue: 'year' })
  reset!: Reset;

  @Field(() => String, {
    defaultValue: 'Asia/Bangkok',
    description: 'IANA name; it decides what "today" is.',
  })
  timeZone!: string;

  @Field(() => Int, { defaultValue: 1, description: 'First month of the fiscal year, 1 to 12.' })
  fiscalStartMonth!: number;

  @Field(() => FiscalYearNameEnum, { defaultValue: 'start' })
  fiscalYearNamedBy!: 'start' | 'end';

  @Field(() => Boolean, { defaultValue: false, description: 'Refuse a business date before the last one.' })
  dateOrder!: boolean;

  @Field(() => String, { nullable: true, description: 'Dates up to this one are closed, YYYY-MM-DD.' })
  closedUntil?: string;

  @Field(() => String, { nullable: true, description: 'Dates after this one are not open yet, YYYY-MM-DD.' })
  openUntil?: string;
}

@InputType({
  description: 'Saves the next version of a format. Running counters and old numbers stay as they are.',
})
export class SaveDocumentNumberFormatInput {
  @Field(() => String)
  projectCode!: string;

  @Field(() => String)
  typeCode!: string;

  @Field(() => String, {
    description:
      'Such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must show organisation, discipline and period.',
  })
  template!: string;

  @Field(() => WidthOverflowEnum, { defaultValue: 'error' })
  overflow!: Overflow;

  @Field(() => String, { nullable: true, description: 'First business date, YYYY-MM-DD. Default: today.' })
  validFrom?: string;

  @Field(() => SeriesRulesInput, {
    nullable: true,
    description: 'Needed only for other rules than a yearly reset in Asia/Bangkok.',
  })
  rules?: SeriesRulesInput;
}
