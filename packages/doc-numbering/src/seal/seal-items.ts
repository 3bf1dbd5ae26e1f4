import { PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import { checkText, type IssueFacts } from '../contract/checks.js';
import { SealRefusedError } from '../contract/numbering-error.js';
import type { UnsealedItem } from '../contract/requests.js';
import type { ChainRules, ChainScope, NumberSeal } from '../contract/seals.js';
import type { Batch, DraftReply } from '../draw/draft.js';
import { type BatchReply, draw, toReplies } from '../draw/draw.js';
import { arrayLiterals, drawStatement, placesOf } from '../draw/draw-statement.js';
import { sha256Seal } from './sha256-seal.js';

/** Which chain the document of a request belongs to, and how it is sealed. */
export interface Chained {
  readonly writer: string;
  readonly chain: string;
  readonly rules: ChainRules<unknown>;
}

/** A document of a chain, with its number. */
export interface ItemToSeal extends Chained {
  readonly facts: IssueFacts;
  /** Gets its seal. */
  readonly item: UnsealedItem<unknown> & { seal: NumberSeal | undefined };
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
 * Seals items in their order, in the transaction that has drawn their numbers and locked their chains.
 *
 * @throws SealRefusedError if the application's code makes no seal; PostgresFailure
 */
export async function sealItems(
  session: SqlSession,
  items: readonly ItemToSeal[],
  heads: readonly Head[],
): Promise<void> {
  if (items.length === 0) return;
  const headOf = new Map(heads.map((head) => [head.chain, head]));
  const rows = items.map(({ writer, chain, rules, item, facts }) => {
    const { position = 0, seal: previous = '' } = headOf.get(chain) ?? {};
    const { counterId, sequence } = item.issued;
    const make = () =>
      rules.seal === 'sha256' ? sha256Seal(previous, item.issued, facts) : rules.seal(previous, item);
    const seal = made(writer, 'seal', SEAL_MAX, make);
    item.seal = { chain, position: position + 1, counterId, sequence, previous, seal };
    headOf.set(chain, item.seal);
    return { chains: chain, counter_ids: counterId, sequences: sequence, seals: seal };
  });
  await session.query({ name: 'doc_num_seal', text: SEAL, values: arrayLiterals(rows, columns) });
}

const columns = { chains: 'text', counter_ids: 'bigint', sequences: 'bigint', seals: 'text' } as const;
const SEAL = `SELECT document_number_seal_v1(${placesOf(columns, 1)})`;

/** Text that the application's own code makes. @throws SealRefusedError */
function made(writer: string, what: 'chain' | 'seal', lengthMax: number, make: () => string): string {
  try {
    return checkText(what, make(), lengthMax);
  } catch (error) {
    throw new SealRefusedError(writer, what, { cause: error });
  }
}
