import { GraphQLLocalDate } from 'graphql-scalars';
import { Fields, field, InputType, ObjectType, optional } from '../../graphql/fields.js';

@ObjectType('The code of a token, such as A for REVISION.')
@InputType('The code of a token, such as A for REVISION.', { name: 'DocumentCodeInput' })
export class DocumentCode extends Fields({
  token: field(String, 'Name of the token, such as SUB_TYPE, REVISION, or one of NUMBER_TOKENS.'),
  code: field(String, 'Code that it prints: 1 to 20 letters, digits, dots or underscores, in one script.'),
}) {}

@ObjectType('A token whose codes have counters of their own within a series.')
@InputType('A token whose codes have counters of their own within a series.', {
  name: 'DocumentSeriesDimensionInput',
})
export class DocumentSeriesDimension extends Fields({
  token: field(String, 'Name of the token, such as ORG, DISCIPLINE or SUB_TYPE.'),
  none: optional(
    String,
    'Code that is printed and counted if a request has none, such as GEN. Null: every request needs a code.',
  ),
}) {}

/** The codes that select a counter, as the API shows them. */
export function codesOf({ dimensions }: { readonly dimensions: Readonly<Record<string, string>> }) {
  return {
    organizationCode: dimensions.ORG,
    disciplineCode: dimensions.DISCIPLINE,
    dimensions: Object.entries(dimensions).map(([token, code]): DocumentCode => ({ token, code })),
  };
}

@InputType('Identifies a counter by master data codes; an unknown code is refused (UNKNOWN_CODE).')
export class DocumentSeriesInput extends Fields({
  projectCode: field(String, 'Code of the project, which is the number space.'),
  organizationCode: field(String, 'Code of the organization the document comes from.'),
  typeCode: field(String, 'Code of the document type.'),
  disciplineCode: optional(
    String,
    'Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none.',
  ),
  recipientCode: optional(String, 'Code of the receiving organization; printed by {RECIPIENT}.'),
  fields: optional(
    [DocumentCode],
    'Codes of further tokens. The series counts by its dimensions; the format prints what it names.',
  ),
  date: optional(
    GraphQLLocalDate,
    'Business date; it determines the period. Default: today in the time zone of the series.',
  ),
  otherPeriod: field(Boolean, 'Allows a date in an earlier or later period, which must be open.', {
    defaultValue: false,
  }),
}) {}

@InputType('Identifies the series of a document type.')
export class DocumentTypeInput extends Fields({
  projectCode: field(String, 'Code of the project.'),
  typeCode: field(String, 'Code of the document type.'),
}) {}
