import type { FormatInUseError } from '@solegate/doc-numbering';
import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { domainTextOf } from '../errors/public-error.js';

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

export const WithdrawDocumentNumberFormatResult = createUnionType({
  name: 'WithdrawDocumentNumberFormatResult',
  description: 'Whether the version was taken back.',
  types: () => [DocumentNumberFormatWithdrawn, DocumentNumberFormatInUse] as const,
});
