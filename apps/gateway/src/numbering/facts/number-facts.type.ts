import type { NumberFactKind } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ArgsType, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DocumentNumber } from '../ledger/document-number.type.js';
import { DocumentCode } from '../series/document-code.js';

const NumberFactKindEnum = {
  ISSUED: 'issued',
  RESERVED: 'reserved',
  SKIPPED: 'skipped',
  CONFIRMED: 'confirmed',
  CANCELLED: 'cancelled',
  VOIDED: 'voided',
} as const satisfies Record<string, NumberFactKind>;

registerEnumType(NumberFactKindEnum, {
  name: 'DocumentNumberFactKind',
  description: 'What happened to a number.',
  valuesConfig: {
    ISSUED: { description: 'It was drawn, assigned or imported.' },
    RESERVED: { description: 'It was reserved.' },
    SKIPPED: { description: 'It was recorded as never used.' },
    CONFIRMED: { description: 'Its reservation was confirmed.' },
    CANCELLED: { description: 'Its reservation was cancelled, or has expired.' },
    VOIDED: { description: 'It was taken out of use, perhaps replaced.' },
  },
});

@ObjectType({ description: 'One fact about one number.' })
export class DocumentNumberFact {
  @Field(() => NumberFactKindEnum, { description: 'What happened.' })
  kind!: NumberFactKind;

  @Field(() => DocumentNumber, {
    description: 'The number when the fact was read: later facts can already show in it.',
  })
  number!: DocumentNumber;

  @Field(() => ID, { description: 'Who did it: the subject of their token.' })
  actorId!: string;

  @Field(() => String, { nullable: true, description: 'Why, if a reason was given.' })
  reason!: string | undefined;

  @Field(() => String, { nullable: true, description: 'The number that replaces a void one.' })
  replacedBy!: string | undefined;

  @Field(() => GraphQLDateTimeISO, { description: 'When, by the PostgreSQL clock.' })
  at!: Date;
}

@ObjectType({ description: 'Facts about numbers, and where to continue after them.' })
export class DocumentNumberFacts {
  @Field(() => [DocumentNumberFact], {
    description: 'In the order of each counter, then of what became of numbers; at most 100.',
  })
  facts!: DocumentNumberFact[];

  @Field(() => String, {
    description:
      'Opaque cursor after these facts, at most 4,096 characters. Store it with what you made of them, and pass it as `after`.',
  })
  cursor!: string;
}

@ArgsType()
export class DocumentNumberFactsArgs {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;

  @Field(() => String, { nullable: true, description: 'Only counters of this organization.' })
  organizationCode?: string | null;

  @Field(() => String, { nullable: true, description: 'Only counters of this discipline.' })
  disciplineCode?: string | null;

  @Field(() => [DocumentCode], { nullable: true, description: 'Only counters with these codes.' })
  dimensions?: DocumentCode[] | null;

  @Field(() => String, { nullable: true, description: 'Only counters of this period, such as 2026.' })
  period?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the last facts that you have, from this subscription or a wider one of the series. Default: from the first number.',
  })
  after?: string | null;
}
