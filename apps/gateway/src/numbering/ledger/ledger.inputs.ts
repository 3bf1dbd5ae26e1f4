import type { NumberStatus } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLLocalDate } from 'graphql-scalars';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { DocumentNumberStatusEnum } from './document-number-status.js';

@InputType({ description: 'A number as it is printed; it is unique inside its project.' })
export class DocumentNumberText {
  @Field(() => String, { description: 'The project that it belongs to.' })
  projectCode!: string;

  @Field(() => String, { description: 'Such as TEAM-RFA-STR-2026-0001.' })
  number!: string;
}

@InputType({ description: 'Names one number, in exactly one way.' })
export class DocumentNumberBy {
  @Field(() => TsidScalar, { nullable: true, description: 'By the ID of its row.' })
  id?: bigint;

  @Field(() => DocumentNumberText, { nullable: true, description: 'By its text.' })
  number?: DocumentNumberText;
}

@ArgsType()
export class DocumentNumberArgs {
  @Field(() => DocumentNumberBy, { nullable: true, description: 'Which number.' })
  by?: DocumentNumberBy;

  @Field(() => TsidScalar, {
    nullable: true,
    description: 'The ID of its row.',
    deprecationReason: 'Use `by: { id }`. Removed after 2027-06-30.',
  })
  id?: bigint;

  @Field(() => String, {
    nullable: true,
    description: 'Its text, together with `projectCode`.',
    deprecationReason: 'Use `by: { number }`. Removed after 2027-06-30.',
  })
  number?: string;

  @Field(() => String, {
    nullable: true,
    description: 'The project of the text.',
    deprecationReason: 'Use `by: { number }`. Removed after 2027-06-30.',
  })
  projectCode?: string;
}

@InputType({ description: 'All given conditions hold together.' })
export class DocumentNumberFilter {
  @Field(() => String, {
    description: 'Of one project. Default: all that the caller may see.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, { description: 'Of one document type.', nullable: true })
  typeCode?: string;

  @Field(() => String, { description: 'Of one organisation.', nullable: true })
  organizationCode?: string;

  @Field(() => String, { description: 'Of one discipline.', nullable: true })
  disciplineCode?: string;

  @Field(() => String, { nullable: true, description: 'Such as 2026.' })
  period?: string;

  @Field(() => DocumentNumberStatusEnum, { description: 'In this state.', nullable: true })
  status?: NumberStatus;

  @Field(() => String, {
    nullable: true,
    description: 'Issued under this idempotency key; together with `projectCode`, in which a key is unique.',
  })
  idempotencyKey?: string;

  @Field(() => ID, { nullable: true, description: 'Taken by this person: the subject of their token.' })
  actorId?: string;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Earliest business date.' })
  dateFrom?: string;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Latest business date.' })
  dateTo?: string;
}
