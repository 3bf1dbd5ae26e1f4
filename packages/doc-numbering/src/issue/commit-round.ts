import { PostgresFailure } from '@solegate/postgres-infra';
import { commitBatch } from '../draw/commit-batch.js';
import type { DraftReply } from '../draw/draft.js';
import type { CrowdLocks } from '../redis/crowd-locks.js';
import { type BatchWriters, WriterFailed } from './batch-writers.js';
import type { CounterFloors, FloorOptions } from './counter-floors.js';
import { type CounterQueue, limitsOf, type PendingIssue } from './counter-queue.js';
import {
  draftsOf,
  draftsWith,
  isInTime,
  issueError,
  type RoundDraft,
  refuseRegression,
  settleDraft,
  toBatch,
  warnOfWidth,
} from './settle-draft.js';

export interface RoundOptions extends FloorOptions {
  readonly floors: CounterFloors;
  readonly locks: CrowdLocks | undefined;
  readonly writers: BatchWriters;
}

/** A draft with PostgreSQL's reply. */
interface DrawnDraft extends RoundDraft {
  readonly reply: DraftReply;
}

/** Wait for a row in a round that waits for none, to open a new counter, and while isolating the faulty request. */
const LEAST_WAIT_MS = 50;

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
    const unread = counters.filter(({ known }) => !known.isReadOn(this.#options.floors.server));
    const free = unread.length > 0 ? await this.#open(counters, unread, rowWaitMs) : counters;
    await this.#drawAll(draftsOf(free, this.#options), rowWaitMs);
  }

  /** Returns the counters that can be drawn from; a row that is being created elsewhere counts as a locked one. */
  async #open(
    counters: readonly CounterQueue[],
    unread: readonly CounterQueue[],
    rowWaitMs: number | undefined,
  ): Promise<readonly CounterQueue[]> {
    // What earlier rounds have left can be late by now. A counter that nobody waits for is not opened, so it is not drawn.
    const wanted = unread.filter((counter) => Number.isFinite(counter.refuseLate()));
    try {
      const { lost, held } = await this.#options.floors.read(wanted, rowWaitMs ?? LEAST_WAIT_MS);
      // Resolving again says that the series is gone, or finds another of that name.
      for (const issue of lost.flatMap((counter) => counter.takeAll())) this.#resolveAgain(issue);
      if (rowWaitMs === undefined) for (const counter of held) counter.findRow('held');
      else if (held.length > 0) this.#waitTimedOut(held, new Error('its row is being created elsewhere'));
      const opened = wanted.filter((counter) => !held.includes(counter) && !lost.includes(counter));
      return counters.filter((counter) => !unread.includes(counter) || opened.includes(counter));
    } catch (error) {
      // The other requests of the round have waited just as long.
      for (const issue of counters.flatMap((one) => one.takeAll())) issue.fail(issueError(error, issue));
      return [];
    }
  }

  /** Draws all drafts in one statement, then those that must be drawn again immediately. */
  async #drawAll(drafts: readonly RoundDraft[], rowWaitMs: number | undefined): Promise<void> {
    for (let left = drafts; left.length > 0; ) {
      let drawn: readonly DrawnDraft[];
      try {
        drawn = await this.#commit(left, rowWaitMs);
      } catch (error) {
        return this.#afterFailure(left, error);
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

  async #commit(drafts: readonly RoundDraft[], rowWaitMs: number | undefined): Promise<DrawnDraft[]> {
    const { now, observer, writers } = this.#options;
    const startedMs = now();
    const issues = drafts.flatMap((draft) => draft.issues);
    const names = new Set<string>();
    const origins: unknown[] = [];
    let waitedMaxMs = 0;
    for (const issue of issues) {
      issue.waitedMs = Math.max(0, Math.round(startedMs - issue.arrivedMs));
      waitedMaxMs = Math.max(waitedMaxMs, issue.waitedMs);
      if (issue.attached) names.add(issue.attached.writer);
      if (issue.origin !== undefined) origins.push(issue.origin);
    }
    const { deadline, waitMs } = limitsOf(issues, rowWaitMs);
    const drawing = names.size > 0 ? writers.drawWith([...names].sort(), drafts) : undefined;
    const replies = await commitBatch(toBatch(drafts, waitMs), deadline, this.#options, drawing);
    const drawn = drafts.flatMap((draft, at) => (replies[at] ? [{ ...draft, reply: replies[at] }] : []));
    const granted = drawn.filter(({ reply }) => reply.numberCount > 0);
    if (granted.length > 0) {
      observer.batchCommitted?.({
        numberCount: granted.reduce((sum, { reply }) => sum + reply.numberCount, 0),
        counterCount: granted.length,
        guard: granted.every(({ expected }) => expected) ? 'redis+version' : 'row',
        retryCount: Math.max(...granted.map(({ retryCount }) => retryCount)),
        durationMs: now() - startedMs,
        waitedMaxMs,
        origins,
      });
    }
    return drawn;
  }

  /** Sends the mark to Redis before the release, so the next holder of the lock finds the mark. */
  release(counter: CounterQueue): void {
    const lock = counter.takeLock();
    if (!lock) return;
    void this.#options.marks?.flush();
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
    if (failure) for (const { counter } of drafts) counter.drawFailed(failure);
    for (const issue of issues) issue.fail(issueError(error, issue));
  }

  /** A wait timed out: the requests wait until there is a place to wait for longer. */
  #waitAgain(drafts: readonly RoundDraft[], error: Error): void {
    const counters = drafts.map(({ counter }) => counter);
    this.#waitTimedOut(counters, error);
    for (const { counter, issues } of drafts) counter.putBack(issues);
  }

  #waitTimedOut(counters: readonly CounterQueue[], error: Error): void {
    this.#options.observer.storeRetried?.({ attempt: 1, error });
    for (const counter of counters) counter.waitTimedOut(error, this.#options.now());
  }

  /** Draws what the writer has no part in, so that nobody waits for its faults; then looks for the faulty request. */
  async #withoutWriter(drafts: readonly RoundDraft[], failed: WriterFailed): Promise<void> {
    const { writer, kind, reason } = failed;
    const isOfWriter = ({ attached }: PendingIssue): boolean => attached?.writer === writer;
    const others = draftsWith(drafts, (issue) => !isOfWriter(issue));
    await this.#drawAll(others, LEAST_WAIT_MS);
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
      const part = draftsWith(drafts, (issue) => half.has(issue) === isFirst && isInTime(issue));
      await this.#drawAll(part, LEAST_WAIT_MS);
    }
  }

  /** Answers the requests that the replies answer; returns what to draw again immediately. */
  async #follow(drafts: readonly DrawnDraft[]): Promise<RoundDraft[]> {
    const { observer, floors, now, marks } = this.#options;
    // Marks are written and locks released before callers are answered, so their next steps delay no other process.
    for (const { counter, reply } of drafts) {
      if (!reply.position) continue;
      counter.findRow('free');
      if (reply.numberCount > 0) marks?.raise(counter.lockKey.state, reply.position);
      if (counter.state.lock && reply.answers.every(Boolean)) this.release(counter);
    }
    const again: RoundDraft[] = [];
    const below: DrawnDraft[] = [];
    for (const draft of drafts) {
      const { counter, retryCount, reply } = draft;
      const [first, ...others] = settleDraft(draft, reply);
      warnOfWidth(draft, reply, observer);
      if (!first) continue;
      const issues = [first, ...others] as const;
      const next = { ...draft, issues, expected: counter.expectedAt(now()) };
      switch (reply.verdict) {
        case 'SKIPPED':
          counter.findRow('held');
          counter.putBack(issues);
          break;
        case 'MISSING':
        case 'OTHER_SERVER':
          draft.known.lose();
          floors.moveTo(reply.server);
          counter.putBack(issues);
          break;
        // The rules that the requests were resolved with refuse them: resolving again fails with the reason.
        case 'CLOSED':
        case 'RULES_CHANGED':
          for (const issue of issues) this.#resolveAgain(issue);
          break;
        case 'BELOW_MARK':
          below.push(next);
          break;
        case 'CONFLICT':
          observer.versionConflicted?.({ counterCount: 1, attempt: retryCount + 1 });
          observer.fellBack?.({ reason: 'CONFLICT' });
          counter.versionConflicted(now());
          again.push({ ...next, expected: undefined, retryCount: retryCount + 1 });
          break;
        default:
          again.push(next);
      }
    }
    // Last, because this queries Redis.
    for (const draft of below) if (!(await this.#isRefused(draft))) again.push(draft);
    return again;
  }

  /** Whether a draft whose counter seems too low is finished: refused, or failed because the check failed. */
  async #isRefused(draft: DrawnDraft): Promise<boolean> {
    const { counter, issues, reply } = draft;
    try {
      if (!reply.position || !(await this.#options.floors.isBelow(counter, reply.position))) return false;
      refuseRegression(draft, reply, this.#options.observer);
    } catch (error) {
      for (const issue of issues) issue.fail(issueError(error, issue));
    }
    return true;
  }
}
