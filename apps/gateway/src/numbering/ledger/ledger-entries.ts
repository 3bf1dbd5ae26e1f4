import type { LedgerEntry, Numbering, NumberSeal } from '@solegate/doc-numbering';
import DataLoader from 'dataloader';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Ctx, ID, Root } from 'type-graphql';
import { FieldResolver } from '../../graphql/described.js';
import { PerRequest, type RequestContext } from '../../graphql/request-context.js';
import type { DocumentNumber } from './document-number.type.js';

/** What the ledger has on a number beyond the result of `issue`. */
export class LedgerEntries {
  readonly #entries: PerRequest<DataLoader<DocumentNumber, LedgerEntry | undefined>>;
  readonly #seals: PerRequest<DataLoader<DocumentNumber, NumberSeal | undefined>>;

  constructor(numbering: Numbering) {
    this.#entries = new PerRequest(() => new DataLoader((numbers) => entriesOf(numbers, numbering)));
    this.#seals = new PerRequest(
      () => new DataLoader((numbers) => numbering.findSeals(numbers.map(printedAs))),
    );
  }

  /** The number's place in a chain, if it has one. */
  async sealOf(number: DocumentNumber, context: RequestContext): Promise<NumberSeal | undefined> {
    return this.#seals.of(context).load(number);
  }

  async of(number: DocumentNumber, context: RequestContext): Promise<LedgerEntry | undefined> {
    return number.entry ?? this.#entries.of(context).load(number);
  }
}

function printedAs({ projectId, number }: DocumentNumber) {
  return { space: String(projectId), number };
}

/** Reads the ledger rows of newly issued numbers: one query for all that have an ID. */
async function entriesOf(numbers: readonly DocumentNumber[], numbering: Numbering) {
  const ids = numbers.flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []));
  const found = ids.length > 0 ? await numbering.findNumbersById(ids) : [];
  const byId = new Map(ids.map((id, index) => [id, found[index]]));
  return Promise.all(
    numbers.map(async (number) =>
      typeof number.id === 'bigint' ? byId.get(number.id) : numbering.findNumber(printedAs(number)),
    ),
  );
}

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
    FieldResolver(type, description, { nullable: true })(prototype, name, { value });
  }
}
