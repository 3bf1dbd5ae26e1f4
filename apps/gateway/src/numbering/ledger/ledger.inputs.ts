import type { NumberStatus } from '@solegate/doc-numbering';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, ID, InputType } from 'type-graphql';
import { DocumentNumberStatusEnum } from './document-number-status.js';

@InputType({ description: 'A number as printed, which is unique within its project.' })
export class DocumentNumberText {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, { description: 'The number as printed, such as TEAM-RFA-STR-2026-0001.' })
  number!: string;
}

@InputType({ description: 'Identifies one number; give exactly one field.' })
export class DocumentNumberBy {
  @Field(() => TsidScalar, { nullable: true, description: 'ID of its ledger row.' })
  id?: bigint;

  @Field(() => DocumentNumberText, { nullable: true, description: 'Its text and its project.' })
  number?: DocumentNumberText;
}

/** Conditions of every list and search of numbers. */
@InputType()
export abstract class NumberConditions {
  @Field(() => DocumentNumberStatusEnum, { description: 'Only numbers with this status.', nullable: true })
  status?: NumberStatus;

  @Field(() => ID, {
    nullable: true,
    description: 'Only numbers issued or recorded by this actor: the subject of their token.',
  })
  actorId?: string;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Earliest business date, inclusive.' })
  dateFrom?: string;

  @Field(() => GraphQLLocalDate, { nullable: true, description: 'Latest business date, inclusive.' })
  dateTo?: string;
}

@InputType({ description: 'Conditions, combined with AND.' })
export class DocumentNumberFilter extends NumberConditions {
  @Field(() => String, {
    description:
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The number as printed. Without `projectCode`: in every project the caller can access, since each can print it.',
  })
  number?: string;

  @Field(() => String, { description: 'Code of one document type.', nullable: true })
  typeCode?: string;

  @Field(() => String, { description: 'Code of one organization.', nullable: true })
  organizationCode?: string;

  @Field(() => String, { description: 'Code of one discipline.', nullable: true })
  disciplineCode?: string;

  @Field(() => String, { nullable: true, description: 'Period, such as 2026.' })
  period?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Only numbers issued under this idempotency key. Keys are unique within a project, so give `projectCode` too.',
  })
  idempotencyKey?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the counter that began last, and its last number, come first. Default: false, in the order of numbers or counters.',
  })
  newestFirst?: boolean;
}
