import { GraphQLLocalDate, GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { soleResult } from '../../graphql/mutation-result.js';
import { DocumentCode } from '../series/document-code.js';

@InputType({ description: 'A number issued by another system.' })
export class ImportedNumberInput {
  @Field(() => String, { description: 'Code of the document type.' })
  typeCode!: string;

  @Field(() => String, { description: 'Code of the organization the document comes from.' })
  organizationCode!: string;

  @Field(() => String, { nullable: true, description: 'Code of the discipline.' })
  disciplineCode?: string;

  @Field(() => String, { nullable: true, description: 'Code of the receiving organization.' })
  recipientCode?: string;

  @Field(() => [DocumentCode], { nullable: true, description: 'Codes of further tokens.' })
  fields?: DocumentCode[];

  @Field(() => GraphQLSafeInt, { description: 'Position in its counter.' })
  sequence!: number;

  @Field(() => GraphQLLocalDate, { description: 'Business date.' })
  date!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The number as printed. Default: as the format valid on the date prints it.',
  })
  number?: string;
}

@InputType({ description: 'Numbers to import. Either all rows are stored or none; counters only increase.' })
export class ImportDocumentNumbersInput {
  @Field(() => String, { description: 'Code of the project the numbers belong to.' })
  projectCode!: string;

  @Field(() => [ImportedNumberInput], { description: 'The numbers, 1 to 1,000 rows.' })
  rows!: ImportedNumberInput[];

  @Field(() => Boolean, { defaultValue: false, description: 'Check and count without storing anything.' })
  dryRun!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Record numbers missing from the rows as cancelled. Otherwise, the import is refused if there is a hole.',
  })
  recordHoles!: boolean;

  @Field(() => String, { description: 'Reason, kept in the ledger.', nullable: true })
  reason?: string;
}

@ObjectType({ description: 'Why a row or a hole prevents the import.' })
export class ImportProblem {
  @Field(() => Int, { nullable: true, description: 'Index in `rows`; null for a hole.' })
  row!: number | undefined;

  @Field(() => String, { description: 'Problem code, in capitals.' })
  code!: string;

  @Field(() => String, { description: 'Human-readable message.' })
  message!: string;
}

@ObjectType({ description: 'Result of an import, or why nothing was imported.' })
export class ImportReport {
  @Field(() => Boolean, {
    description: 'Whether the rows were stored; false after a dry run or if there are problems.',
  })
  imported!: boolean;

  @Field(() => Int, { description: 'Rows in the request.' })
  rowCount!: number;

  @Field(() => Int, {
    description:
      'Numbers missing from the rows that were recorded as cancelled, or would be after a dry run. 0 if there are problems.',
  })
  recordedHoleCount!: number;

  @Field(() => Int, { description: 'Total number of problems.' })
  problemCount!: number;

  @Field(() => [ImportProblem], { description: 'The first 100 problems.' })
  problems!: readonly ImportProblem[];
}

export const ImportDocumentNumbersResult = soleResult(
  'ImportDocumentNumbersResult',
  'What the import did, or would do.',
  ImportReport,
);
