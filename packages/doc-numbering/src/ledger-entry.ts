import type { Guard, NumberStatus } from './issue-request.js';

/** One row of the ledger: the number, who got it, how, and what became of it. */
export interface LedgerEntry {
  readonly id: string | undefined;
  readonly space: string;
  readonly series: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly period: string;
  readonly counterId: string;
  readonly sequence: number;
  readonly number: string;
  readonly status: NumberStatus;
  readonly formatVersion: number | undefined;
  readonly date: string;
  readonly document: string | undefined;
  readonly actor: string;
  readonly reason: string | undefined;
  /** The number that took the place of a void one. */
  readonly replacedBy: string | undefined;
  readonly key: string | undefined;
  /** Rows of one commit share it. */
  readonly batch: string | undefined;
  readonly waitedMs: number | undefined;
  readonly retryCount: number | undefined;
  readonly guard: Guard | undefined;
  /** Clock of PostgreSQL. */
  readonly issuedAt: Date;
  /** End of a reservation. */
  readonly expiresAt: Date | undefined;
}

export interface LedgerFilter {
  readonly space?: string;
  readonly series?: string;
  /** A subset: entries that have these codes. */
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly period?: string;
  readonly counterId?: string;
  readonly status?: NumberStatus;
  readonly document?: string;
  readonly actor?: string;
  /** Business dates, both inclusive, `YYYY-MM-DD`. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
}

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

export interface CounterFilter {
  readonly space?: string;
  readonly series?: string;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly period?: string;
}

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
