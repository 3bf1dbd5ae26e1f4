import { GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType, Int, ObjectType } from 'type-graphql';

@InputType({ description: 'A number that another system issued.' })
export class ImportedNumberInput {
  @Field(() => String)
  typeCode!: string;

  @Field(() => String)
  organizationCode!: string;

  @Field(() => String)
  disciplineCode!: string;

  @Field(() => GraphQLSafeInt)
  sequence!: number;

  @Field(() => String, { description: 'Business date, YYYY-MM-DD.' })
  date!: string;

  @Field(() => String, {
    nullable: true,
    description: 'As it was printed. Default: by the format valid on the date.',
  })
  number?: string;
}

@InputType({ description: 'All rows or none. Counters only rise.' })
export class ImportDocumentNumbersInput {
  @Field(() => String)
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

  @Field(() => String, { nullable: true })
  reason?: string;
}

@ObjectType()
export class ImportProblem {
  @Field(() => Int, { nullable: true, description: 'Index in the rows; null for a hole.' })
  row!: number | undefined;

  @Field(() => String)
  code!: string;

  @Field(() => String)
  message!: string;
}

@ObjectType({ description: 'What an import did, or why it did nothing.' })
export class ImportReport {
  @Field(() => Boolean, { description: 'False after a dry run and when there are problems.' })
  imported!: boolean;

  @Field(() => Int)
  rowCount!: number;

  @Field(() => Int)
  recordedHoleCount!: number;

  @Field(() => Int)
  problemCount!: number;

  @Field(() => [ImportProblem], { description: 'The first 100.' })
  problems!: readonly ImportProblem[];
}
