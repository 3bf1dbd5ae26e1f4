import type { Overflow, Reset } from '@solegate/doc-numbering';
import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { DocumentSeriesDimension } from './document-code.js';
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
  description: 'When a counter restarts at its first number.',
  valuesConfig: {
    NEVER: { description: 'Never.' },
    YEAR: { description: 'Every calendar year.' },
    FISCAL_YEAR: { description: 'Every fiscal year.' },
    QUARTER: { description: 'Every calendar quarter.' },
    MONTH: { description: 'Every month.' },
    WEEK: { description: 'Every ISO 8601 week, in the ISO week-numbering year.' },
    DAY: { description: 'Every day.' },
  },
});
registerEnumType(FiscalYearNameEnum, {
  name: 'FiscalYearName',
  description: 'Which calendar year a fiscal year is named after.',
  valuesConfig: {
    START: { description: 'The year it starts in.' },
    END: { description: 'The year it ends in.' },
  },
});

@InputType({
  description:
    'Rules for the counters of a document type. Once a number has been issued, only `dateOrder`, `closedUntil` and `openUntil` can change.',
})
export class SeriesRulesInput {
  @Field(() => [DocumentSeriesDimension], {
    nullable: true,
    description:
      'Tokens whose codes have counters of their own; every format must show them all. ' +
      'Default: unchanged; for a new series, ORG and DISCIPLINE.',
  })
  dimensions?: DocumentSeriesDimension[];

  @Field(() => CounterResetEnum, {
    description: 'When its counters restart at the first number.',
    defaultValue: 'year',
  })
  reset!: Reset;

  @Field(() => String, {
    defaultValue: 'Asia/Bangkok',
    description: 'IANA time zone; it determines what "today" is.',
  })
  timeZone!: string;

  @Field(() => Int, { defaultValue: 1, description: 'First month of the fiscal year, 1 to 12.' })
  fiscalStartMonth!: number;

  @Field(() => FiscalYearNameEnum, {
    description: 'Which calendar year a fiscal year is named after.',
    defaultValue: 'start',
  })
  fiscalYearNamedBy!: 'start' | 'end';

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Refuse a business date earlier than the last one of the counter (DATE_ORDER).',
  })
  dateOrder!: boolean;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Dates up to and including this one are closed; null: none.',
  })
  closedUntil?: string;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Dates after this one are not open yet; null: no limit.',
  })
  openUntil?: string;
}

@InputType({ description: 'Conditions, combined with AND.' })
export class DocumentNumberFormatFilter {
  @Field(() => String, {
    description:
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, { description: 'Code of one document type.', nullable: true })
  typeCode?: string;
}

@InputType({ description: 'Identifies a format version that no number was printed with.' })
export class WithdrawDocumentNumberFormatInput {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;

  @Field(() => Int, { description: 'Version of the format, from 1.' })
  version!: number;
}

@InputType({ description: 'Default template for the series of a project that have no format of their own.' })
export class SaveDefaultDocumentNumberFormatInput {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, {
    description:
      'Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must include the dimensions of the series and its period.',
  })
  template!: string;

  @Field(() => WidthOverflowEnum, {
    description: 'What happens to numbers that do not fit the width of {SEQ:n}.',
    defaultValue: 'error',
  })
  overflow!: Overflow;
}

@InputType({ description: 'A template to check for a document type that already has a series.' })
export class CheckDocumentNumberFormatInput extends SaveDefaultDocumentNumberFormatInput {
  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'First business date it applies to. Default: today; the first version applies to any date.',
  })
  validFrom?: string;
}

@InputType({ description: 'The next version of a format. Existing counters and numbers do not change.' })
export class SaveDocumentNumberFormatInput extends CheckDocumentNumberFormatInput {
  @Field(() => String, {
    nullable: true,
    description: 'What the format is for, 1 to 1,000 characters. Default: none for a new version.',
  })
  description?: string;

  @Field(() => SeriesRulesInput, {
    nullable: true,
    description:
      'Rules for its counters. Default: unchanged; for a new series, a yearly reset in Asia/Bangkok.',
  })
  rules?: SeriesRulesInput;
}
