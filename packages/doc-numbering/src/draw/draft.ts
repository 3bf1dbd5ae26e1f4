import { Deadline } from '@solegate/postgres-infra';
import type { Guard, NumberStatus } from '../contract/issue-request.js';
import type { IssueFacts } from '../request/issue-facts.js';
import type { Position, ResolvedRequest } from '../request/resolved-request.js';
import type { CounterQueue } from './counter-queue.js';

/** Numbers that were drawn for one request, or found under its key: consecutive, of one counter. */
export interface DrawnNumbers {
  readonly counterId: string;
  readonly first: number;
  readonly numbers: readonly string[];
  readonly period: string;
  readonly date: string;
  readonly formatVersion: number;
  readonly id: string | undefined;
  readonly replayed: boolean;
  readonly status: NumberStatus;
  readonly guard: Guard;
  readonly waitedMs: number;
  readonly retryCount: number;
  readonly reservation: { readonly token: string; readonly expiresMs: number } | undefined;
}

/** Name of the writer whose documents share the commit, with this request's document. */
export interface AttachedDocument {
  readonly writer: string;
  readonly document: unknown;
}

/** A request that waits for its numbers. */
export interface PendingIssue {
  /** May be replaced while it waits, when the rules of its series have changed. */
  resolved: ResolvedRequest;
  readonly facts: IssueFacts;
  readonly count: number;
  readonly attached: AttachedDocument | undefined;
  readonly arrivedMs: number;
  readonly deadline: Deadline;
  /** Resolves the same request by the rules of now, on the date it was asked for. */
  resolveAgain(): Promise<ResolvedRequest>;
  settle(drawn: DrawnNumbers): void;
  fail(error: unknown): void;
}

/** Requests of one counter that one statement draws for, and what it answered. */
export interface Draft {
  readonly counter: CounterQueue;
  /** In order of arrival; of one series revision, dates not falling when the series keeps date order. */
  readonly issues: readonly PendingIssue[];
  /** Draw only if the counter stands there; `undefined` draws wherever it stands. */
  readonly expected: Position | undefined;
  readonly retryCount: number;
  /** Set by whoever draws. */
  reply: DraftReply | undefined;
}

/** How one counter answered. */
export interface DraftReply {
  /** `SKIPPED`: somebody else holds the row, and nothing is known of it. */
  readonly kind: 'GRANTED' | 'REFUSED' | 'SKIPPED';
  /** The PostgreSQL that answered, by its start. */
  readonly server: string;
  /** Where the counter stands now. */
  readonly position: Position;
  readonly lastDate: string | undefined;
  readonly revision: number;
  readonly drawn: ReadonlyMap<PendingIssue, DrawnNumbers>;
  /** Numbers of requests whose key was used before, with the digest of what was asked for then. */
  readonly replays: ReadonlyMap<PendingIssue, Replay>;
  /** Requests whose document could not be written, with the writer's error. */
  readonly failed: ReadonlyMap<PendingIssue, unknown>;
}

export interface Replay {
  readonly numbers: DrawnNumbers;
  readonly fingerprint: string | null;
}

/** What is drawn in one statement. A repeat after a lost reply has the same id and the same drafts. */
export interface Batch {
  readonly id: string;
  readonly drafts: readonly Draft[];
  /** When its statement is sent, on the clock of `arrivedMs`. */
  readonly startedMs: number;
  /** The PostgreSQL for which the floors of all counters are known; another one draws nothing. `undefined`: any. */
  readonly server: string | undefined;
  /** Longest wait for a counter that somebody holds; `undefined` skips it. */
  readonly rowWaitMs: number | undefined;
  /** Of a batch that is drawn in parts: places of all its requests, and whether a part has its head already. */
  readonly partOf?: { readonly positions: ReadonlyMap<PendingIssue, number>; readonly hasHead: boolean };
}

/** Place of each request's first number among all numbers of the batch, from 1. */
export function positionsOf({ drafts, partOf }: Batch): ReadonlyMap<PendingIssue, number> {
  if (partOf) return partOf.positions;
  const positions = new Map<PendingIssue, number>();
  let position = 1;
  for (const { issues } of drafts) {
    for (const issue of issues) {
      positions.set(issue, position);
      position += issue.count;
    }
  }
  return positions;
}

/** Whole milliseconds between a request and the statement that draws for it. */
export const waitedMs = ({ startedMs }: Batch, { arrivedMs }: PendingIssue): number =>
  Math.max(0, Math.round(startedMs - arrivedMs));

/** Those drafts of which something belongs, with what belongs. */
export function draftsWith(drafts: readonly Draft[], belongs: (issue: PendingIssue) => boolean): Draft[] {
  const parts = drafts.map((draft) => ({ ...draft, issues: draft.issues.filter(belongs) }));
  return parts.filter(({ issues }) => issues.length > 0);
}

/** Every statement has this long at least: a request at the end of its time must not cut off those that share it. */
const STATEMENT_MS = 500;

/** A shared statement keeps the deadline of whoever has least time left. */
export function deadlineOf(issues: readonly PendingIssue[]): Deadline {
  const [first, ...others] = issues.map(({ deadline }) => deadline);
  if (!first) throw new Error('a round without requests');
  const earliest = Deadline.earliest([first, ...others]);
  return earliest.leftMs < STATEMENT_MS ? Deadline.after(STATEMENT_MS) : earliest;
}
