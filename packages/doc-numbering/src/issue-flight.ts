import { randomUUID } from 'node:crypto';
import { type CommitOptions, commitBatch } from './commit-batch.js';
import type { CounterLine } from './counter-line.js';
import type { CounterLocks } from './counter-locks.js';
import { type AnsweredDraft, type Draft, inPairs, toBatch } from './draft.js';
import type { LineReply } from './draw-reply.js';
import { FlightBoarding } from './flight-boarding.js';
import { DuplicateError } from './numbering-error.js';
import { openCounters } from './open-counters.js';
import type { PendingIssue } from './pending-issue.js';
import { pause, repeatStatement } from './repeat-statement.js';
import { settleReply } from './settle-reply.js';
import { storeFailure } from './store-failure.js';
import type { WriterDesk } from './writer-desk.js';

export interface FlightOptions extends CommitOptions {
  readonly locks: CounterLocks | undefined;
  readonly writers: WriterDesk;
  /** Numbers in one commit. */
  readonly batchMax: number;
  readonly requestTimeoutMs: number;
  readonly lockTtlMs: number;
  readonly lockWaitMs: number;
}

/** What a flight is for, and what it tells its queue. */
export interface FlightPlan {
  /** Writer of the documents in its commit, if any. */
  readonly writer: string | undefined;
  /** The line waits no longer for its lock or its pause. */
  readonly comeBack: (line: CounterLine) => void;
  /** The rules have changed: the request is resolved again and may belong to another counter. */
  readonly resolveAgain: (issue: PendingIssue) => void;
}

/**
 * How long the version of a counter is not asked for that somebody moves without its lock. Its lock is taken all the same,
 * so that all who have lost it for a while come back to it.
 */
const unversionedMs = 500;

/** Longest pauses after conflicts under an ended lock. */
const conflictPausesMs = [200, 400, 800];

/** One flight: see issue-queue.ts. */
export class IssueFlight {
  readonly #options: FlightOptions;
  readonly #plan: FlightPlan;
  readonly #boarding: FlightBoarding;

  constructor(options: FlightOptions, plan: FlightPlan) {
    this.#options = options;
    this.#plan = plan;
    this.#boarding = new FlightBoarding(options, plan.comeBack);
  }

  /**
   * Answers everybody who waits in the lines, or sends a line away until its lock comes. Never rejects. Gives the lines that
   * it still has at its end; one that went away may be in another flight by then.
   */
  async run(lines: readonly CounterLine[]): Promise<CounterLine[]> {
    if (!(await this.#open(lines))) return [...lines];
    const boarded = await this.#boarding.board(lines);
    let drafts = this.#draft(boarded);
    while (drafts.length > 0) drafts = await this.#drawFor(drafts);
    const landing = boarded.filter((line) => !this.#boarding.isAway(line));
    this.#boarding.giveLocks(landing);
    return landing;
  }

  /** One statement for all drafts; gives those that must be drawn for again. */
  async #drawFor(drafts: readonly Draft[]): Promise<Draft[]> {
    try {
      const answers = inPairs(drafts, await this.#commit(drafts));
      this.#handOn(answers);
      return answers.flatMap((answer) => this.#follow(answer));
    } catch (error) {
      // Not foreseen; whoever has no answer yet gets this one instead of waiting for ever.
      for (const issue of drafts.flatMap(({ issues }) => issues)) issue.fail(error);
      return [];
    }
  }

  async #open(lines: readonly CounterLine[]): Promise<boolean> {
    const unopened = lines.filter((line) => line.counterId === undefined);
    if (unopened.length === 0) return true;
    const addresses = unopened.map(({ address }) => address);
    const deadlineMs = this.#deadlineOf(unopened.flatMap(({ waiting }) => waiting));
    const open = () => openCounters(this.#options.database, addresses);
    try {
      const opened = await repeatStatement(open, deadlineMs, this.#options);
      for (const line of unopened) line.open(opened.get(line.key));
      return true;
    } catch (error) {
      for (const line of lines) for (const issue of line.waiting.splice(0)) issue.fail(error);
      return false;
    }
  }

  #draft(lines: readonly CounterLine[]): Draft[] {
    const nowMs = this.#options.now();
    let left = this.#options.batchMax;
    const drafts: Draft[] = [];
    for (const line of lines) {
      if (left <= 0) break;
      const issues = line.takeWaiting(this.#plan.writer, left);
      for (const { count } of issues) left -= count;
      if (issues.length > 0) {
        line.width = issues[0]?.resolved.format.width;
        const isBare = line.pass?.kind !== 'held' || nowMs < line.unversionedUntilMs;
        drafts.push({ line, issues, isBare, retryCount: line.conflictCount });
      }
    }
    return drafts;
  }

  async #commit(drafts: readonly Draft[]): Promise<LineReply[]> {
    const { now, events, writers } = this.#options;
    const startedMs = now();
    const batch = toBatch(drafts, { id: randomUUID(), startedMs });
    const issues = drafts.flatMap((draft) => draft.issues);
    const { writer } = this.#plan;
    try {
      const replies = await commitBatch(
        {
          batch,
          deadlineMs: this.#deadlineOf(issues),
          ...(writer === undefined ? {} : { draw: writers.drawFor(writer) }),
        },
        this.#options,
      );
      const granted = replies.filter(({ drawn }) => drawn.size > 0);
      if (granted.length > 0) {
        events.batchCommitted?.({
          numberCount: granted.reduce((sum, { drawn }) => sum + countOf(drawn), 0),
          counterCount: granted.length,
          guard: granted.every(({ line }) => line.expected) ? 'redis+version' : 'row',
          retryCount: Math.max(...granted.map(({ line }) => line.retryCount)),
          durationMs: now() - startedMs,
          waitedMaxMs: startedMs - Math.min(...issues.map(({ arrivedMs }) => arrivedMs)),
        });
      }
      return replies;
    } catch (error) {
      await this.#isolate(drafts, error);
      return [];
    }
  }

  /** Locks go before callers are answered: what these do next must not make another process wait. */
  #handOn(answers: readonly AnsweredDraft[]): void {
    const done = answers.filter(({ draft, reply }) => reply.drawn.size === draft.issues.length);
    for (const { draft, reply } of done) draft.line.learn(reply.standing);
    this.#boarding.giveLocks(done.map(({ draft }) => draft.line));
  }

  /** Draws each request alone, so that only the one at fault fails. */
  async #isolate(drafts: readonly Draft[], error: unknown): Promise<void> {
    const issues = drafts.flatMap((draft) => draft.issues);
    const { kind } = storeFailure(error);
    if (issues.length === 1 || (kind !== 'rejected' && kind !== 'clash')) {
      for (const issue of issues) issue.fail(toIssueError(error, issue));
      return;
    }
    for (const { line, issues: ofLine, retryCount } of drafts) {
      for (const issue of ofLine) {
        let alone: Draft[] = [{ line, issues: [issue], isBare: true, retryCount: retryCount + 1 }];
        while (alone.length > 0) alone = await this.#drawFor(alone);
      }
    }
  }

  /** Answers whom the reply answers; gives what is drawn for again at once. */
  #follow({ draft, reply }: AnsweredDraft): Draft[] {
    const { line } = draft;
    const { verdict, issues } = settleReply(reply, line, this.#options.events);
    if (issues.length === 0) {
      line.conflictCount = 0;
      return [];
    }
    switch (verdict) {
      case 'again':
        return [{ ...draft, issues }];
      case 'rules_changed':
        for (const issue of issues) this.#plan.resolveAgain(issue);
        return [];
      case 'conflict':
        return this.#afterConflict({ ...draft, issues, retryCount: draft.retryCount + 1 });
    }
  }

  #afterConflict(draft: Draft): Draft[] {
    const { line, retryCount } = draft;
    const { events, now, random } = this.#options;
    events.versionConflicted?.({ counterCount: 1, attempt: retryCount });
    line.conflictCount += 1;
    if (line.conflictCount === 1) return [draft];
    const pauseMs = conflictPausesMs[line.conflictCount - 2];
    const isTrusted = line.pass?.kind === 'held' && now() < line.pass.lock.takenMs + this.#options.lockTtlMs;
    if (isTrusted || pauseMs === undefined) {
      events.fellBack?.({ reason: 'conflicts' });
      line.unversionedUntilMs = now() + unversionedMs;
      return [{ ...draft, isBare: true }];
    }
    line.putBack(draft.issues);
    line.state = 'pausing';
    this.#boarding.leave(line);
    void pause(pauseMs * random()).then(() => this.#plan.comeBack(line));
    return [];
  }

  #deadlineOf(issues: readonly PendingIssue[]): number {
    return Math.min(...issues.map(({ arrivedMs }) => arrivedMs)) + this.#options.requestTimeoutMs;
  }
}

function countOf(drawn: LineReply['drawn']): number {
  let count = 0;
  for (const { numbers } of drawn.values()) count += numbers.length;
  return count;
}

/** Words of the store become words of numbering where the caller can do something about it. */
function toIssueError(error: unknown, { facts, resolved }: PendingIssue): unknown {
  switch (storeFailure(error).constraint) {
    case 'document_numbers_number_key':
      return new DuplicateError(`the next number of ${resolved.series.series}`, { cause: error });
    case 'document_numbers_id_key':
      return new DuplicateError(`id ${facts.id}`, { cause: error });
    default:
      return error;
  }
}
