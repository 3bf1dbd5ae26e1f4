import type { LedgerEntry } from './ledger-columns.js';

/** Which numbers to follow, and from where. */
export interface FeedRequest {
  readonly space: string;
  /** Code of the series. */
  readonly series: string;
  /** Codes that its counters must have; they can have others as well. Default: all counters. */
  readonly dimensions?: Readonly<Record<string, string>>;
  /** As in the result of `issue`. Default: all periods, later ones as they begin. */
  readonly period?: string;
  /** A cursor of this feed, or of a wider one of the series. Default: from the first number. */
  readonly after?: string;
  /** Ends the feed. */
  readonly signal?: AbortSignal;
  /**
   * Anything that it yields means that there might be news, such as a subscription to Redis or to `LISTEN` of
   * PostgreSQL. The feed is complete without it, and ends it.
   */
  readonly notices?: AsyncIterable<unknown>;
  /** How long to wait for a notice, 20 to 60,000 ms. Default 1,000. */
  readonly pollMs?: number;
  /**
   * Most facts a second, 1,000 to 1,000,000. Default 20,000: catching up at full speed takes half of what two cores
   * issue, this about an eighth.
   */
  readonly perSecondMax?: number;
}

/**
 * What happened to a number. Its first fact is `ISSUED` (drawn, assigned or imported), `RESERVED` or `SKIPPED`; others
 * follow it: `CONFIRMED` or `CANCELLED` (also by expiry) after `RESERVED`, and `VOIDED`, perhaps with a replacement.
 */
export type NumberFactKind = 'ISSUED' | 'RESERVED' | 'SKIPPED' | 'CONFIRMED' | 'CANCELLED' | 'VOIDED';

/** One fact about one number. */
export interface NumberFact {
  readonly kind: NumberFactKind;
  /** The number as it was when the fact was read: later facts can already show. */
  readonly entry: LedgerEntry;
  /** Who did it, and why. */
  readonly actor: string;
  readonly reason: string | undefined;
  /** When, by PostgreSQL's clock. */
  readonly at: Date;
  /** Number that replaced a voided one. */
  readonly replacedBy: string | undefined;
}

/**
 * The facts of a feed: those of a counter in the order of its sequence, then, in the order of their commits, what became of
 * numbers. Nothing is missed or repeated, however late transactions commit. While PostgreSQL is away, it waits.
 *
 * Ends when it is left, aborted, or the numbering is closed. Throws FeedTooWideError when it grows beyond 500 counters,
 * and FeedRewoundError after a restore.
 */
export interface NumberFeed extends AsyncIterableIterator<NumberFact>, AsyncDisposable {
  /**
   * Where to continue after the last fact that was returned: opaque, at most 4,096 characters of URL-safe text. Store it
   * in the transaction that processes the fact.
   */
  readonly cursor: string;
  /** Numbers that were in the ledger at the last look and have not been returned. */
  readonly behindCount: number;
  /** Waits for a fact and returns it with those that can follow without a query, `countMax` at most; none at the end. */
  take(countMax: number): Promise<readonly NumberFact[]>;
}

/** How the facts of the ledger are followed. */
export interface FactReading {
  /**
   * Follows the numbers of a series and what becomes of them, each fact once, from any point: `for await (const fact of
   * await numbering.feed({ … }))`. Store `feed.cursor` with what you made of the fact, and pass it as `after` to go on.
   *
   * @throws FeedTooWideError, FeedRewoundError, InvalidRequestError for a cursor of another feed
   */
  feed(request: FeedRequest): Promise<NumberFeed>;
}
