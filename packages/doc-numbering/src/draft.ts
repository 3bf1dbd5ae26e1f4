import type { Batch, BatchLine } from './batch.js';
import type { CounterLine } from './counter-line.js';
import type { LineReply } from './draw-reply.js';
import type { PendingIssue } from './pending-issue.js';

/** Requests of one counter that a statement draws for. */
export interface Draft {
  readonly line: CounterLine;
  readonly issues: readonly PendingIssue[];
  /** The version is not asked for: the row's own lock keeps order. */
  readonly isBare: boolean;
  readonly retryCount: number;
}

/** A draft with what came of it. */
export interface AnsweredDraft {
  readonly draft: Draft;
  readonly reply: LineReply;
}

export function toBatch(drafts: readonly Draft[], facts: Pick<Batch, 'id' | 'startedMs'>): Batch {
  return { ...facts, lines: drafts.map(toBatchLine) };
}

function toBatchLine({ line, issues, isBare, retryCount }: Draft): BatchLine {
  return {
    counterId: line.counterId ?? '',
    expected: isBare ? undefined : line.standing,
    highWaterMark: line.highWaterMark,
    issues,
    retryCount,
  };
}

export function inPairs(drafts: readonly Draft[], replies: readonly LineReply[]): AnsweredDraft[] {
  const byCounter = new Map(drafts.map((draft) => [draft.line.counterId, draft]));
  return replies.flatMap((reply) => {
    const draft = byCounter.get(reply.line.counterId);
    return draft ? [{ draft, reply }] : [];
  });
}
