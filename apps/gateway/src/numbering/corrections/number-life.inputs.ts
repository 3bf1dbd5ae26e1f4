import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType } from 'type-graphql';
import { IssueDocumentNumberInput } from '../issue/issue.inputs.js';
import { DocumentSeriesInput } from '../series/document-series.input.js';

@InputType({ description: 'Gives out one chosen number; `reason` is needed.' })
export class AssignDocumentNumberInput extends DocumentSeriesInput {
  @Field(() => GraphQLSafeInt, {
    description:
      'Above the counter, whose numbers in between are then recorded as cancelled, or in the manual interval of the series.',
  })
  sequence!: number;

  @Field(() => String, { nullable: true, description: 'Why; needed, 1 to 1,000 characters.' })
  reason?: string;
}

@InputType({ description: 'Records numbers that nobody will get, such as those lost in a fail-over.' })
export class SkipDocumentNumbersInput extends DocumentSeriesInput {
  @Field(() => GraphQLSafeInt, {
    description: 'Last number that is recorded as cancelled, at most 100,000 above the counter.',
  })
  upTo!: number;

  @Field(() => String, { description: 'Why; 1 to 1,000 characters.' })
  reason!: string;
}

@InputType({ description: 'Names a counter that stands below numbers that were issued once.' })
export class AcceptCounterRegressionInput extends DocumentSeriesInput {
  @Field(() => String, { description: 'Why they are void; 1 to 1,000 characters.' })
  reason!: string;
}

@InputType({ description: 'Takes a number out of use and issues the next of the same series in its place.' })
export class ReplaceDocumentNumberInput {
  @Field(() => String, { description: 'The number that is taken out of use, as it is printed.' })
  number!: string;

  @Field(() => String, { description: 'Why; 1 to 1,000 characters.' })
  reason!: string;

  @Field(() => IssueDocumentNumberInput, {
    description: 'What the replacement is issued with, project included.',
  })
  replacement!: IssueDocumentNumberInput;
}

@InputType({ description: 'Takes a number out of use; it is never issued again.' })
export class VoidDocumentNumberInput {
  @Field(() => String, { description: 'The project that it belongs to.' })
  projectCode!: string;

  @Field(() => String, { description: 'As it is printed.' })
  number!: string;

  @Field(() => String, { description: 'Why; 1 to 1,000 characters.' })
  reason!: string;

  @Field(() => String, { nullable: true, description: 'A number issued before that takes its place.' })
  replacedBy?: string;
}
