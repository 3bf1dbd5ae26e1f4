import type { Draft } from '../draw/draft.js';
import type { Position } from '../request/resolved-request.js';
import type { CounterQueue, PendingIssue } from './counter-queue.js';

/** Requests of one counter that a round draws together. */
export interface RoundDraft {
  readonly counter: CounterQueue;
  readonly issues: readonly [PendingIssue, ...PendingIssue[]];
  readonly expected: Position | undefined;
  readonly retryCount: number;
}

/** What PostgreSQL is asked for. */
export function toDraft({ counter, issues, expected, retryCount }: RoundDraft): Draft {
  const { id, floor } = counter.known;
  if (id === undefined) throw new Error(`the counter ${counter.address.key} was not opened`);
  return { counterId: id, floor, expected, retryCount, items: issues };
}

/** Names of the writers that requests want, sorted. */
export function writersOf(issues: readonly PendingIssue[]): string[] {
  return [...new Set(issues.flatMap(({ attached }) => (attached ? [attached.writer] : [])))].sort();
}

/** Returns the drafts with only those requests that belong, to be drawn again; drops drafts left empty. */
export function draftsWith(
  drafts: readonly RoundDraft[],
  belongs: (issue: PendingIssue) => boolean,
): RoundDraft[] {
  return drafts.flatMap((draft) => {
    const [first, ...others] = draft.issues.filter(belongs);
    return first ? [{ ...draft, issues: [first, ...others], expected: undefined }] : [];
  });
}
