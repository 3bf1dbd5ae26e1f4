import type { LedgerEntry } from './ledger-columns.js';
import type { IssuedNumber, UnsealedItem } from './requests.js';

/** The place of a number in a chain. Written in the commit of the number, and never changed. */
export interface NumberSeal {
  /** Name of the chain. */
  readonly chain: string;
  /** 1, 2, 3 … in the order of commits, without holes. */
  readonly position: number;
  readonly counterId: string;
  readonly sequence: number;
  /** The seal at the position before; empty at position 1. */
  readonly previous: string;
  readonly seal: string;
}

/** A document, and what is known of its number before it is drawn. */
export interface ChainScope<Document> {
  readonly document: Document;
  readonly issued: Pick<IssuedNumber, 'space' | 'series' | 'dimensions' | 'period' | 'date'>;
}

/** How the documents of a writer are chained. Both functions run in every commit and may run again for the same item. */
export interface ChainRules<Document> {
  /** Names the chain of an item, 1 to 200 characters: one for each series, issuer or till, as the law asks. */
  readonly name: (item: ChainScope<Document>) => string;
  /**
   * Makes the seal, 1 to 4,000 printable characters, from the previous one (empty at the start) and the item alone.
   * `sha256`: over what the ledger row keeps, so that any later change of it is seen.
   */
  readonly seal: 'sha256' | ((previous: string, item: UnsealedItem<Document>) => string);
}

/** Options of a writer. */
export interface WriterOptions<Document> {
  /** Default: documents are not sealed. */
  readonly chain?: ChainRules<Document>;
}

/** A sealed number as it is stored. */
export interface SealedNumber extends NumberSeal {
  readonly entry: LedgerEntry;
}

/**
 * Makes the seals of numbers again, in their order, each from its stored `previous`, the ledger row, and what it loads
 * itself for all of them. It gets up to 500 at a time.
 */
export type RecomputeSeals = (
  numbers: readonly SealedNumber[],
) => readonly string[] | Promise<readonly string[]>;

/** Where and for how long to verify a chain. */
export interface VerifyChainRequest {
  /**
   * The end of the chain in an earlier report: only what follows is verified. Without such a value from elsewhere, nobody
   * can see that an owner has cut off the end, or replaced the whole chain.
   */
  readonly after?: { readonly position: number; readonly seal: string };
  /** Time limit for the whole call. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** A place at which a chain is broken. */
export type ChainBreak =
  /** Positions that are gone. */
  | { readonly kind: 'MISSING'; readonly first: number; readonly last: number }
  /** `previous` is not the seal of the position before. */
  | {
      readonly kind: 'PREVIOUS';
      readonly position: number;
      readonly expected: string;
      readonly found: string;
    }
  /** The number has no row in the ledger. */
  | {
      readonly kind: 'NUMBER';
      readonly position: number;
      readonly counterId: string;
      readonly sequence: number;
    }
  /** The ledger row, or what was loaded for it, makes another seal. */
  | {
      readonly kind: 'SEAL';
      readonly position: number;
      readonly number: string;
      readonly expected: string;
      readonly found: string;
    }
  /** The head of the chain, from which it continues, is not its last seal. */
  | { readonly kind: 'HEAD'; readonly position: number; readonly expected: string; readonly found: string };

/** What {@link ChainReading.verifyChain} found. */
export interface ChainReport {
  readonly chain: string;
  /** Seals that were compared. */
  readonly verifiedCount: number;
  /** The end of the chain, to be kept elsewhere, and given as `after` the next time. */
  readonly end: { readonly position: number; readonly seal: string };
  /** The first 100, in the order of positions. */
  readonly breaks: readonly ChainBreak[];
  readonly breakCount: number;
}

/** What a numbering reads of chains. */
export interface ChainReading {
  /** Returns the seals of numbers in their order; `undefined` for each without one. */
  findSeals(numbers: readonly { space: string; number: string }[]): Promise<(NumberSeal | undefined)[]>;
  /** Walks a chain and makes each seal again. Default for `recompute`: the built-in `sha256`. */
  verifyChain(chain: string, recompute?: RecomputeSeals, request?: VerifyChainRequest): Promise<ChainReport>;
}
