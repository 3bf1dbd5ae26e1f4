import { Field, InputType, Int } from 'type-graphql';
import { DocumentSeriesInput } from '../series/document-series.input.js';

@InputType({ description: 'Asks for the next number of a series.' })
export class IssueDocumentNumberInput extends DocumentSeriesInput {
  @Field(() => String, {
    nullable: true,
    description:
      'A repeat with the same key and content gives the same number, also after a lost reply. 1 to 200 characters.',
  })
  idempotencyKey?: string;

  @Field(() => String, { nullable: true, description: 'Kept in the ledger; up to 1,000 characters.' })
  reason?: string;
}

@InputType({ description: 'Asks for consecutive numbers of one series.' })
export class IssueDocumentNumbersInput extends IssueDocumentNumberInput {
  @Field(() => Int, { description: 'How many, 1 to 1,000.' })
  count!: number;
}

@InputType({ description: 'Asks for the next number of a series, to be held.' })
export class ReserveDocumentNumberInput extends IssueDocumentNumberInput {
  @Field(() => Int, {
    nullable: true,
    description: 'How long the number is held, in milliseconds, from 1,000. Default: five minutes.',
  })
  holdMs?: number;
}

@InputType({ description: 'Turns a reservation into an issued number.' })
export class ConfirmDocumentNumberInput {
  @Field(() => String, { description: 'The secret that `reserveDocumentNumber` gave.' })
  token!: string;
}

@InputType({ description: 'Ends a reservation; its number stays in the ledger as cancelled.' })
export class CancelDocumentNumberInput {
  @Field(() => String, { description: 'The secret that `reserveDocumentNumber` gave.' })
  token!: string;

  @Field(() => String, { description: '1 to 1,000 characters.' })
  reason!: string;
}
