import { Field, InputType, Int } from 'type-graphql';
import { DocumentSeriesInput } from '../series/document-series.input.js';

@InputType({ description: 'Request for the next number of a series.' })
export class IssueDocumentNumberInput extends DocumentSeriesInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Idempotency key, 1 to 200 characters: a retry with the same key and content returns the same number, even after a lost response.',
  })
  idempotencyKey?: string;

  @Field(() => String, { nullable: true, description: 'Reason, kept in the ledger. Up to 1,000 characters.' })
  reason?: string;
}

@InputType({ description: 'Request for consecutive numbers of one series.' })
export class IssueDocumentNumbersInput extends IssueDocumentNumberInput {
  @Field(() => Int, { description: 'How many numbers, 1 to 1,000.' })
  count!: number;
}

@InputType({ description: 'Request to reserve the next number of a series.' })
export class ReserveDocumentNumberInput extends IssueDocumentNumberInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'How long to hold the number, in milliseconds, at least 1,000. Default: 300,000 (five minutes).',
  })
  holdMs?: number;
}

@InputType({ description: 'A reservation to confirm.' })
export class ConfirmDocumentNumberInput {
  @Field(() => String, { description: 'Secret returned by `reserveDocumentNumber`.' })
  token!: string;
}

@InputType({ description: 'A reservation to cancel; its number stays in the ledger as CANCELLED.' })
export class CancelDocumentNumberInput {
  @Field(() => String, { description: 'Secret returned by `reserveDocumentNumber`.' })
  token!: string;

  @Field(() => String, { description: 'Reason, 1 to 1,000 characters.' })
  reason!: string;
}
