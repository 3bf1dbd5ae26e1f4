import { createHash } from 'node:crypto';
import type { TripEvent } from '../trip/trip.js';

/** Where to begin, and how to wait. */
export interface TripFeedRequest {
  /** A cursor of a feed of the same trips. Default: from the oldest event that is kept. */
  readonly after?: string;
  /** Ends the feed. */
  readonly signal?: AbortSignal;
  /** Anything that it yields means that there might be news. The feed is complete without it, and ends it. */
  readonly notices?: AsyncIterable<unknown>;
  /** How long to wait for a notice, 20 to 60,000 ms. Default 1,000. */
  readonly pollMs?: number;
  /** Most events a second, 1,000 to 1,000,000. Default 20,000, which leaves the database to those who reserve trips. */
  readonly perSecondMax?: number;
}

/**
 * The events of all trips. Nothing is missed or repeated, however late transactions commit, and a trip's events are in the
 * order of its revisions. While PostgreSQL is away, it waits.
 *
 * Ends when it is left, aborted, or the reservation is closed. Throws TripFeedBrokenError after a restore,
 * or once unread events have been deleted.
 */
export interface TripFeed extends AsyncIterableIterator<TripEvent>, AsyncDisposable {
  /** Where to continue after the last event that was returned: opaque, at most 200 characters of URL-safe text. */
  readonly cursor: string;
  /** Events that were placed at the last look and have not been returned. */
  readonly behindCount: number;
  /** Waits for an event and returns it with those that can follow without a query, `countMax` at most; none at the end. */
  take(countMax: number): Promise<readonly TripEvent[]>;
}

/** How far the events have been read. All values are whole numbers, or decimal text. */
export interface FeedPosition {
  /** Of the last event that was read; 0 before the first. */
  readonly position: number;
  /** That event, for comparison: a database that was restored has another one there. */
  readonly tripId: string;
  readonly revision: number;
  readonly occurredMs: number;
  /** When the newest of all events that were read happened, in milliseconds of PostgreSQL's clock. */
  readonly newestMs: number;
  /** When everything that was committed had been read. */
  readonly completeMs: number;
}

export const BEGINNING: FeedPosition = {
  position: 0,
  tripId: '0',
  revision: 0,
  occurredMs: 0,
  newestMs: 0,
  completeMs: 0,
};

const CHECK_LENGTH = 6;
const ID_MAX = 2n ** 63n - 1n;
const REVISION_MAX = 2 ** 31 - 1;

const checkOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LENGTH);

/** @param namespaceId of the tables; it is part of copies, too */
export function writeCursor(namespaceId: string, at: FeedPosition): string {
  const { position, tripId, revision, occurredMs, newestMs, completeMs } = at;
  const facts = [namespaceId.slice(0, 8), position, tripId, revision, occurredMs, newestMs, completeMs];
  const text = Buffer.from(facts.join()).toString('base64url');
  return `${checkOf(text)}${text}`;
}

/** Returns undefined for what is no cursor of these tables. */
export function readCursor(namespaceId: string, cursor: unknown): FeedPosition | undefined {
  const given = /^[\w-]{7,200}$/.test(String(cursor)) ? String(cursor) : '';
  const text = given.slice(CHECK_LENGTH);
  const [id, ...facts] = Buffer.from(text, 'base64url').toString().split(',');
  if (checkOf(text) !== given.slice(0, CHECK_LENGTH) || id !== namespaceId.slice(0, 8)) return undefined;
  // Whoever knows how a cursor is written can write any: the values are those of columns.
  if (facts.length !== 6 || !facts.every((fact) => /^\d{1,19}$/.test(fact))) return undefined;
  const [tripId = ''] = facts.splice(1, 1);
  const numbers = facts.map(Number);
  const [position = 0, revision = 0, occurredMs = 0, newestMs = 0, completeMs = 0] = numbers;
  if (BigInt(tripId) > ID_MAX || revision > REVISION_MAX || !numbers.every(Number.isSafeInteger)) {
    return undefined;
  }
  return { position, tripId, revision, occurredMs, newestMs, completeMs };
}
