import type { Guard, IssuedNumber, NumberStatus } from './requests.js';

/** One row of the ledger: the number, who got it, how, and what became of it. */
export interface LedgerEntry
  extends Omit<IssuedNumber, 'formatVersion' | 'replayed' | 'guard' | 'waitedMs' | 'retryCount'> {
  /** These four are absent where the number was not drawn but recorded. */
  readonly formatVersion: number | undefined;
  readonly guard: Guard | undefined;
  readonly waitedMs: number | undefined;
  readonly retryCount: number | undefined;
  readonly document: string | undefined;
  readonly actor: string;
  readonly reason: string | undefined;
  /** The number that took the place of a void one. */
  readonly replacedBy: string | undefined;
  readonly key: string | undefined;
  /** Rows of one commit share it. */
  readonly batch: string | undefined;
  /** Clock of PostgreSQL. */
  readonly issuedAt: Date;
  /** End of a reservation. */
  readonly expiresAt: Date | undefined;
}

/** Entries that have all of these. Default: all entries. */
export interface LedgerFilter {
  readonly space?: string;
  readonly series?: string;
  /** A subset: entries that have these codes. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly period?: string;
  readonly counterId?: string;
  readonly status?: NumberStatus;
  readonly document?: string;
  /** Idempotency key; with `space`, which it is unique in. */
  readonly key?: string;
  readonly actor?: string;
  /** Business dates, both inclusive, `YYYY-MM-DD`. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
}

/** Which page of a list. */
export interface PageRequest {
  /** Entries on the page, 1 to 1,000. Default 50. */
  readonly first?: number;
  /** Cursor of the entry before the page. */
  readonly after?: string;
}

/** A page found by key, not by counting: its cost does not grow with its depth. */
export interface Page<Item> {
  readonly items: readonly { readonly item: Item; readonly cursor: string }[];
  readonly hasNextPage: boolean;
}

/** A counter as it stands. */
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
  /** Part of the format's width in use, 0 to 1 (above 1 only with `widen`); absent without a format. */
  readonly widthUsed: number | undefined;
}

/** Counters that have all of these. Default: all counters. */
export type CounterFilter = Pick<LedgerFilter, 'space' | 'series' | 'dimensions' | 'period'>;

/** One step in the life of a number, a format or a series. Written once, never changed. */
export interface NumberingEvent {
  readonly eventId: string;
  readonly type: string;
  readonly space: string;
  readonly counterId: string | undefined;
  readonly sequence: number | undefined;
  readonly number: string | undefined;
  readonly actor: string;
  readonly reason: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** What is looked through, and for how long. */
export interface ReconcileRequest {
  readonly space?: string;
  readonly series?: string;
  /** Also list numbers without a document that are older than this. Default: they are not looked for. */
  readonly unattachedAfterMs?: number;
  /** How long all of it may take. 1,000 to 86,400,000. Default 600,000 (ten minutes). */
  readonly timeoutMs?: number;
}

/** A finding about one counter. */
interface CounterFinding<Kind extends string> {
  readonly kind: Kind;
  readonly counterId: string;
  readonly counter: string;
}

/** Something that a person should look at. */
export type Finding =
  /** Sequences missing from the ledger between its first and the counter's last number. */
  | (CounterFinding<'hole'> & { readonly first: number; readonly last: number })
  /** The counter stands below a number of the ledger or below what Redis remembers. */
  | (CounterFinding<'regression'> & { readonly lastNumber: number; readonly highWaterMark: number })
  | (CounterFinding<'unattached'> & { readonly count: number; readonly example: string })
  | (CounterFinding<'width'> & { readonly lastNumber: number; readonly widthUsed: number })
  /** Redis gave no answer: regressions of these counters below what it remembers were not looked for. */
  | { readonly kind: 'marks_unread'; readonly counterCount: number }
  /** Reservations whose time is over and that were cancelled by this call. */
  | { readonly kind: 'expired_reservations'; readonly count: number };
