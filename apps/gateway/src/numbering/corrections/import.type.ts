import { GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { Fields, field, InputType, nullable, ObjectType, optional } from '../../graphql/fields.js';
import { DocumentCode } from '../series/document-series.input.js';

@InputType('A number issued by another system.')
class ImportedNumberInput extends Fields({
  typeCode: field(String, 'Code of the document type.'),
  organizationCode: field(String, 'Code of the organization the document comes from.'),
  disciplineCode: optional(String, 'Code of the discipline.'),
  recipientCode: optional(String, 'Code of the receiving organization.'),
  fields: optional([DocumentCode], 'Codes of further tokens.'),
  sequence: field(GraphQLSafeInt, 'Position in its counter.'),
  date: field(GraphQLLocalDate, 'Business date.'),
  number: optional(String, 'The number as printed. Default: as the format valid on the date prints it.'),
}) {}

@InputType('Numbers to import. Either all rows are stored or none; counters only increase.')
export class ImportDocumentNumbersInput extends Fields({
  projectCode: field(String, 'Code of the project the numbers belong to.'),
  rows: field([ImportedNumberInput], 'The numbers, 1 to 1,000 rows.'),
  dryRun: field(Boolean, 'Check and count without storing anything.', { defaultValue: false }),
  recordHoles: field(
    Boolean,
    'Record numbers missing from the rows as cancelled. Otherwise, the import is refused if there is a hole.',
    { defaultValue: false },
  ),
  reason: optional(String, 'Reason, kept in the ledger.'),
}) {}

@ObjectType('Why a row or a hole prevents the import.')
class ImportProblem extends Fields({
  row: nullable(Int, 'Index in `rows`; null for a hole.'),
  code: field(String, 'Problem code, in capitals.'),
  message: field(String, 'Human-readable message.'),
}) {}

@ObjectType('Result of an import, or why nothing was imported.')
export class ImportReport extends Fields({
  imported: field(Boolean, 'Whether the rows were stored; false after a dry run or if there are problems.'),
  rowCount: field(Int, 'Rows in the request.'),
  recordedHoleCount: field(
    Int,
    'Numbers missing from the rows that were recorded as cancelled, or would be after a dry run. 0 if there are problems.',
  ),
  problemCount: field(Int, 'Total number of problems.'),
  problems: field([ImportProblem], 'The first 100 problems.'),
}) {}
