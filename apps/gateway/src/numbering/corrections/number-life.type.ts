import { GraphQLSafeInt } from 'graphql-scalars';
import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { soleResult } from '../../graphql/mutation-result.js';
import { REFUSALS } from '../issue/issue-refusals.type.js';
import { DocumentNumber } from '../ledger/document-number.type.js';

@ObjectType({ description: 'A voided number and its replacement, stored in one commit.' })
export class DocumentNumberReplaced {
  @Field(() => DocumentNumber, { description: 'The voided number.' })
  voided!: DocumentNumber;

  @Field(() => DocumentNumber, { description: 'The replacement: the next number of the same series.' })
  replacement!: DocumentNumber;
}

@ObjectType({ description: 'Result of a skip.' })
export class DocumentNumbersSkipped {
  @Field(() => Int, {
    description: 'Numbers recorded as cancelled by this call; 0 if they all were already.',
  })
  skippedCount!: number;
}

@ObjectType({ description: 'A counter that was accepted as it is after a restore.' })
export class CounterRegressionAccepted {
  @Field(() => GraphQLSafeInt, {
    description: 'Last number of the counter; the next number is the one after it.',
  })
  lastNumber!: number;

  @Field(() => GraphQLSafeInt, {
    description:
      'Highest number known to have been issued before. If it is not above `lastNumber`, there was nothing to accept.',
  })
  highWaterMark!: number;
}

export const AssignDocumentNumberResult = createUnionType({
  name: 'AssignDocumentNumberResult',
  description: 'The number, or why it was not issued.',
  types: () => [DocumentNumber, ...REFUSALS] as const,
});

export const ReplaceDocumentNumberResult = createUnionType({
  name: 'ReplaceDocumentNumberResult',
  description: 'Both numbers, or why nothing changed.',
  types: () => [DocumentNumberReplaced, ...REFUSALS] as const,
});

export const VoidDocumentNumberResult = soleResult(
  'VoidDocumentNumberResult',
  'The voided number.',
  DocumentNumber,
);

export const SkipDocumentNumbersResult = soleResult(
  'SkipDocumentNumbersResult',
  'How many numbers were skipped.',
  DocumentNumbersSkipped,
);

export const AcceptCounterRegressionResult = soleResult(
  'AcceptCounterRegressionResult',
  'The counter as accepted.',
  CounterRegressionAccepted,
);
