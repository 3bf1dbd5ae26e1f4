import { PostgresFailure } from '@solegate/postgres-infra';
import { commitBatch, newBatchId } from '../draw/commit-batch.js';
import type { DraftReply } from '../draw/draft.js';
import type { CrowdLocks } from '../redis/crowd-locks.js';
import { type BatchWriters, WriterFailed } from './batch-writers.js';
import { type CounterFloors, type FloorOptions, WAIT_SHARE } from './counter-floors.js';
import { type CounterQueue, deadlineOf, type PendingIssue } from './counter-queue.js';
import {
  draftsWith,
  issueError,
  type RoundDraft,
  refuseRegression,
  settleDraft,
  toDraft,
  warnOfWidth,
  writersOf,
} from './settle-draft.js';

export interface RoundOptions extends FloorOptions {
  readonly floors: CounterFloors;
  readonly locks: CrowdLocks | undefined;
  readonly writers: BatchWriters;
}

/** Wait for a row while isolating the faulty request. */
const ISOLATING_WAIT_MS = 50;

/** Runs rounds of one commit each and answers every request in them: see issue-queue.ts. */
export class CommitRounds {
  readonly #options: RoundOptions;
  readonly #resolveAgain: (issue: PendingIssue) => void;

  /** @param resolveAgain called if the rules have changed: the request might belong to another counter */
  constructor(options: RoundOptions, resolveAgain: (issue: PendingIssue) => void) {
    this.#options = options;
    this.#resolveAgain = resolveAgain;
  }

  /**
   * Answers all requests waiting for these counters, or leaves them waiting because a row is locked. Never rejects.
   *
   * @param rowWaitMs longest wait for locked rows; `undefined` skips them
   */
  async run(counters: readonly CounterQueue[], rowWaitMs: number | undefined): Promise<void> {
    const unopened = counters.filter(({ known, isEmpty }) => known.id === undefined && !isEmpty);
    try {
      if (unopened.length > 0) await this.#options.floors.open(unopened);
    } catch (error) {
      // The other requests of the round have waited just as long.
      for (const issue of counters.flatMap((counter) => counter.takeAll())) {
        issue.fail(issueError(error, issue));
      }
    }
    await this.#drawAll(this.#form(counters), rowWaitMs);
  }

  #form(counters: readonly CounterQueue[]): RoundDraft[] {
    const nowMs = this.#options.now();
    let left = this.#options.batchMax;
    const drafts: RoundDraft[] = [];
    for (const counter of counters) {
      const [first, ...others] = left > 0 ? counter.take(left) : [];
      if (!first) continue;
      for (const { count } of [first, ...others]) left -= count;
      drafts.push({
        counter,
        issues: [first, ...others],
        expected: counter.expectedAt(nowMs),
        retryCount: 0,
      });
    }
    return drafts;
  }

  /** Draws all drafts in one statement, then those that must be drawn again immediately. */
  async #drawAll(drafts: readonly RoundDraft[], rowWaitMs: number | undefined): Promise<void> {
    for (let left = drafts; left.length > 0; ) {
      let replies: readonly DraftReply[];
      try {
        replies = await this.#commit(left, rowWaitMs);
      } catch (error) {
        return this.#afterFailure(left, error);
      }
      const drawn = left.flatMap((draft, index) => {
        const reply = replies[index];
        return reply ? [{ ...draft, reply }] : [];
      });
      // Marks are written and locks released before callers are answered, so their next steps delay no other process.
      for (const { counter, issues, reply } of drawn) {
        if (!reply.position) continue;
        counter.rowWasFree();
        if (reply.numberCount > 0) this.#options.marks?.raise(counter.lockKey.state, reply.position);
        if (counter.lock && reply.answers.filter(Boolean).length === issues.length) this.release(counter);
      }
      try {
        left = await this.#follow(drawn);
      } catch (error) {
        // Unexpected: requests without an answer fail with this error instead of waiting forever.
        for (const issue of drawn.flatMap(({ issues }) => issues)) issue.fail(error);
        return;
      }
    }
  }

  async #commit(drafts: readonly RoundDraft[], rowWaitMs: number | undefined): Promise<DraftReply[]> {
    const { now, observer, floors, writers } = this.#options;
    const counters = drafts.map(({ counter }) => counter);
    const unmarked = counters.filter(({ known }) => !known.isMarkedFor(floors.server));
    if (unmarked.length > 0) await floors.refresh(unmarked);
    const nowMs = now();
    const issues = drafts.flatMap((draft) => draft.issues);
    for (const issue of issues) issue.waitedMs = Math.max(0, Math.round(nowMs - issue.arrivedMs));
    const deadline = deadlineOf(issues);
    const longestMs = Math.max(1, Math.floor(deadline.leftMs * WAIT_SHARE));
    const batch = {
      id: newBatchId(),
      drafts: drafts.map(toDraft),
      server: floors.server,
      rowWaitMs: rowWaitMs === undefined ? undefined : Math.min(rowWaitMs, longestMs),
    };
    const names = writersOf(issues);
    const drawing = names.length > 0 ? writers.drawWith(names, drafts) : undefined;
    const replies = await commitBatch(batch, deadline, this.#options, drawing);
    const granted = drafts.filter((_, index) => (replies[index]?.numberCount ?? 0) > 0);
    if (granted.length === 0) return replies;
    observer.batchCommitted?.({
      numberCount: replies.reduce((sum, { numberCount }) => sum + numberCount, 0),
      counterCount: granted.length,
      guard: granted.every(({ expected }) => expected) ? 'redis+version' : 'row',
      retryCount: Math.max(...granted.map(({ retryCount }) => retryCount)),
      durationMs: now() - nowMs,
      waitedMaxMs: Math.max(...issues.map(({ waitedMs }) => waitedMs)),
      origins: issues.flatMap(({ origin }) => (origin === undefined ? [] : [origin])),
    });
    return replies;
  }

  /** Sends the mark to Redis before the release, so the next holder of the lock finds the mark. */
  release(counter: CounterQueue): void {
    const lock = counter.takeLock();
    if (!lock) return;
    this.#options.marks?.flush();
    void this.#options.locks?.release(lock);
  }

  async #afterFailure(drafts: readonly RoundDraft[], error: unknown): Promise<void> {
    const issues = drafts.flatMap((draft) => draft.issues);
    const again = drafts.map((draft) => ({ ...draft, retryCount: draft.retryCount + 1 }));
    if (error instanceof WriterFailed) return this.#withoutWriter(again, error);
    const failure = error instanceof PostgresFailure ? error : undefined;
    if (failure?.kind === 'BUSY') return this.#waitAgain(drafts, failure);
    const isOneToBlame = failure?.kind === 'REFUSED' || failure?.constraint !== undefined;
    if (isOneToBlame && issues.length > 1) return this.#drawHalves(again);
    for (const issue of issues) issue.fail(issueError(error, issue));
  }

  /** A wait timed out: the requests wait until there is a place to wait for longer. */
  #waitAgain(drafts: readonly RoundDraft[], error: Error): void {
    this.#options.observer.storeRetried?.({ attempt: 1, error });
    for (const { counter, issues } of drafts) {
      counter.rowWasStuck(error, this.#options.now());
      counter.putBack(issues);
    }
  }

  /** Draws what the writer has no part in, so that nobody waits for its faults; then looks for the faulty request. */
  async #withoutWriter(drafts: readonly RoundDraft[], failed: WriterFailed): Promise<void> {
    const { writer, kind, reason } = failed;
    const isOfWriter = ({ attached }: PendingIssue): boolean => attached?.writer === writer;
    const others = draftsWith(drafts, (issue) => !isOfWriter(issue));
    await this.#drawAll(others, ISOLATING_WAIT_MS);
    const own = draftsWith(drafts, isOfWriter);
    if (kind === 'LOCKED') return this.#waitAgain(own, failed);
    const issues = own.flatMap((draft) => draft.issues);
    if (kind === 'REFUSED' && issues.length > 1) return this.#drawHalves(own);
    for (const issue of issues) issue.fail(reason);
  }

  /** Retries each half by itself until the faulty request is isolated and the others have their numbers. */
  async #drawHalves(drafts: readonly RoundDraft[]): Promise<void> {
    const issues = drafts.flatMap((draft) => draft.issues);
    const half = new Set(issues.slice(0, Math.ceil(issues.length / 2)));
    for (const isFirst of [true, false]) {
      const part = draftsWith(drafts, (issue) => half.has(issue) === isFirst);
      await this.#drawAll(part, ISOLATING_WAIT_MS);
    }
  }

  /** Answers the requests that the replies answer; returns what to draw again immediately. */
  async #follow(drafts: readonly (RoundDraft & { readonly reply: DraftReply })[]): Promise<RoundDraft[]> {
    const { observer, floors, now } = this.#options;
    const { server } = floors;
    const again: RoundDraft[] = [];
    const below: (typeof drafts)[number][] = [];
    for (const draft of drafts) {
      const { counter, retryCount, reply } = draft;
      const { address, known } = counter;
      const { step, issues } = settleDraft({ address, known, issues: draft.issues }, reply, server);
      warnOfWidth(counter, draft.issues, reply, observer);
      const [first, ...others] = issues;
      if (!first) continue;
      const next = { ...draft, issues: [first, ...others] as const, expected: counter.expectedAt(now()) };
      switch (step) {
        case 'AGAIN':
          again.push(next);
          break;
        case 'HELD':
          counter.rowWasHeld();
          counter.putBack(issues);
          break;
        case 'OTHER_SERVER':
          floors.server = reply.server;
          again.push(next);
          break;
        case 'RULES_CHANGED':
          for (const issue of issues) this.#resolveAgain(issue);
          break;
        case 'BELOW_MARK':
          below.push(next);
          break;
        case 'CONFLICT':
          observer.versionConflicted?.({ counterCount: 1, attempt: retryCount + 1 });
          observer.fellBack?.({ reason: 'conflicts' });
          counter.versionConflicted(now());
          again.push({ ...next, expected: undefined, retryCount: retryCount + 1 });
          break;
      }
    }
    // Last, because this queries Redis and PostgreSQL.
    for (const draft of below) if (!(await this.#isRefused(draft))) again.push(draft);
    return again;
  }

  /** Whether a draft whose counter seems too low is finished: refused, or failed because the check failed. */
  async #isRefused({
    counter,
    issues,
    reply,
  }: RoundDraft & { readonly reply: DraftReply }): Promise<boolean> {
    const { observer, floors } = this.#options;
    const { address, known } = counter;
    try {
      if (!reply.position || !(await floors.isBelow(counter, reply.position))) return false;
      refuseRegression({ address, known, issues }, reply, observer);
    } catch (error) {
      for (const issue of issues) issue.fail(issueError(error, issue));
    }
    return true;
  }
}
