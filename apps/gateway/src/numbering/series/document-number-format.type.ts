import type { Overflow } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Int } from 'type-graphql';
import { enumType, Fields, field, nullable, ObjectType } from '../../graphql/fields.js';

export const WidthOverflowEnum = enumType<Overflow>(
  'WidthOverflow',
  'What happens to numbers that do not fit the width of {SEQ:n}.',
  {
    error: 'The number is refused.',
    widen: 'The number is printed with more digits.',
  },
);

@ObjectType('One version of a format. Versions never change.')
export class DocumentNumberFormat extends Fields({
  series: field(String, 'Code of the document type.', { name: 'typeCode' }),
  version: field(Int, 'Version number: 1, 2, 3 … for each project and document type.'),
  template: field(String, 'Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}.'),
  description: nullable(String, 'What the format is for.'),
  overflow: field(WidthOverflowEnum, 'What happens to numbers that do not fit the width of {SEQ:n}.'),
  validFrom: nullable(GraphQLLocalDate, 'First business date it applies to; null: no lower limit.'),
  validUntil: nullable(GraphQLLocalDate, 'Last business date it applies to; null for the newest version.'),
  createdAt: field(GraphQLDateTimeISO, 'When it was saved.'),
}) {
  declare readonly id: string;
  declare readonly space: string;
}

@ObjectType('The next number as it looks now. It is not reserved: another caller might get it first.')
export class DocumentNumberPreview extends Fields({
  number: field(String, 'The number as it would be printed.'),
  sequence: field(GraphQLSafeInt, 'Position in its counter.'),
  period: field(String, 'Period of its counter.'),
  formatVersion: field(Int, 'Version of the format that would print it.'),
  promised: field(Boolean, 'Always false: the number is not reserved.'),
}) {}
