import type { VoidedNumber } from '@solegate/doc-numbering';
import { GraphQLSafeInt } from 'graphql-scalars';
import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { REFUSALS } from '../issue/issue-refusals.type.js';
import { DocumentNumber } from '../ledger/document-number.type.js';

@ObjectType({ description: 'A number out of use and the one that took its place, of one commit.' })
export class DocumentNumberReplaced {
  @Field(() => DocumentNumber, { description: 'The number that is void now.' })
  voided: DocumentNumber;

  @Field(() => DocumentNumber, { description: 'The next number of the same series.' })
  replacement: DocumentNumber;

  constructor({ voided, replacement }: VoidedNumber) {
    if (replacement === undefined) throw new Error('a replaced number has a replacement');
    this.voided = DocumentNumber.ofLedger(voided);
    this.replacement = DocumentNumber.ofLedger(replacement);
  }
}

@ObjectType({ description: 'What a skip did.' })
export class DocumentNumbersSkipped {
  @Field(() => Int, { description: 'Numbers that are recorded as cancelled now; 0 when all were already.' })
  skippedCount: number;

  constructor(skippedCount: number) {
    this.skippedCount = skippedCount;
  }
}

@ObjectType({ description: 'A counter as it was accepted after a restore.' })
export class CounterRegressionAccepted {
  @Field(() => GraphQLSafeInt, {
    description: 'Where the counter stands; the next number is the one after it.',
  })
  lastNumber: number;

  @Field(() => GraphQLSafeInt, {
    description:
      'The highest number known to have been issued before. Not above lastNumber: there was nothing to accept.',
  })
  highWaterMark: number;

  constructor({
    lastNumber,
    highWaterMark,
  }: { readonly lastNumber: number; readonly highWaterMark: number }) {
    this.lastNumber = lastNumber;
    this.highWaterMark = highWaterMark;
  }
}

export const ReplaceDocumentNumberResult = createUnionType({
  name: 'ReplaceDocumentNumberResult',
  description: 'Both numbers, or why nothing was changed.',
  types: () => [DocumentNumberReplaced, ...REFUSALS] as const,
});
