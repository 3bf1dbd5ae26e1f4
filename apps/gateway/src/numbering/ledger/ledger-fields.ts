import type { LedgerEntry } from '@solegate/doc-numbering';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Ctx, FieldResolver, ID, Root } from 'type-graphql';
import type { RequestContext } from '../../graphql/request-context.js';
import type { DocumentNumber } from './document-number.type.js';
import type { LedgerEntries } from './ledger-entries.js';

const id = () => ID;
const text = () => String;
const moment = () => GraphQLDateTimeISO;

type LedgerField = readonly [typeof id | typeof text | typeof moment, keyof LedgerEntry, string];

/** Fields of a DocumentNumber that the result of `issue` lacks: type, column of the ledger, description. */
const fields: Readonly<Record<string, LedgerField>> = {
  actorId: [id, 'actor', 'Who took it: the subject of their token, or an internal name of the gateway.'],
  reason: [text, 'reason', 'Why it was taken, in the words of its actor.'],
  issuedAt: [moment, 'issuedAt', 'When it was issued, by the PostgreSQL clock.'],
  replacedBy: [text, 'replacedBy', 'The number that replaces it, if it is void.'],
  voidReason: [text, 'voidReason', 'Why it was taken out of use, if it is void.'],
  voidedById: [id, 'voidedBy', 'Who took it out of use: the subject of their token.'],
  voidedAt: [moment, 'voidedAt', 'When it was taken out of use, by the PostgreSQL clock.'],
  idempotencyKey: [text, 'key', 'Idempotency key it was issued under.'],
  commitId: [id, 'batch', 'ID of its commit, shared by all numbers of that commit.'],
};

interface LedgerReader {
  readonly entries: LedgerEntries;
}

/** Gives a resolver of DocumentNumber a field resolver for each of them. */
export function defineLedgerFields(prototype: LedgerReader): void {
  for (const [name, [type, column, description]] of Object.entries(fields)) {
    const value = async function (this: LedgerReader, number: DocumentNumber, context: RequestContext) {
      return (await this.entries.of(number, context))?.[column];
    };
    Object.defineProperty(prototype, name, { value });
    Root()(prototype, name, 0);
    Ctx()(prototype, name, 1);
    FieldResolver(type, { nullable: true, description })(prototype, name, { value });
  }
}
