import type { NumberStatus } from '@solegate/doc-numbering';
import { Field, InputType } from 'type-graphql';
import { DocumentNumberStatusEnum } from './document-number-status.js';

@InputType({ description: 'All given conditions hold together.' })
export class DocumentNumberFilter {
  @Field(() => String, { nullable: true })
  projectCode?: string;

  @Field(() => String, { nullable: true })
  typeCode?: string;

  @Field(() => String, { nullable: true })
  organizationCode?: string;

  @Field(() => String, { nullable: true })
  disciplineCode?: string;

  @Field(() => String, { nullable: true, description: 'Such as 2026.' })
  period?: string;

  @Field(() => DocumentNumberStatusEnum, { nullable: true })
  status?: NumberStatus;

  @Field(() => String, { nullable: true, description: 'Earliest business date, YYYY-MM-DD.' })
  dateFrom?: string;

  @Field(() => String, { nullable: true, description: 'Latest business date, YYYY-MM-DD.' })
  dateTo?: string;
}

@InputType({ description: 'All given conditions hold together.' })
export class DocumentNumberCounterFilter {
  @Field(() => String, { nullable: true })
  projectCode?: string;

  @Field(() => String, { nullable: true })
  typeCode?: string;

  @Field(() => String, { nullable: true, description: 'Such as 2026.' })
  period?: string;
}
