import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType } from 'type-graphql';
import { IssueDocumentNumberInput } from '../issue/issue.inputs.js';
import { DocumentSeriesInput } from '../series/document-series.input.js';

@InputType({ description: 'Request for one chosen number.' })
export class AssignDocumentNumberInput extends DocumentSeriesInput {
  @Field(() => GraphQLSafeInt, {
    description:
      'Sequence to assign: above the counter (the numbers in between are recorded as cancelled), or in the manual interval of the series.',
  })
  sequence!: number;

  @Field(() => String, { description: 'Reason, 1 to 1,000 characters.' })
  reason!: string;
}

@InputType({ description: 'Records numbers that will never be issued, such as those lost in a failover.' })
export class SkipDocumentNumbersInput extends DocumentSeriesInput {
  @Field(() => GraphQLSafeInt, {
    description: 'Last number to record as cancelled, at most 100,000 above the counter.',
  })
  upTo!: number;

  @Field(() => String, { description: 'Reason, 1 to 1,000 characters.' })
  reason!: string;
}

@InputType({ description: 'Identifies a counter that is below numbers already issued.' })
export class AcceptCounterRegressionInput extends DocumentSeriesInput {
  @Field(() => String, { description: 'Why those numbers are void, 1 to 1,000 characters.' })
  reason!: string;
}

@InputType({ description: 'A number to take out of use, and the request for its replacement.' })
export class ReplaceDocumentNumberInput {
  @Field(() => String, { description: 'The number to take out of use, as printed.' })
  number!: string;

  @Field(() => String, { description: 'Reason, 1 to 1,000 characters.' })
  reason!: string;

  @Field(() => IssueDocumentNumberInput, { description: 'Request for the replacement, project included.' })
  replacement!: IssueDocumentNumberInput;
}

@InputType({ description: 'A number to take out of use; it is never issued again.' })
export class VoidDocumentNumberInput {
  @Field(() => String, { description: 'Code of the project.' })
  projectCode!: string;

  @Field(() => String, { description: 'The number as printed.' })
  number!: string;

  @Field(() => String, { description: 'Reason, 1 to 1,000 characters.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'An already issued number that takes its place.' })
  replacedBy?: string;
}
