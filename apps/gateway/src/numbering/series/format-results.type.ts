import { createUnionType, Int } from 'type-graphql';
import { Fields, field, InterfaceType, ObjectType } from '../../graphql/fields.js';
import { Refusal } from '../../graphql/results.js';
import { DocumentNumberFormat } from './document-number-format.type.js';

@ObjectType('The version was withdrawn; earlier versions apply again.')
export class DocumentNumberFormatWithdrawn extends Fields({
  version: field(Int, 'The version.'),
}) {}

@ObjectType('Numbers have been printed with this version, so it cannot be withdrawn.')
export class DocumentNumberFormatInUse extends Fields(Refusal, {
  version: field(Int, 'The version.'),
}) {}

@ObjectType('The template can be saved.')
export class DocumentNumberFormatValid extends Fields({
  version: field(Int, 'Version that it would be saved as.'),
}) {}

@InterfaceType('Why a template cannot be saved.')
abstract class DocumentNumberFormatFault extends Fields({
  message: field(String, 'Human-readable message.'),
  position: field(Int, 'Index of the first offending character, in UTF-16 code units, from 0.'),
}) {}

@ObjectType('The template breaks the grammar or a rule of its series, or names an unknown token.')
export class DocumentNumberFormatInvalid extends DocumentNumberFormatFault {}

@ObjectType('With this template, two counters could print the same number.')
export class DocumentNumberFormatAmbiguous extends Fields(DocumentNumberFormatFault, {
  example: field(String, 'A number that both counters would print.'),
  first: field(String, 'One of the counters.'),
  second: field(String, 'The other counter.'),
}) {}

export const CheckDocumentNumberFormatResult = createUnionType({
  name: 'CheckDocumentNumberFormatResult',
  description: 'Whether the template can be saved.',
  types: () =>
    [DocumentNumberFormatValid, DocumentNumberFormatInvalid, DocumentNumberFormatAmbiguous] as const,
});

@ObjectType('The default template was saved.')
export class DefaultDocumentNumberFormatSaved extends Fields({
  formats: field(
    [DocumentNumberFormat],
    'The formats saved for existing series that had none and that the template fits.',
  ),
}) {}
