import { GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { ID, Int } from 'type-graphql';
import { Fields, field, InputType, nullable, ObjectType, optional } from '../../graphql/fields.js';
import { DocumentSeriesDimension, DocumentTypeInput } from './document-series.input.js';
import { CounterResetEnum, FiscalYearNameEnum, SeriesRulesInput } from './format.inputs.js';

@ObjectType('Sequences of a series that only `assignDocumentNumber` can issue, both ends included.')
@InputType('Sequences that only `assignDocumentNumber` can issue, both ends included.', {
  name: 'NumberIntervalInput',
})
class NumberInterval extends Fields({
  first: field(GraphQLSafeInt, 'Lowest sequence.'),
  last: field(GraphQLSafeInt, 'Highest sequence.'),
}) {}

@ObjectType('Numbering rules of one document type in a project.')
export class DocumentSeries extends Fields({
  id: field(ID, 'ID of the series.'),
  series: field(String, 'Code of the document type.', { name: 'typeCode' }),
  dimensions: field([DocumentSeriesDimension], 'Tokens whose codes have counters of their own.'),
  reset: field(CounterResetEnum, 'When its counters restart.'),
  timeZone: field(String, 'IANA time zone; it determines what "today" is.'),
  fiscalStartMonth: field(Int, 'First month of the fiscal year, 1 to 12.'),
  fiscalYearNamedBy: field(FiscalYearNameEnum, 'Which calendar year a fiscal year is named after.'),
  startAt: field(GraphQLSafeInt, 'First number of every counter.'),
  dateOrder: field(Boolean, 'Whether a business date earlier than the last one is refused (DATE_ORDER).'),
  closedUntil: nullable(GraphQLLocalDate, 'Dates up to and including this one are closed; null: none.'),
  openUntil: nullable(GraphQLLocalDate, 'Dates after this one are not open yet; null: no limit.'),
  manualInterval: nullable(
    NumberInterval,
    'Sequences that only `assignDocumentNumber` can issue; null: none.',
  ),
  endAt: nullable(
    GraphQLSafeInt,
    'Last number of every counter, such as the end of an authorized range; null: limited by the format only.',
  ),
  authorityCode: nullable(
    String,
    'Code that an authority assigned to the series or its range; printed by {AUTHORITY}.',
  ),
  blocked: nullable(String, 'Why the series is blocked; null while it is open.', { name: 'blockedReason' }),
  revision: field(Int, 'Increases with every change to its rules or formats.'),
}) {
  declare readonly space: string;
}

@InputType('Defines the series of a document type, or changes the rules that can change.')
export class DefineDocumentSeriesInput extends Fields(DocumentTypeInput, {
  rules: field(SeriesRulesInput, 'Rules for its counters.'),
  startAt: optional(GraphQLSafeInt, 'First number of every counter. Default: 1.'),
  manualInterval: optional(
    NumberInterval,
    'Sequences that only `assignDocumentNumber` can issue. Default: none.',
  ),
  endAt: optional(
    GraphQLSafeInt,
    'Last number of every counter, such as the end of an authorized range. Default: limited by the format only.',
  ),
  authorityCode: optional(
    String,
    'Code that an authority assigned to the series or its range, such as a Portuguese validation code; printed by {AUTHORITY}. Up to 20 characters. Default: none.',
  ),
  expectedRevision: optional(
    Int,
    'Revision that the change is based on; refused (SERIES_CHANGED) if the series has changed since. Default: the current revision.',
  ),
}) {}

@InputType('Blocks a series, temporarily or permanently.')
export class BlockDocumentSeriesInput extends Fields(DocumentTypeInput, {
  reason: field(
    String,
    'Reason, such as "replaced by RFI"; shown to callers who request a number. 1 to 1,000 characters.',
  ),
}) {}
