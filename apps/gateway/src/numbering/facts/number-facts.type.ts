import type { NumberFactKind } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ID } from 'type-graphql';
import { ArgsType, enumType, Fields, field, nullable, ObjectType, optional } from '../../graphql/fields.js';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { DocumentCode } from '../series/document-series.input.js';

const NumberFactKindEnum = enumType<NumberFactKind>('DocumentNumberFactKind', 'What happened to a number.', {
  ISSUED: 'It was drawn, assigned or imported.',
  RESERVED: 'It was reserved.',
  SKIPPED: 'It was recorded as never used.',
  CONFIRMED: 'Its reservation was confirmed.',
  CANCELLED: 'Its reservation was cancelled, or has expired.',
  VOIDED: 'It was taken out of use, perhaps replaced.',
});

@ObjectType('One fact about one number.')
class DocumentNumberFact extends Fields({
  kind: field(NumberFactKindEnum, 'What happened.'),
  number: field(DocumentNumber, 'The number when the fact was read: later facts can already show in it.'),
  actorId: field(ID, 'Who did it: the subject of their token.'),
  reason: nullable(String, 'Why, if a reason was given.'),
  replacedBy: nullable(String, 'The number that replaces a void one.'),
  at: field(GraphQLDateTimeISO, 'When, by the PostgreSQL clock.'),
}) {}

@ObjectType('Facts about numbers, and where to continue after them.')
export class DocumentNumberFacts extends Fields({
  facts: field(
    [DocumentNumberFact],
    'In the order of each counter, then of what became of numbers; at most 100.',
  ),
  cursor: field(
    String,
    'Opaque cursor after these facts, at most 4,096 characters. Store it with what you made of them, and pass it as `after`.',
  ),
}) {}

@ArgsType()
export class DocumentNumberFactsArgs extends Fields({
  projectCode: field(String, 'Code of the project.'),
  typeCode: field(String, 'Code of the document type.'),
  organizationCode: optional(String, 'Only counters of this organization.'),
  disciplineCode: optional(String, 'Only counters of this discipline.'),
  dimensions: optional([DocumentCode], 'Only counters with these codes.'),
  period: optional(String, 'Only counters of this period, such as 2026.'),
  after: optional(
    String,
    'Cursor of the last facts that you have, from this subscription or a wider one of the series. Default: from the first number.',
  ),
}) {}
