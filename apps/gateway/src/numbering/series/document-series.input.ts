import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, InputType } from 'type-graphql';
import { DocumentCode } from './document-code.js';

@InputType({
  description: 'Identifies a counter by master data codes; an unknown code is refused (UNKNOWN_CODE).',
})
export class DocumentSeriesInput {
  @Field(() => String, { description: 'Code of the project, which is the number space.' })
  projectCode!: string;

  @Field(() => String, { description: 'Code of the organization the document comes from.' })
  organizationCode!: string;

  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Code of the discipline. Required (UNKNOWN_CODE) if the series counts by discipline without a code for none.',
  })
  disciplineCode?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Code of the receiving organization; printed by {RECIPIENT}.',
  })
  recipientCode?: string;

  @Field(() => [DocumentCode], {
    nullable: true,
    description:
      'Codes of further tokens. The series counts by its dimensions; the format prints what it names.',
  })
  fields?: DocumentCode[];

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Business date; it determines the period. Default: today in the time zone of the series.',
  })
  date?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Allows a date in an earlier or later period, which must be open.',
  })
  otherPeriod!: boolean;
}
