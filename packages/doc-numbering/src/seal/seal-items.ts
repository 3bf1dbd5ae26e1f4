import { PostgresFailure, quoteLiteral, type SqlSession } from '@solegate/postgres-infra';
import { checkText, type IssueFacts } from '../contract/checks.js';
import { SealRefusedError } from '../contract/numbering-error.js';
import type { UnsealedItem } from '../contract/requests.js';
import type { ChainRules, ChainScope, NumberSeal } from '../contract/seals.js';
import type { Batch, DraftReply } from '../draw/draft.js';
import { type BatchReply, draw, toReplies } from '../draw/draw.js';
import { arrayLiterals, drawStatement } from '../draw/draw-statement.js';
import { sha256Seal } from './sha256-seal.js';

/** Which chain the document of a request belongs to, and how it is sealed. */
export interface Chained {
  readonly writer: string;
  readonly chain: string;
  readonly rules: ChainRules<unknown>;
}

/** A document with its number. */
export interface ItemToSeal {
  readonly writer: string;
  readonly facts: IssueFacts;
  /** Undefined: it gets no seal. */
  readonly chained: Chained | undefined;
  readonly item: UnsealedItem<unknown>;
}

/** The end of a chain. */
export type Head = Pick<NumberSeal, 'chain' | 'position' | 'seal'>;

const NAME_MAX = 200;
const SEAL_MAX = 4000;

/** @throws SealRefusedError if the application's code names no chain */
export function chained(writer: string, rules: ChainRules<unknown>, scope: ChainScope<unknown>): Chained {
  const chain = made(writer, 'chain', NAME_MAX, () => rules.name(scope));
  return { writer, chain, rules };
}

/**
 * Draws a batch and locks chains in one round trip, in a transaction: the counters first. From here to its COMMIT nobody
 * else continues these chains, so they never fork. If nothing is granted, no chain is waited for.
 *
 * @param waitMs longest wait for each chain
 * @throws PostgresFailure: see {@link isChainHeld}
 */
export async function drawAndLock(
  session: SqlSession,
  batch: Batch,
  { chains, waitMs }: { readonly chains: readonly string[]; readonly waitMs: number },
): Promise<{ readonly replies: DraftReply[]; readonly heads: readonly Head[] }> {
  if (chains.length === 0) return { replies: await draw(session, batch), heads: [] };
  const { text, values } = drawStatement(batch);
  const { rows } = await session.query({
    name: 'doc_num_draw_chained',
    text: `
SELECT d.reply, CASE WHEN strpos(d.reply::text, '"GRANTED"') > 0
  THEN ${LOCK}($${values.length + 1}::text[], $${values.length + 2}::integer) END AS heads
FROM (${text} OFFSET 0) d`,
    values: [...values, [...new Set(chains)], waitMs],
  });
  const [{ reply, heads }] = rows as [{ readonly reply: BatchReply; readonly heads: Head[] | null }];
  return { replies: toReplies(batch, reply), heads: heads ?? [] };
}

const LOCK = 'document_number_lock_chains_v1';

/** Whether a wait for a chain was too long, and not one for a counter. */
export function isChainHeld(error: unknown): boolean {
  if (!(error instanceof PostgresFailure) || error.kind !== 'BUSY') return false;
  const { where } = (error.cause ?? {}) as { readonly where?: unknown };
  return String(where).includes(LOCK);
}

/**
 * The seals of those items that have a chain. They are made in the order of the items, each when it is first needed: for
 * most writers, that is while PostgreSQL stores the documents.
 */
export class ItemSeals {
  readonly #items: readonly ItemToSeal[];
  #sealedCount = 0;
  readonly #ends: ReadonlyMap<string, { readonly head: Head; readonly seals: NumberSeal[] }>;
  readonly #seals = new Map<ItemToSeal, NumberSeal>();

  constructor(items: readonly ItemToSeal[], heads: readonly Head[]) {
    this.#items = items;
    this.#ends = new Map(heads.map((head) => [head.chain, { head, seals: [] }]));
  }

  /** @throws SealRefusedError if the application's code makes no seal for this item, or for one before it */
  of(item: ItemToSeal): NumberSeal | undefined {
    while (item.chained && !this.#seals.has(item)) this.#sealNext();
    return this.#seals.get(item);
  }

  /**
   * Returns the statement that stores the seals, for the transaction that has drawn the numbers and locked the chains;
   * `undefined` if there are none.
   *
   * @throws SealRefusedError
   */
  statement(): string | undefined {
    while (this.#sealedCount < this.#items.length) this.#sealNext();
    const sealed = [...this.#ends.values()].filter(({ seals }) => seals.length > 0);
    if (sealed.length === 0) return undefined;
    const chains = sealed.map(({ head, seals }) => ({ chains: head.chain, counts: seals.length }));
    const numbers = sealed.flatMap(({ seals }) =>
      seals.map(({ counterId, sequence, seal }) => {
        return { counter_ids: counterId, sequences: sequence, seals: seal };
      }),
    );
    const literals = [...arrayLiterals(chains, chainColumns), ...arrayLiterals(numbers, numberColumns)];
    return `SELECT document_number_seal_v1(${literals.map((one) => quoteLiteral(one ?? '{}')).join(', ')})`;
  }

  #sealNext(): void {
    const next = this.#items[this.#sealedCount];
    if (!next) throw new Error('the item is not of this commit');
    const { writer, chained: own, item, facts } = next;
    if (own) {
      const end = this.#ends.get(own.chain);
      if (!end) throw new Error(`the chain ${own.chain} is not locked`);
      const { chain, position, seal: previous } = end.seals.at(-1) ?? end.head;
      const { counterId, sequence } = item.issued;
      const { seal: rule } = own.rules;
      const make = () =>
        rule === 'sha256' ? sha256Seal(previous, item.issued, facts) : rule(previous, item);
      const seal = made(writer, 'seal', SEAL_MAX, make);
      const sealed = { chain, position: position + 1, counterId, sequence, previous, seal };
      end.seals.push(sealed);
      this.#seals.set(next, sealed);
    }
    // Last, so that an item that was refused is refused again.
    this.#sealedCount += 1;
  }
}

const chainColumns = { chains: 'text', counts: 'integer' } as const;
const numberColumns = { counter_ids: 'bigint', sequences: 'bigint', seals: 'text' } as const;

/** Text that the application's own code makes. @throws SealRefusedError */
function made(writer: string, what: 'chain' | 'seal', lengthMax: number, make: () => string): string {
  try {
    return checkText(what, make(), lengthMax);
  } catch (error) {
    throw new SealRefusedError(writer, what, { cause: error });
  }
}
