import type { LedgerEntry, Numbering, NumberSeal } from '@solegate/doc-numbering';
import { NumberEntity } from '@solegate/doc-numbering/typeorm';
import DataLoader from 'dataloader';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { ID } from 'type-graphql';
import { In } from 'typeorm';
import type { RunningCell } from '../../cells/cell.js';
import { given } from '../../graphql/given.js';
import { PerRequest, type RequestContext } from '../../graphql/request-context.js';
import type { MasterData } from '../../master-data/master-data.js';
import { Person } from '../../master-data/people.js';
import { defineFields } from '../../master-data/resolver-methods.js';
import { type DocumentNumber, DocumentNumberSeal } from './document-number.type.js';

/** An entry, without what the counter of its number has. */
type LedgerRow = Omit<LedgerEntry, 'series' | 'dimensions' | 'sequence'>;

/**
 * What the ledger has on numbers beyond the result of `issue`: one query for all of a request that have an ID, and one for
 * the others, such as those issued in bulk.
 */
export class LedgerEntries {
  readonly #byId: PerRequest<DataLoader<bigint, LedgerRow | undefined>>;
  readonly #byText: PerRequest<DataLoader<DocumentNumber, LedgerRow | undefined>>;
  readonly #seals: PerRequest<DataLoader<DocumentNumber, NumberSeal | undefined>>;

  constructor(
    private readonly numbering: Numbering,
    data: MasterData,
  ) {
    this.#byId = new PerRequest(() => new DataLoader((ids) => numbering.findNumbersById(ids)));
    this.#byText = new PerRequest(
      () => new DataLoader((numbers) => data.findEach(numbers.map(printedAs), rowsOf)),
    );
    this.#seals = new PerRequest(
      () => new DataLoader((numbers) => numbering.findSeals(numbers.map(printedAs))),
    );
  }

  /** The number's place in a chain, if it has one. */
  async sealOf(number: DocumentNumber, context: RequestContext): Promise<NumberSeal | undefined> {
    return this.#seals.of(context).load(number);
  }

  async of(number: DocumentNumber, context: RequestContext): Promise<LedgerRow | undefined> {
    if (number.entry) return number.entry;
    if (typeof number.id === 'bigint') return this.#byId.of(context).load(number.id);
    // What a database that moves does not have is refused there.
    return (await this.#byText.of(context).load(number)) ?? this.numbering.findNumber(printedAs(number));
  }
}

function printedAs({ projectId, number }: DocumentNumber) {
  return { space: String(projectId), number };
}

type Printed = ReturnType<typeof printedAs>;

async function rowsOf({ database }: RunningCell, numbers: readonly Printed[]) {
  const rows = await database.dataSource.getRepository(NumberEntity).findBy({
    space: In([...new Set(numbers.map(({ space }) => space))]),
    number: In(numbers.map(({ number }) => number)),
  });
  const keyOf = ({ space, number }: Printed) => `${space} ${number}`;
  const byKey = new Map(rows.map((row) => [keyOf(row), given(row) as LedgerRow]));
  return numbers.map((number) => byKey.get(keyOf(number)));
}

const moment = GraphQLDateTimeISO;

/** Fields of a DocumentNumber that the result of `issue` lacks: type, column of the ledger, description. */
const columns: Readonly<Record<string, readonly [type: object, keyof LedgerRow, description: string]>> = {
  actorId: [ID, 'actor', 'Who took it: the subject of their token, or an internal name of the gateway.'],
  actor: [Person, 'actor', 'The person who took it; null if the actor is not a known person.'],
  reason: [String, 'reason', 'Why it was taken, in the words of its actor.'],
  issuedAt: [moment, 'issuedAt', 'When it was issued, by the PostgreSQL clock.'],
  replacedBy: [String, 'replacedBy', 'The number that replaces it, if it is void.'],
  voidReason: [String, 'voidReason', 'Why it was taken out of use, if it is void.'],
  voidedById: [ID, 'voidedBy', 'Who took it out of use: the subject of their token.'],
  voidedBy: [Person, 'voidedBy', 'The person who took it out of use; null if it is not void.'],
  voidedAt: [moment, 'voidedAt', 'When it was taken out of use, by the PostgreSQL clock.'],
  idempotencyKey: [String, 'key', 'Idempotency key it was issued under.'],
  commitId: [ID, 'batch', 'ID of its commit, shared by all numbers of that commit.'],
};

interface LedgerReader {
  readonly entries: LedgerEntries;
  readonly data: MasterData;
}

/** Gives a resolver of DocumentNumber a field for each of them, and those that depend on more than a column. */
export function defineLedgerFields(prototype: LedgerReader): void {
  const read = Object.entries(columns).map(([name, [type, column, description]]) => {
    async function value(this: LedgerReader, number: DocumentNumber, context: RequestContext) {
      const found = (await this.entries.of(number, context))?.[column];
      return type === Person ? this.data.loaders(context).personOf(found as string | undefined) : found;
    }
    return [name, [type, description, value] as const];
  });
  defineFields<LedgerReader, DocumentNumber>(prototype, {
    ...Object.fromEntries(read),
    expiresAt: [
      moment,
      'When a reserved number is cancelled automatically, unless confirmed; otherwise null.',
      async function expiresAt(number, context) {
        const row = await this.entries.of(number, context);
        return row?.status === 'reserved' ? row.expiresAt : undefined;
      },
    ],
    seal: [
      DocumentNumberSeal,
      'Its place in a chain of sealed documents; null if it was issued without one.',
      function seal(number, context) {
        return this.entries.sealOf(number, context);
      },
    ],
  });
}
