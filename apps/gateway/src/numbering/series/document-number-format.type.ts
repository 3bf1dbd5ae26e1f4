import type { DocumentFormat, Overflow } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLLocalDate } from 'graphql-scalars';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';

export const WidthOverflowEnum = { ERROR: 'error', WIDEN: 'widen' } as const satisfies Record<
  string,
  Overflow
>;

registerEnumType(WidthOverflowEnum, {
  name: 'WidthOverflow',
  description: 'What happens at the first number that does not fit the width of {SEQ:n}.',
  valuesConfig: {
    ERROR: { description: 'It is refused.' },
    WIDEN: { description: 'It is printed with more digits.' },
  },
});

@ObjectType({ description: 'One version of a format; versions never change.' })
export class DocumentNumberFormat {
  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode: string;

  @Field(() => Int, { description: '1, 2, 3 … for each project and type.' })
  version: number;

  @Field(() => String, { description: 'Such as {ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}.' })
  template: string;

  @Field(() => WidthOverflowEnum, { description: 'What happens at the first number that does not fit.' })
  overflow: Overflow;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'First business date; null: from the beginning.',
  })
  validFrom: string | undefined;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Last business date; null for the newest version.',
  })
  validUntil: string | undefined;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was saved.' })
  createdAt: Date;

  readonly projectId: bigint;

  constructor(format: DocumentFormat) {
    this.typeCode = format.series;
    this.version = format.version;
    this.template = format.template;
    this.overflow = format.overflow;
    this.validFrom = format.validFrom;
    this.validUntil = format.validUntil;
    this.createdAt = format.createdAt;
    this.projectId = BigInt(format.space);
  }
}

@ObjectType({
  description: 'How the next number looks at this moment. It is not promised: somebody else may get it.',
})
export class DocumentNumberPreview {
  @Field(() => String, { description: 'As it would be printed.' })
  number!: string;

  @Field(() => Int, { description: 'Its position in its counter.' })
  sequence!: number;

  @Field(() => String, { description: 'The period of its counter.' })
  period!: string;

  @Field(() => Int, { description: 'The version of the format that prints it.' })
  formatVersion!: number;

  @Field(() => Boolean, { description: 'Always false.' })
  promised!: boolean;
}
