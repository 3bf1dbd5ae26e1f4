import { PostgresFailure } from '@solegate/postgres-infra';
import { commitBatch, formBatch } from '../draw/commit-batch.js';
import {
  type CounterQueue,
  type Draft,
  deadlineOf,
  draftsWith,
  type PendingIssue,
} from '../draw/counter-queue.js';
import type { CrowdLocks } from '../redis/crowd-locks.js';
import { type BatchWriters, WriteRefused } from './batch-writers.js';
import type { CounterFloors, FloorOptions } from './counter-floors.js';
import { issueError, refuseRegression, settleDraft } from './settle-draft.js';

export interface RoundOptions extends FloorOptions {
  readonly floors: CounterFloors;
  readonly locks: CrowdLocks | undefined;
  readonly writers: BatchWriters;
}

/** After a version conflict, how long to skip the version check: another process moves the counter without its lock. */
const UNVERSIONED_MS = 500;
/** How long a counter stays crowded after a wait for its row timed out. */
const CROWD_MS = 2000;
/** Share of the remaining time that a wait for a row can take: the reply must arrive before the deadline. */
const WAIT_SHARE = 0.9;
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
   * @param rowWaitMs longest wait for a locked row; `undefined` skips it
   */
  async run(counters: readonly CounterQueue[], rowWaitMs: number | undefined): Promise<void> {
    const writer = counters[0]?.waiting[0]?.attached?.writer;
    const unopened = counters.filter((one) => one.counterId === undefined && one.waiting.length > 0);
    try {
      if (unopened.length > 0) await this.#options.floors.open(unopened);
    } catch (error) {
      // The other requests of the round have waited just as long.
      for (const issue of counters.flatMap(({ waiting }) => waiting.splice(0))) {
        issue.fail(issueError(error, issue));
      }
    }
    await this.#drawAll(this.#draft(counters, writer), rowWaitMs);
  }

  #draft(counters: readonly CounterQueue[], writer: string | undefined): Draft[] {
    const nowMs = this.#options.now();
    let left = this.#options.batchMax;
    const drafts: Draft[] = [];
    for (const counter of counters) {
      if (left <= 0) break;
      const [first, ...others] = counter.takeWaiting(writer, left);
      if (!first) continue;
      for (const { count } of [first, ...others]) left -= count;
      const isVersioned = counter.lock?.isTrusted === true && nowMs >= counter.unversionedUntilMs;
      const expected = isVersioned ? counter.position : undefined;
      drafts.push({ counter, issues: [first, ...others], expected, retryCount: 0, reply: undefined });
    }
    return drafts;
  }

  /** Draws all drafts in one statement, then those that must be drawn again immediately. */
  async #drawAll(drafts: readonly Draft[], rowWaitMs: number | undefined): Promise<void> {
    for (let left = drafts; left.length > 0; ) {
      try {
        await this.#commit(left, rowWaitMs);
      } catch (error) {
        return this.#afterFailure(left, error);
      }
      // Marks are written and locks released before callers are answered, so their next steps delay no other process.
      for (const { counter, issues, reply } of left) {
        if (!reply || reply.kind === 'SKIPPED') continue;
        counter.row = 'free';
        if (reply.numberCount > 0) this.#options.marks?.raise(counter.lockKey.state, reply.position);
        if (counter.lock && reply.answers.size === issues.length) this.release(counter);
      }
      try {
        left = await this.#follow(left);
      } catch (error) {
        // Unexpected: requests without an answer fail with this error instead of waiting forever.
        for (const issue of left.flatMap(({ issues }) => issues)) issue.fail(error);
        return;
      }
    }
  }

  async #commit(drafts: readonly Draft[], rowWaitMs: number | undefined): Promise<void> {
    const { now, observer, floors, writers } = this.#options;
    const counters = drafts.map(({ counter }) => counter);
    const unmarked = counters.filter(({ markedFor }) => markedFor !== floors.server);
    if (unmarked.length > 0) await floors.refresh(unmarked);
    const nowMs = now();
    const issues = drafts.flatMap((draft) => draft.issues);
    const deadline = deadlineOf(issues);
    const longestMs = Math.max(1, Math.floor(deadline.leftMs * WAIT_SHARE));
    const batch = formBatch(drafts, {
      nowMs,
      server: floors.server,
      rowWaitMs: rowWaitMs === undefined ? undefined : Math.min(rowWaitMs, longestMs),
    });
    const { attached } = issues[0] ?? {};
    await commitBatch(batch, deadline, this.#options, attached && writers.drawFor(attached.writer));
    const granted = drafts.filter(({ reply }) => reply && reply.numberCount > 0);
    if (granted.length === 0) return;
    observer.batchCommitted?.({
      numberCount: granted.reduce((sum, { reply }) => sum + (reply?.numberCount ?? 0), 0),
      counterCount: granted.length,
      guard: granted.every(({ expected }) => expected) ? 'redis+version' : 'row',
      retryCount: Math.max(...granted.map(({ retryCount }) => retryCount)),
      durationMs: now() - nowMs,
      waitedMaxMs: Math.max(...issues.map(({ waitedMs }) => waitedMs)),
      origins: issues.flatMap(({ origin }) => (origin === undefined ? [] : [origin])),
    });
  }

  /** Sends the mark to Redis before the release, so the next holder of the lock finds the mark. */
  release(counter: CounterQueue): void {
    const { lock } = counter;
    if (!lock) return;
    counter.lock = undefined;
    this.#options.marks?.flush();
    void this.#options.locks?.release(lock);
  }

  async #afterFailure(drafts: readonly Draft[], error: unknown): Promise<void> {
    const issues = drafts.flatMap((draft) => draft.issues);
    const failure = error instanceof PostgresFailure ? error : undefined;
    if (failure?.kind === 'BUSY') {
      this.#options.observer.storeRetried?.({ attempt: 1, error: failure });
      for (const { counter, issues: ofCounter } of drafts) {
        counter.row = 'stuck';
        counter.lastFailure = failure;
        counter.crowdedUntilMs = this.#options.now() + CROWD_MS;
        counter.waiting.unshift(...ofCounter);
      }
      return;
    }
    const isRefused = failure?.kind === 'REFUSED' || failure?.constraint !== undefined;
    const isOneToBlame = error instanceof WriteRefused || isRefused;
    if (issues.length === 1 || !isOneToBlame) {
      for (const issue of issues) {
        issue.fail(error instanceof WriteRefused ? error.reason : issueError(error, issue));
      }
      return;
    }
    // Retry each half by itself until the faulty request is isolated and the others have their numbers.
    const again = drafts.map((draft) => ({ ...draft, retryCount: draft.retryCount + 1 }));
    const half = new Set(issues.slice(0, Math.ceil(issues.length / 2)));
    for (const isFirst of [true, false]) {
      const part = draftsWith(again, (issue) => half.has(issue) === isFirst);
      await this.#drawAll(part, ISOLATING_WAIT_MS);
    }
  }

  /** Answers the requests that the replies answer; returns what to draw again immediately. */
  async #follow(drafts: readonly Draft[]): Promise<Draft[]> {
    const { observer, floors, now } = this.#options;
    const { server } = floors;
    const again: Draft[] = [];
    const below: Draft[] = [];
    for (const draft of drafts) {
      const { counter, retryCount } = draft;
      const { verdict, issues } = settleDraft(draft, server, observer);
      const [first, ...others] = issues;
      if (!first) continue;
      const next: Draft = { ...draft, issues: [first, ...others] };
      switch (verdict) {
        case 'AGAIN':
          again.push(next);
          break;
        case 'HELD':
          counter.row = 'held';
          counter.waiting.unshift(...issues);
          break;
        case 'OTHER_SERVER':
          floors.server = draft.reply?.server;
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
          counter.unversionedUntilMs = now() + UNVERSIONED_MS;
          again.push({ ...next, expected: undefined, retryCount: retryCount + 1 });
          break;
      }
    }
    // Last, because this queries Redis and PostgreSQL.
    for (const draft of below) if (!(await this.#isRefused(draft))) again.push(draft);
    return again;
  }

  /** Whether a draft whose counter seems too low is finished: refused, or failed because the check failed. */
  async #isRefused({ counter, issues, reply }: Draft): Promise<boolean> {
    const { observer, floors } = this.#options;
    const position = reply?.position ?? { version: 0, last: 0 };
    try {
      if (!(await floors.isBelow(counter, position))) return false;
      refuseRegression(issues, { counter, position, observer });
    } catch (error) {
      for (const issue of issues) issue.fail(issueError(error, issue));
    }
    return true;
  }
}
