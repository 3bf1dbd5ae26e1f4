import { randomUUID } from 'node:crypto';
import { PostgresFailure } from '@solegate/postgres-infra';
import { type CommitOptions, commitBatch } from '../draw/commit-batch.js';
import type { CounterQueue } from '../draw/counter-queue.js';
import { type Draft, deadlineOf, draftsWith, type PendingIssue } from '../draw/draft.js';
import type { CrowdLocks } from '../redis/crowd-locks.js';
import type { HighWaterMarks } from '../redis/high-water-marks.js';
import type { BatchWriters } from './batch-writers.js';
import { type CounterFloors, openQueues } from './counter-floors.js';
import { issueError, refuseRegression, settleDraft } from './settle-draft.js';

export interface RoundOptions extends CommitOptions {
  readonly now: () => number;
  readonly floors: CounterFloors;
  readonly marks: HighWaterMarks | undefined;
  readonly locks: CrowdLocks | undefined;
  readonly writers: BatchWriters;
  /** Numbers in one commit. */
  readonly batchMax: number;
}

/** What a round is for, and what it reports to its queue. */
export interface RoundPlan {
  /** Writer of the documents in its commit, if any. */
  readonly writer: string | undefined;
  /** Longest wait for a row that somebody holds; `undefined` passes it by. */
  readonly rowWaitMs: number | undefined;
  /** The rules have changed: the request is resolved again and may belong to another counter. */
  readonly resolveAgain: (issue: PendingIssue) => void;
}

/** After a version conflict, how long to skip the version check: somebody moves the counter without its lock. */
const UNVERSIONED_MS = 500;
/** How long a counter stays crowded after a wait for its row was in vain. */
const CROWD_MS = 2000;
/** Of the time that is left, what a wait for a row may take: the answer must come before the deadline. */
const WAIT_SHARE = 0.9;
/** Wait for a row while the request at fault is looked for. */
const ISOLATING_WAIT_MS = 50;

/** One commit and what it takes to answer everybody in it: see issue-queue.ts. */
export class CommitRound {
  readonly #options: RoundOptions;
  readonly #plan: RoundPlan;

  constructor(options: RoundOptions, plan: RoundPlan) {
    this.#options = options;
    this.#plan = plan;
  }

  /** Answers everybody who waits for these counters, or puts them back because a row is held. Never rejects. */
  async run(counters: readonly CounterQueue[]): Promise<void> {
    for (const counter of counters) counter.refuseLate();
    if (await openQueues(counters, this.#options)) await this.#drawAll(this.#draft(counters));
  }

  #draft(counters: readonly CounterQueue[]): Draft[] {
    const nowMs = this.#options.now();
    let left = this.#options.batchMax;
    const drafts: Draft[] = [];
    for (const counter of counters) {
      if (left <= 0) break;
      const issues = counter.takeWaiting(this.#plan.writer, left);
      if (issues.length === 0) continue;
      for (const { count } of issues) left -= count;
      counter.width = issues[0]?.resolved.format.width;
      const isVersioned = counter.lock?.isTrusted === true && nowMs >= counter.unversionedUntilMs;
      const expected = isVersioned ? counter.position : undefined;
      drafts.push({ counter, issues, expected, retryCount: 0, reply: undefined });
    }
    return drafts;
  }

  async #drawAll(drafts: readonly Draft[], rowWaitMs = this.#plan.rowWaitMs): Promise<void> {
    let left = drafts;
    while (left.length > 0) left = await this.#drawOnce(left, rowWaitMs);
  }

  /** One statement for all drafts; gives those that must be drawn for again at once. */
  async #drawOnce(drafts: readonly Draft[], rowWaitMs: number | undefined): Promise<Draft[]> {
    try {
      await this.#commit(drafts, rowWaitMs);
    } catch (error) {
      await this.#afterFailure(drafts, error);
      return [];
    }
    this.#handOn(drafts);
    try {
      return await this.#follow(drafts);
    } catch (error) {
      // Not foreseen; whoever has no answer yet gets this one instead of waiting for ever.
      for (const issue of drafts.flatMap(({ issues }) => issues)) issue.fail(error);
      return [];
    }
  }

  async #commit(drafts: readonly Draft[], rowWaitMs: number | undefined): Promise<void> {
    const { now, events, floors, writers } = this.#options;
    await floors.prepare(drafts.map(({ counter }) => counter));
    const startedMs = now();
    const issues = drafts.flatMap((draft) => draft.issues);
    const deadline = deadlineOf(issues);
    const mostMs = Math.max(1, Math.floor(deadline.leftMs * WAIT_SHARE));
    const batch = {
      id: randomUUID(),
      drafts,
      startedMs,
      server: floors.server,
      rowWaitMs: rowWaitMs === undefined ? undefined : Math.min(rowWaitMs, mostMs),
    };
    const { writer } = this.#plan;
    const draw = writer === undefined ? undefined : writers.drawFor(writer);
    await commitBatch({ batch, deadline, draw }, this.#options);
    const granted = drafts.filter(({ reply }) => reply && reply.drawn.size > 0);
    if (granted.length === 0) return;
    events.batchCommitted?.({
      numberCount: granted.reduce((sum, { reply }) => sum + countOf(reply), 0),
      counterCount: granted.length,
      guard: granted.every(({ expected }) => expected) ? 'redis+version' : 'row',
      retryCount: Math.max(...granted.map(({ retryCount }) => retryCount)),
      durationMs: now() - startedMs,
      waitedMaxMs: startedMs - Math.min(...issues.map(({ arrivedMs }) => arrivedMs)),
    });
  }

  /** Marks are written and locks go before callers are answered: what these do next must make no other process wait. */
  #handOn(drafts: readonly Draft[]): void {
    const { marks } = this.#options;
    for (const { counter, issues, reply } of drafts) {
      if (!reply || reply.kind === 'SKIPPED') continue;
      counter.row = 'free';
      if (reply.drawn.size > 0) marks?.raise(counter.lockKey.state, reply.position);
      if (reply.drawn.size === issues.length) this.release(counter);
    }
  }

  /** Whoever gets the lock next finds the mark: both go to Redis in this order. */
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
      this.#options.events.storeRetried?.({ attempt: 1, error: failure });
      for (const { counter, issues: ofCounter } of drafts) {
        counter.row = 'stuck';
        counter.lastFailure = failure;
        counter.crowdedUntilMs = this.#options.now() + CROWD_MS;
        counter.putBack(ofCounter);
      }
      return;
    }
    const isOneToBlame = failure?.kind === 'REFUSED' || failure?.constraint !== undefined;
    if (issues.length === 1 || !isOneToBlame) {
      for (const issue of issues) issue.fail(issueError(error, issue));
      return;
    }
    // Each half by itself, until the one at fault is alone and the others have their numbers.
    const half = new Set(issues.slice(0, Math.ceil(issues.length / 2)));
    await this.#drawAll(
      retriesOf(drafts, (issue) => half.has(issue)),
      ISOLATING_WAIT_MS,
    );
    await this.#drawAll(
      retriesOf(drafts, (issue) => !half.has(issue)),
      ISOLATING_WAIT_MS,
    );
  }

  /** Answers whom the replies answer; gives what is drawn for again at once. */
  async #follow(drafts: readonly Draft[]): Promise<Draft[]> {
    const { events, floors, now } = this.#options;
    const { server } = floors;
    const again: Draft[] = [];
    const below: Draft[] = [];
    for (const draft of drafts) {
      const { counter, retryCount } = draft;
      const { verdict, issues } = settleDraft(draft, server, events);
      if (issues.length === 0) continue;
      const next: Draft = { ...draft, issues };
      switch (verdict) {
        case 'AGAIN':
          again.push(next);
          break;
        case 'HELD':
          counter.row = 'held';
          counter.putBack(issues);
          break;
        case 'OTHER_SERVER':
          floors.server = draft.reply?.server;
          again.push(next);
          break;
        case 'RULES_CHANGED':
          for (const issue of issues) this.#plan.resolveAgain(issue);
          break;
        case 'BELOW_MARK':
          below.push(next);
          break;
        case 'CONFLICT':
          events.versionConflicted?.({ counterCount: 1, attempt: retryCount + 1 });
          events.fellBack?.({ reason: 'conflicts' });
          counter.unversionedUntilMs = now() + UNVERSIONED_MS;
          again.push({ ...next, expected: undefined, retryCount: retryCount + 1 });
          break;
      }
    }
    return [...again, ...(await this.#lookAtMarks(below))];
  }

  async #lookAtMarks(below: readonly Draft[]): Promise<Draft[]> {
    const { events, floors } = this.#options;
    const again: Draft[] = [];
    for (const draft of below) {
      const { counter, issues, reply } = draft;
      const position = reply?.position ?? { version: 0, last: 0 };
      if (await floors.isBelow(counter, position)) refuseRegression(issues, { counter, position, events });
      else again.push(draft);
    }
    return again;
  }
}

const countOf = (reply: Draft['reply']): number => {
  let count = 0;
  for (const { numbers } of reply?.drawn.values() ?? []) count += numbers.length;
  return count;
};

function retriesOf(drafts: readonly Draft[], belongs: (issue: PendingIssue) => boolean): Draft[] {
  return draftsWith(drafts, belongs).map((draft) => ({
    ...draft,
    expected: undefined,
    retryCount: draft.retryCount + 1,
    reply: undefined,
  }));
}
