import { createUnionType, Field, Int, InterfaceType, ObjectType } from 'type-graphql';
import { soleResult } from '../../graphql/mutation-result.js';
import { Refusal } from '../../graphql/refusal.type.js';
import { DocumentNumberFormat } from './document-number-format.type.js';

@ObjectType({ description: 'The version was withdrawn; earlier versions apply again.' })
export class DocumentNumberFormatWithdrawn {
  @Field(() => Int, { description: 'The version.' })
  version!: number;
}

@ObjectType({
  implements: Refusal,
  description: 'Numbers have been printed with this version, so it cannot be withdrawn.',
})
export class DocumentNumberFormatInUse extends Refusal {
  @Field(() => Int, { description: 'The version.' })
  version!: number;
}

@ObjectType({ description: 'The template can be saved.' })
export class DocumentNumberFormatValid {
  @Field(() => Int, { description: 'Version that it would be saved as.' })
  version!: number;
}

@InterfaceType({ description: 'Why a template cannot be saved.' })
abstract class DocumentNumberFormatFault {
  @Field(() => String, { description: 'Human-readable message.' })
  message!: string;

  @Field(() => Int, { description: 'Index of the first offending character, in UTF-16 code units, from 0.' })
  position!: number;
}

@ObjectType({
  implements: DocumentNumberFormatFault,
  description: 'The template breaks the grammar or a rule of its series, or names an unknown token.',
})
export class DocumentNumberFormatInvalid extends DocumentNumberFormatFault {}

@ObjectType({
  implements: DocumentNumberFormatFault,
  description: 'With this template, two counters could print the same number.',
})
export class DocumentNumberFormatAmbiguous extends DocumentNumberFormatFault {
  @Field(() => String, { description: 'A number that both counters would print.' })
  example!: string;

  @Field(() => String, { description: 'One of the counters.' })
  first!: string;

  @Field(() => String, { description: 'The other counter.' })
  second!: string;
}

export const CheckDocumentNumberFormatResult = createUnionType({
  name: 'CheckDocumentNumberFormatResult',
  description: 'Whether the template can be saved.',
  types: () =>
    [DocumentNumberFormatValid, DocumentNumberFormatInvalid, DocumentNumberFormatAmbiguous] as const,
});

export const SaveDocumentNumberFormatResult = soleResult(
  'SaveDocumentNumberFormatResult',
  'The saved version.',
  DocumentNumberFormat,
);

@ObjectType({ description: 'The default template was saved.' })
export class DefaultDocumentNumberFormatSaved {
  @Field(() => [DocumentNumberFormat], {
    description: 'The formats saved for existing series that had none and that the template fits.',
  })
  formats!: readonly DocumentNumberFormat[];
}

export const SaveDefaultDocumentNumberFormatResult = soleResult(
  'SaveDefaultDocumentNumberFormatResult',
  'What the default template was saved for.',
  DefaultDocumentNumberFormatSaved,
);

export const WithdrawDocumentNumberFormatResult = createUnionType({
  name: 'WithdrawDocumentNumberFormatResult',
  description: 'Whether the version was withdrawn.',
  types: () => [DocumentNumberFormatWithdrawn, DocumentNumberFormatInUse] as const,
});
