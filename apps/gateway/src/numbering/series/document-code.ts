import { Field, InputType, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The code of a token, such as A for REVISION.' })
@InputType('DocumentCodeInput', { description: 'The code of a token, such as A for REVISION.' })
export class DocumentCode {
  @Field(() => String, {
    description: 'Name of the token, such as SUB_TYPE, REVISION, or one of NUMBER_TOKENS.',
  })
  token!: string;

  @Field(() => String, {
    description: 'Code that it prints: 1 to 20 letters, digits, dots or underscores, in one script.',
  })
  code!: string;
}

@ObjectType({ description: 'A token whose codes have counters of their own within a series.' })
@InputType('DocumentSeriesDimensionInput', {
  description: 'A token whose codes have counters of their own within a series.',
})
export class DocumentSeriesDimension {
  @Field(() => String, { description: 'Name of the token, such as ORG, DISCIPLINE or SUB_TYPE.' })
  token!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Code that is printed and counted if a request has none, such as GEN. Null: every request needs a code.',
  })
  none?: string;
}

/** The codes that select a counter, as the API shows them. */
export function codesOf({ dimensions }: { readonly dimensions: Readonly<Record<string, string>> }) {
  return {
    organizationCode: dimensions.ORG,
    disciplineCode: dimensions.DISCIPLINE,
    dimensions: Object.entries(dimensions).map(([token, code]): DocumentCode => ({ token, code })),
  };
}
