import type {
  AmbiguousFormatError,
  DocumentFormat,
  FormatInUseError,
  InvalidFormatError,
  UnknownTokenError,
} from '@solegate/doc-numbering';
import { createUnionType, Field, Int, InterfaceType, ObjectType } from 'type-graphql';
import { domainTextOf } from '../../errors/public-error.js';

@ObjectType({ description: 'The version is taken back; earlier versions hold again.' })
export class DocumentNumberFormatWithdrawn {
  @Field(() => Int, { description: 'The version.' })
  version: number;

  constructor(version: number) {
    this.version = version;
  }
}

@ObjectType({ description: 'Numbers were printed by this version, so it stays.' })
export class DocumentNumberFormatInUse {
  @Field(() => Int, { description: 'The version.' })
  version: number;

  @Field(() => String, { description: 'For people: what to do instead.' })
  message: string;

  constructor(error: FormatInUseError) {
    this.version = error.version;
    this.message = domainTextOf(error);
  }
}

@ObjectType({ description: 'The template may be saved.' })
export class DocumentNumberFormatValid {
  @Field(() => Int, { description: 'The version that it would be.' })
  version: number;

  constructor({ version }: DocumentFormat) {
    this.version = version;
  }
}

@InterfaceType({ description: 'Why a template may not be saved.' })
abstract class DocumentNumberFormatFault {
  @Field(() => String, { description: 'For people.' })
  message: string;

  @Field(() => Int, { description: 'Index of the first character at fault, counted in UTF-16 units from 0.' })
  position: number;

  constructor(error: InvalidFormatError | UnknownTokenError | AmbiguousFormatError) {
    this.message = domainTextOf(error);
    this.position = error.position;
  }
}

@ObjectType({
  implements: DocumentNumberFormatFault,
  description: 'The template breaks the grammar, names an unknown token, or a rule of its series.',
})
export class DocumentNumberFormatInvalid extends DocumentNumberFormatFault {}

@ObjectType({
  implements: DocumentNumberFormatFault,
  description: 'Two counters could print the same number.',
})
export class DocumentNumberFormatAmbiguous extends DocumentNumberFormatFault {
  @Field(() => String, { description: 'A number that both would print.' })
  example: string;

  @Field(() => String, { description: 'One of the counters.' })
  first: string;

  @Field(() => String, { description: 'The other one.' })
  second: string;

  constructor(error: AmbiguousFormatError) {
    super(error);
    this.example = error.example;
    this.first = error.first;
    this.second = error.second;
  }
}

export const CheckDocumentNumberFormatResult = createUnionType({
  name: 'CheckDocumentNumberFormatResult',
  description: 'Whether the template may be saved.',
  types: () =>
    [DocumentNumberFormatValid, DocumentNumberFormatInvalid, DocumentNumberFormatAmbiguous] as const,
});

export const WithdrawDocumentNumberFormatResult = createUnionType({
  name: 'WithdrawDocumentNumberFormatResult',
  description: 'Whether the version was taken back.',
  types: () => [DocumentNumberFormatWithdrawn, DocumentNumberFormatInUse] as const,
});
