import type { Reset } from '@solegate/doc-numbering';
import { GraphQLLocalDate } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { enumType, Fields, field, InputType, optional } from '../../graphql/fields.js';
import { DocumentTypeFilter } from '../../master-data/project-filter.js';
import { WidthOverflowEnum } from './document-number-format.type.js';
import { DocumentSeriesDimension, DocumentTypeInput } from './document-series.input.js';

export const CounterResetEnum = enumType<Reset>(
  'CounterReset',
  'When a counter restarts at its first number.',
  {
    never: 'Never.',
    year: 'Every calendar year.',
    fiscal_year: 'Every fiscal year.',
    quarter: 'Every calendar quarter.',
    month: 'Every month.',
    week: 'Every ISO 8601 week, in the ISO week-numbering year.',
    day: 'Every day.',
  },
);
export const FiscalYearNameEnum = enumType<'start' | 'end'>(
  'FiscalYearName',
  'Which calendar year a fiscal year is named after.',
  {
    start: 'The year it starts in.',
    end: 'The year it ends in.',
  },
);

@InputType(
  'Rules for the counters of a document type. Once a number has been issued, only `dateOrder`, `closedUntil` and `openUntil` can change.',
)
export class SeriesRulesInput extends Fields({
  dimensions: optional(
    [DocumentSeriesDimension],
    'Tokens whose codes have counters of their own; every format must show them all. ' +
      'Default: unchanged; for a new series, ORG and DISCIPLINE.',
  ),
  reset: field(CounterResetEnum, 'When its counters restart at the first number.', { defaultValue: 'year' }),
  timeZone: field(String, 'IANA time zone; it determines what "today" is.', { defaultValue: 'Asia/Bangkok' }),
  fiscalStartMonth: field(Int, 'First month of the fiscal year, 1 to 12.', { defaultValue: 1 }),
  fiscalYearNamedBy: field(FiscalYearNameEnum, 'Which calendar year a fiscal year is named after.', {
    defaultValue: 'start',
  }),
  dateOrder: field(Boolean, 'Refuse a business date earlier than the last one of the counter (DATE_ORDER).', {
    defaultValue: false,
  }),
  closedUntil: optional(GraphQLLocalDate, 'Dates up to and including this one are closed; null: none.'),
  openUntil: optional(GraphQLLocalDate, 'Dates after this one are not open yet; null: no limit.'),
}) {}

@InputType('Conditions, combined with AND.')
export class DocumentNumberFormatFilter extends DocumentTypeFilter {}

@InputType('Identifies a format version that no number was printed with.')
export class WithdrawDocumentNumberFormatInput extends Fields(DocumentTypeInput, {
  version: field(Int, 'Version of the format, from 1.'),
}) {}

@InputType('Default template for the series of a project that have no format of their own.')
export class SaveDefaultDocumentNumberFormatInput extends Fields({
  projectCode: field(String, 'Code of the project.'),
  template: field(
    String,
    'Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}. It must include the dimensions of the series and its period.',
  ),
  overflow: field(WidthOverflowEnum, 'What happens to numbers that do not fit the width of {SEQ:n}.', {
    defaultValue: 'error',
  }),
}) {}

@InputType('A template to check for a document type that already has a series.')
export class CheckDocumentNumberFormatInput extends Fields(SaveDefaultDocumentNumberFormatInput, {
  typeCode: field(String, 'Code of the document type.'),
  validFrom: optional(
    GraphQLLocalDate,
    'First business date it applies to. Default: today; the first version applies to any date.',
  ),
}) {}

@InputType('The next version of a format. Existing counters and numbers do not change.')
export class SaveDocumentNumberFormatInput extends Fields(CheckDocumentNumberFormatInput, {
  description: optional(
    String,
    'What the format is for, 1 to 1,000 characters. Default: none for a new version.',
  ),
  rules: optional(
    SeriesRulesInput,
    'Rules for its counters. Default: unchanged; for a new series, a yearly reset in Asia/Bangkok.',
  ),
}) {}
