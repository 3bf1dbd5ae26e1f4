import { PostgresFailure } from '@solegate/postgres-infra';
import type { Settings } from '../contract/checks.js';
import {
  BusyError,
  CounterRegressionError,
  DateOrderError,
  ExhaustedError,
} from '../contract/numbering-error.js';
import type { NumberingObserver } from '../contract/observer.js';
import { newBatchId } from '../draw/commit-batch.js';
import type { Batch, Draft, DraftReply } from '../draw/draft.js';
import { type CounterAddress, counterName, type Position } from '../request/resolved-request.js';
import { numberingError } from '../sql/public-calls.js';
import type { CounterQueue, PendingIssue } from './counter-queue.js';
import type { KnownCounter } from './known-counter.js';

/** Requests of one counter that are drawn together. */
export interface RoundDraft {
  readonly counter: CounterQueue;
  /** What is known of the counter: by this process, or by the transaction that draws. */
  readonly known: KnownCounter;
  readonly issues: readonly [PendingIssue, ...PendingIssue[]];
  readonly expected: Position | undefined;
  readonly retryCount: number;
}

/** What the waiting requests of counters want, as far as it fits into one batch. */
export function draftsOf(
  counters: readonly CounterQueue[],
  { batchMax, now }: Pick<Settings, 'batchMax' | 'now'>,
): RoundDraft[] {
  const nowMs = now();
  let left = batchMax;
  const drafts: RoundDraft[] = [];
  for (const counter of counters) {
    const [first, ...others] = left > 0 ? counter.take(left) : [];
    if (!first) continue;
    const issues = [first, ...others] as const;
    for (const { count } of issues) left -= count;
    const { known } = counter;
    drafts.push({ counter, known, issues, expected: counter.expectedAt(nowMs), retryCount: 0 });
  }
  return drafts;
}

/** Answers requests from one counter's reply and refuses those that can get no number; returns the others. */
export function settleDraft({ known, issues }: RoundDraft, reply: DraftReply): readonly PendingIssue[] {
  const { verdict, position } = reply;
  const left: PendingIssue[] = [];
  issues.forEach((issue, index) => {
    const answer = reply.answers[index];
    if (!answer) left.push(issue);
    else if (answer.kind === 'FAILED') issue.fail(answer.error);
    else issue.settle(answer.drawn);
  });
  if (position) known.learn(position, reply.server);
  return verdict === 'DATE_ORDER' || verdict === 'EXHAUSTED' ? refuseMisfits(left, reply) : left;
}

/** Refuses requests whose numbers would exceed the ceiling or whose date is before the last; returns the others. */
function refuseMisfits(
  issues: readonly PendingIssue[],
  { position, lastDate }: DraftReply,
): readonly PendingIssue[] {
  let last = position?.last ?? 0;
  return issues.filter((issue) => {
    const { resolved, count } = issue;
    if (resolved.series.dateOrder && lastDate !== undefined && resolved.date < lastDate) {
      issue.fail(new DateOrderError(resolved.date, lastDate));
      return false;
    }
    if (last + count > resolved.ceiling) {
      issue.fail(new ExhaustedError(counterName(resolved), resolved.ceiling));
      return false;
    }
    last += count;
    return true;
  });
}

const WIDTH_THRESHOLDS = [0.95, 0.9] as const;

/** Reports, once for each threshold, that a format runs out of width. */
export function warnOfWidth(
  { counter, issues: [{ resolved }] }: RoundDraft,
  { position, numberCount }: DraftReply,
  observer: NumberingObserver,
): void {
  const lastNumber = position?.last ?? 0;
  const widthUsed = lastNumber / (10 ** resolved.format.width - 1);
  if (numberCount === 0 || widthUsed < WIDTH_THRESHOLDS[1]) return;
  const threshold = WIDTH_THRESHOLDS.find((value) => widthUsed >= value);
  if (threshold === undefined || !counter.warnsAt(threshold)) return;
  observer.widthWarned?.({ counter: counterName(counter.address), lastNumber, widthUsed, threshold });
}

/** Refuses requests until a person has recorded the lost numbers. */
export function refuseRegression(
  { known, issues }: RoundDraft,
  { position }: DraftReply,
  observer: NumberingObserver,
): void {
  const error = regressionOf(issues[0].resolved, position?.last ?? 0, known, observer);
  for (const issue of issues) issue.fail(error);
}

/** Reports that a counter is below its mark, and returns the error for whoever wants a number of it. */
export function regressionOf(
  address: CounterAddress,
  lastNumber: number,
  { mark }: KnownCounter,
  observer: NumberingObserver,
): CounterRegressionError {
  const counter = counterName(address);
  const highWaterMark = mark.last;
  observer.regressionFound?.({ counter, lastNumber, highWaterMark });
  return new CounterRegressionError(counter, lastNumber, highWaterMark);
}

/** Converts the failure of a shared statement into the error for the caller of one request. */
export function issueError(
  error: unknown,
  { facts, resolved }: Pick<PendingIssue, 'facts' | 'resolved'>,
): unknown {
  if (!(error instanceof PostgresFailure)) return error;
  return numberingError(error, { number: `the next number of ${resolved.series.series}`, id: facts.id });
}

/** What PostgreSQL is asked for. */
export function toBatch(
  drafts: readonly RoundDraft[],
  rowWaitMs: number | undefined,
  id = newBatchId(),
): Batch {
  let batchServer: string | undefined;
  const sent = drafts.map(({ counter, known, issues, expected, retryCount }): Draft => {
    const { id: counterId, server, floor } = known.row;
    if (counterId === undefined) throw new Error(`the counter ${counter.address.key} was not opened`);
    // If rows were read on different servers, none will do.
    batchServer = batchServer === undefined || batchServer === server ? server : '';
    return { counterId, floor, expected, retryCount, items: issues };
  });
  return { id, drafts: sent, server: batchServer, rowWaitMs };
}

/** Whether a request can be drawn for again; a late one is refused. */
export function isInTime(issue: PendingIssue): boolean {
  const isLate = issue.deadline.hasPassed;
  if (isLate) issue.fail(new BusyError());
  return !isLate;
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
