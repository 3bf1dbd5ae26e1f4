import type { LedgerEntry, NumberStatus } from './ledger-columns.js';

/** Conditions that an entry must all meet. Default: all entries. */
export interface LedgerFilter {
  readonly space?: string;
  readonly series?: string;
  /** Codes that an entry must have; it can have others as well. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly period?: string;
  readonly counterId?: string;
  readonly status?: NumberStatus;
  readonly document?: string;
  /** The number as printed; without `space`, in every space, or in those of `spaces`. */
  readonly number?: string;
  /** Needs `number`. */
  readonly spaces?: readonly string[];
  /** Idempotency key; needs `space`, because a key is unique only within its space. */
  readonly key?: string;
  readonly actor?: string;
  /** Business dates, both inclusive, `YYYY-MM-DD`, from 1900 to 2199. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
  /** Whether the list goes backward: the counter that began last, and its last number, first. Default `false`. */
  readonly newestFirst?: boolean;
}

/** What a person remembers of a number, and which of the numbers found to return. */
export interface NumberSearch extends Pick<LedgerFilter, 'status' | 'actor' | 'dateFrom' | 'dateTo'> {
  /** The beginning of the number, in any case, or its sequence, or its document: 1 to 100 characters. */
  readonly text: string;
  /** Default: all. */
  readonly spaces?: readonly string[];
  /** Entries to return, 1 to 1,000. Default 50. */
  readonly first?: number;
  /** Entries to skip, 0 to 1,000. Default 0. */
  readonly skip?: number;
}

/** Numbers found by a search, newest first. */
export interface FoundNumbers {
  readonly entries: readonly LedgerEntry[];
  /** How many of the first 1,000 numbers with this text meet the other conditions. */
  readonly total: number;
  /** Whether more than 1,000 numbers have this text: of these, the last in their order were looked at. */
  readonly isMore: boolean;
}

/** Which page of a list. */
export interface PageRequest {
  /** Entries on the page, 1 to 1,000. Default 50. */
  readonly first?: number;
  /** Cursor of the last entry before the page. */
  readonly after?: string;
}

/**
 * A page found by key, not by offset: its cost does not grow with its depth. It looks at 2,500 rows at most for conditions
 * that no index answers, so it can be shorter than asked for, even empty, and still have a next page.
 */
export interface Page<Item> {
  readonly items: readonly { readonly item: Item; readonly cursor: string }[];
  readonly hasNextPage: boolean;
  /** Where the next page starts: its `after`. Absent on an empty last page. */
  readonly endCursor: string | undefined;
}

/** The current state of a counter. */
export interface CounterState {
  readonly counterId: string;
  readonly space: string;
  readonly series: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string;
  readonly lastNumber: number;
  readonly version: number;
  readonly lastDate: string | undefined;
  readonly updatedAt: Date;
  /** Fraction of the format's width in use, 0 to 1 (above 1 only with `widen`); absent without a format. */
  readonly widthUsed: number | undefined;
}

/** Conditions that a counter must all meet. Default: all counters. */
export type CounterFilter = Pick<LedgerFilter, 'space' | 'series' | 'dimensions' | 'period'>;

/** What an event reports: a change of numbers, of reservations, of counters, or of rules. */
export type NumberingEventType =
  | 'number_assigned'
  | 'number_voided'
  | 'numbers_imported'
  | 'numbers_skipped'
  | 'reservation_cancelled'
  | 'reservation_confirmed'
  | 'regression_accepted'
  | 'series_defined'
  | 'series_changed'
  | 'format_saved'
  | 'format_withdrawn'
  | 'default_format_saved';

/** One step in the life of a number, a format or a series. Written once, never changed. */
export interface NumberingEvent {
  readonly eventId: string;
  readonly type: NumberingEventType;
  readonly space: string;
  readonly counterId: string | undefined;
  readonly sequence: number | undefined;
  readonly number: string | undefined;
  readonly actor: string;
  readonly reason: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** What to check, and for how long. */
export interface ReconcileRequest {
  readonly space?: string;
  readonly series?: string;
  /** Also report numbers without a document that are older than this. 0 to 3,155,760,000,000 (a hundred years). Default: not checked. */
  readonly unattachedAfterMs?: number;
  /** Time limit for the whole call. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** A finding about one counter. */
interface CounterFinding<Kind extends string> {
  readonly kind: Kind;
  readonly counterId: string;
  readonly counter: string;
}

/** Something that needs a person's attention. */
export type Finding =
  /** Sequences missing from the ledger between the counter's first and last numbers. */
  | (CounterFinding<'HOLE'> & { readonly first: number; readonly last: number })
  /** The counter is below a number in the ledger or below its mark in Redis. */
  | (CounterFinding<'REGRESSION'> & { readonly lastNumber: number; readonly highWaterMark: number })
  /** Void numbers without reason, actor or time of their voiding, or others that have them. */
  | (CounterFinding<'VOID_MISMATCH'> & { readonly count: number; readonly example: string })
  | (CounterFinding<'UNATTACHED'> & { readonly count: number; readonly example: string })
  | (CounterFinding<'WIDTH'> & { readonly lastNumber: number; readonly widthUsed: number })
  /** Redis did not respond within a second: these counters were not compared with their marks. */
  | { readonly kind: 'MARKS_UNREAD'; readonly counterCount: number }
  /** Overdue reservations that this call cancelled. */
  | { readonly kind: 'EXPIRED_RESERVATIONS'; readonly count: number };
