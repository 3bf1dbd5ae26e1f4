import type { Overflow } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLLocalDate } from 'graphql-scalars';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';

export const WidthOverflowEnum = { ERROR: 'error', WIDEN: 'widen' } as const satisfies Record<
  string,
  Overflow
>;

registerEnumType(WidthOverflowEnum, {
  name: 'WidthOverflow',
  description: 'What happens to numbers that do not fit the width of {SEQ:n}.',
  valuesConfig: {
    ERROR: { description: 'The number is refused.' },
    WIDEN: { description: 'The number is printed with more digits.' },
  },
});

@ObjectType({ description: 'One version of a format. Versions never change.' })
export class DocumentNumberFormat {
  @Field(() => String, { name: 'typeCode', description: 'Code of the document type.' })
  series!: string;

  @Field(() => Int, { description: 'Version number: 1, 2, 3 … for each project and document type.' })
  version!: number;

  @Field(() => String, { description: 'Template, such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}.' })
  template!: string;

  @Field(() => String, { nullable: true, description: 'What the format is for.' })
  description!: string | undefined;

  @Field(() => WidthOverflowEnum, {
    description: 'What happens to numbers that do not fit the width of {SEQ:n}.',
  })
  overflow!: Overflow;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'First business date it applies to; null: no lower limit.',
  })
  validFrom!: string | undefined;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Last business date it applies to; null for the newest version.',
  })
  validUntil!: string | undefined;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was saved.' })
  createdAt!: Date;

  readonly id!: string;
  readonly space!: string;
}

@ObjectType({
  description: 'The next number as it looks now. It is not reserved: another caller might get it first.',
})
export class DocumentNumberPreview {
  @Field(() => String, { description: 'The number as it would be printed.' })
  number!: string;

  @Field(() => Int, { description: 'Position in its counter.' })
  sequence!: number;

  @Field(() => String, { description: 'Period of its counter.' })
  period!: string;

  @Field(() => Int, { description: 'Version of the format that would print it.' })
  formatVersion!: number;

  @Field(() => Boolean, { description: 'Always false: the number is not reserved.' })
  promised!: boolean;
}
