import { GraphQLLocalDate } from 'graphql-scalars';
import { Field, InputType } from 'type-graphql';

@InputType({
  description: 'Names one counter by the codes of master data; a code that does not exist is refused.',
})
export class DocumentSeriesInput {
  @Field(() => String, { description: 'The project, which is the number space.' })
  projectCode!: string;

  @Field(() => String, { description: 'Who the document comes from.' })
  organizationCode!: string;

  @Field(() => String, { description: 'The document type.' })
  typeCode!: string;

  @Field(() => String, { description: 'The discipline.' })
  disciplineCode!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Organisation that receives it; printed where the format has {RECIPIENT}.',
  })
  recipientCode?: string;

  @Field(() => GraphQLLocalDate, {
    nullable: true,
    description: 'Business date, which chooses the period. Default: today in the time zone of the series.',
  })
  date?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Says that a date in an earlier or later period is meant; that period must be open.',
  })
  otherPeriod!: boolean;
}
