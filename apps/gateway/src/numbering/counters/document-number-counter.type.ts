import type { CounterState } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Float, ID, InputType, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A counter as it stands. It only rises.' })
export class DocumentNumberCounter {
  @Field(() => ID, { description: 'Its row.' })
  id: string;

  @Field(() => String, { description: 'The document type that it numbers.' })
  typeCode: string;

  @Field(() => String, { description: 'The organisation whose numbers it counts.', nullable: true })
  organizationCode: string | undefined;

  @Field(() => String, { description: 'The discipline whose numbers it counts.', nullable: true })
  disciplineCode: string | undefined;

  @Field(() => String, { description: 'The period that it counts in, such as 2026.' })
  period: string;

  @Field(() => GraphQLSafeInt, { description: 'The last number that was drawn; 0 before the first.' })
  lastNumber: number;

  @Field(() => GraphQLSafeInt, { description: 'Rises with every draw.' })
  version: number;

  @Field(() => Float, { nullable: true, description: 'Part of the width of the format in use, 0 to 1.' })
  widthUsed: number | undefined;

  @Field(() => GraphQLDateTimeISO, { description: 'When it was last drawn from.' })
  updatedAt: Date;

  readonly projectId: bigint;

  constructor(counter: CounterState) {
    this.id = counter.counterId;
    this.typeCode = counter.series;
    this.organizationCode = counter.dimensions.ORG;
    this.disciplineCode = counter.dimensions.DISCIPLINE;
    this.period = counter.period;
    this.lastNumber = counter.lastNumber;
    this.version = counter.version;
    this.widthUsed = counter.widthUsed;
    this.updatedAt = counter.updatedAt;
    this.projectId = BigInt(counter.space);
  }
}

@InputType({ description: 'All given conditions hold together.' })
export class DocumentNumberCounterFilter {
  @Field(() => String, {
    description: 'Of one project. Default: all that the caller may see.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, { description: 'Of one document type.', nullable: true })
  typeCode?: string;

  @Field(() => String, { nullable: true, description: 'Such as 2026.' })
  period?: string;
}
