import type { LedgerEntry, Numbering, NumberSeal } from '@solegate/doc-numbering';
import DataLoader from 'dataloader';
import { PerRequest } from '../../graphql/per-request.js';
import type { RequestContext } from '../../graphql/request-context.js';
import type { DocumentNumber } from './document-number.type.js';

type LedgerLoader = DataLoader<DocumentNumber, LedgerEntry | undefined>;
type SealLoader = DataLoader<DocumentNumber, NumberSeal | undefined>;

/** What the ledger has on a number beyond the result of `issue`. */
export class LedgerEntries {
  readonly #loaders: PerRequest<LedgerLoader>;
  readonly #seals: PerRequest<SealLoader>;

  constructor(numbering: Numbering) {
    this.#loaders = new PerRequest(() => createLedgerLoader(numbering));
    this.#seals = new PerRequest(() => createSealLoader(numbering));
  }

  /** The number's place in a chain, if it has one. */
  async sealOf(number: DocumentNumber, context: RequestContext): Promise<NumberSeal | undefined> {
    return this.#seals.of(context).load(number);
  }

  async of(number: DocumentNumber, context: RequestContext): Promise<LedgerEntry | undefined> {
    return number.entry ?? this.#loaders.of(context).load(number);
  }
}

/** Loads the ledger rows of newly issued numbers: one query for all that have an ID. */
function createLedgerLoader(numbering: Numbering): LedgerLoader {
  return new DataLoader(async (numbers) => {
    const ids = numbers.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const found = ids.length > 0 ? await numbering.findNumbersById(ids) : [];
    const byId = new Map(ids.map((id, index) => [id, found[index]]));
    return Promise.all(
      numbers.map(async ({ id, projectId, number }) =>
        id === undefined ? numbering.findNumber({ space: String(projectId), number }) : byId.get(id),
      ),
    );
  });
}

/** Loads the seals of all numbers of a page in one query. */
function createSealLoader(numbering: Numbering): SealLoader {
  return new DataLoader((numbers) =>
    numbering.findSeals(numbers.map(({ projectId, number }) => ({ space: String(projectId), number }))),
  );
}
