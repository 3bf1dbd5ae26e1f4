import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Float, ID } from 'type-graphql';
import { Fields, field, InputType, nullable, ObjectType, optional } from '../../graphql/fields.js';
import { DocumentTypeFilter } from '../../master-data/project-filter.js';
import { DocumentCode } from '../series/document-series.input.js';

@ObjectType('Current state of a counter. Counters only increase.')
export class DocumentNumberCounter extends Fields({
  counterId: field(ID, 'ID of the counter.', { name: 'id' }),
  series: field(String, 'Code of the document type.', { name: 'typeCode' }),
  organizationCode: nullable(String, 'Code of the organization whose numbers it counts.'),
  disciplineCode: nullable(String, 'Code of the discipline whose numbers it counts.'),
  dimensions: field([DocumentCode], 'All codes that it counts by, by name of their token.'),
  period: field(String, 'Period it counts in, such as 2026.'),
  lastNumber: field(GraphQLSafeInt, 'Last number issued or reserved; 0 before the first.'),
  version: field(GraphQLSafeInt, 'Increases each time numbers are issued.'),
  widthUsed: nullable(
    Float,
    'Share of the width of the current format that is used, 0 to 1; above 1 only with WIDEN.',
  ),
  updatedAt: field(GraphQLDateTimeISO, 'When it last issued numbers.'),
}) {
  declare readonly space: string;
}

@InputType('Conditions, combined with AND.')
export class DocumentNumberCounterFilter extends Fields(DocumentTypeFilter, {
  period: optional(String, 'Period, such as 2026.'),
}) {}
