import { GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType, Int, ObjectType } from 'type-graphql';

@InputType({ description: 'A number that another system issued.' })
export class ImportedNumberInput {
  @Field(() => String, { description: 'The document type.' })
  typeCode!: string;

  @Field(() => String, { description: 'Who the document comes from.' })
  organizationCode!: string;

  @Field(() => String, { description: 'The discipline.' })
  disciplineCode!: string;

  @Field(() => GraphQLSafeInt, { description: 'Its position in its counter.' })
  sequence!: number;

  @Field(() => GraphQLLocalDate, { description: 'Business date.' })
  date!: string;

  @Field(() => String, {
    nullable: true,
    description: 'As it was printed. Default: by the format valid on the date.',
  })
  number?: string;
}

@InputType({ description: 'All rows or none. Counters only rise.' })
export class ImportDocumentNumbersInput {
  @Field(() => String, { description: 'The project that the numbers belong to.' })
  projectCode!: string;

  @Field(() => [ImportedNumberInput], { description: '1 to 1,000 rows.' })
  rows!: ImportedNumberInput[];

  @Field(() => Boolean, { defaultValue: false, description: 'Check and count, store nothing.' })
  dryRun!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Record the numbers that the rows leave out as cancelled. Else a hole refuses the import.',
  })
  recordHoles!: boolean;

  @Field(() => String, { description: 'Kept in the ledger.', nullable: true })
  reason?: string;
}

@ObjectType({ description: 'Why a row cannot be imported.' })
export class ImportProblem {
  @Field(() => Int, { nullable: true, description: 'Index in the rows; null for a hole.' })
  row!: number | undefined;

  @Field(() => String, { description: 'The kind of problem, in capitals.' })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  message!: string;
}

@ObjectType({ description: 'What an import did, or why it did nothing.' })
export class ImportReport {
  @Field(() => Boolean, { description: 'False after a dry run and when there are problems.' })
  imported!: boolean;

  @Field(() => Int, { description: 'Rows that were given.' })
  rowCount!: number;

  @Field(() => Int, {
    description:
      'Numbers that the rows leave out, recorded as cancelled; after a dry run, those that would be. 0 when there are problems.',
  })
  recordedHoleCount!: number;

  @Field(() => Int, { description: 'Problems in all.' })
  problemCount!: number;

  @Field(() => [ImportProblem], { description: 'The first 100.' })
  problems!: readonly ImportProblem[];
}
