import { GraphQLDateTimeISO, GraphQLSafeInt } from 'graphql-scalars';
import { Field, Float, ID, InputType, ObjectType } from 'type-graphql';
import { DocumentCode } from '../series/document-code.js';

@ObjectType({ description: 'Current state of a counter. Counters only increase.' })
export class DocumentNumberCounter {
  @Field(() => ID, { name: 'id', description: 'ID of the counter.' })
  counterId!: string;

  @Field(() => String, { name: 'typeCode', description: 'Code of the document type.' })
  series!: string;

  @Field(() => String, { description: 'Code of the organization whose numbers it counts.', nullable: true })
  organizationCode!: string | undefined;

  @Field(() => String, { description: 'Code of the discipline whose numbers it counts.', nullable: true })
  disciplineCode!: string | undefined;

  @Field(() => [DocumentCode], { description: 'All codes that it counts by, by name of their token.' })
  dimensions!: readonly DocumentCode[];

  @Field(() => String, { description: 'Period it counts in, such as 2026.' })
  period!: string;

  @Field(() => GraphQLSafeInt, { description: 'Last number issued or reserved; 0 before the first.' })
  lastNumber!: number;

  @Field(() => GraphQLSafeInt, { description: 'Increases each time numbers are issued.' })
  version!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Share of the width of the current format that is used, 0 to 1; above 1 only with WIDEN.',
  })
  widthUsed!: number | undefined;

  @Field(() => GraphQLDateTimeISO, { description: 'When it last issued numbers.' })
  updatedAt!: Date;

  readonly space!: string;
}

@InputType({ description: 'Conditions, combined with AND.' })
export class DocumentNumberCounterFilter {
  @Field(() => String, {
    description:
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, { description: 'Code of one document type.', nullable: true })
  typeCode?: string;

  @Field(() => String, { nullable: true, description: 'Period, such as 2026.' })
  period?: string;
}
