import { PostgresFailure } from '@solegate/postgres-infra';
import type { NumberingObserver } from '../contract/numbering.js';
import { CounterRegressionError, DateOrderError, ExhaustedError } from '../contract/numbering-error.js';
import type { Draft, DraftReply, Verdict } from '../draw/draft.js';
import { counterName, type Position } from '../request/resolved-request.js';
import { numberingError } from '../sql/public-calls.js';
import type { CounterQueue, PendingIssue } from './counter-queue.js';
import type { KnownCounter } from './known-counter.js';

/** Requests of one counter that are drawn together. */
export interface DraftOfCounter {
  readonly address: CounterQueue['address'];
  readonly known: KnownCounter;
  readonly issues: readonly [PendingIssue, ...PendingIssue[]];
}

/** Requests of one counter that a round draws together. */
export interface RoundDraft {
  readonly counter: CounterQueue;
  readonly issues: readonly [PendingIssue, ...PendingIssue[]];
  readonly expected: Position | undefined;
  readonly retryCount: number;
}

/** What to do for the requests that a reply left unanswered. */
type NextStep =
  /** All are answered, or the others can be drawn again immediately. */
  | 'AGAIN'
  /** Another transaction holds the row. */
  | 'HELD'
  | 'OTHER_SERVER'
  | 'RULES_CHANGED'
  | 'BELOW_MARK'
  | 'CONFLICT';

export interface Settlement {
  readonly step: NextStep;
  readonly issues: readonly PendingIssue[];
}

const STEPS: Readonly<Record<Verdict, NextStep>> = {
  GRANTED: 'AGAIN',
  REPLAYED: 'AGAIN',
  SKIPPED: 'HELD',
  OTHER_SERVER: 'OTHER_SERVER',
  RULES_CHANGED: 'RULES_CHANGED',
  // The rules that the request was resolved with refuse it: resolving it again fails with the reason.
  CLOSED: 'RULES_CHANGED',
  BELOW_MARK: 'BELOW_MARK',
  CONFLICT: 'CONFLICT',
  DATE_ORDER: 'AGAIN',
  EXHAUSTED: 'AGAIN',
};

/** Answers requests from one counter's reply, refuses those that can get no number, and decides what the rest need. */
export function settleDraft(
  draft: DraftOfCounter,
  reply: DraftReply,
  server: string | undefined,
): Settlement {
  const { known, issues } = draft;
  const { verdict, position } = reply;
  const left: PendingIssue[] = [];
  issues.forEach((issue, index) => {
    const answer = reply.answers[index];
    if (!answer) left.push(issue);
    else if (answer.kind === 'FAILED') issue.fail(answer.error);
    else issue.settle(answer.drawn);
  });
  const isOtherServer = server !== undefined && reply.server !== '' && reply.server !== server;
  if (position && position.last >= known.floor && !isOtherServer) known.learn(position);
  if (left.length === 0) return { step: 'AGAIN', issues: [] };
  const isRefused = verdict === 'DATE_ORDER' || verdict === 'EXHAUSTED';
  return { step: STEPS[verdict], issues: isRefused ? refuseMisfits(left, reply) : left };
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
  counter: CounterQueue,
  issues: DraftOfCounter['issues'],
  { position, numberCount }: DraftReply,
  observer: NumberingObserver,
): void {
  const lastNumber = position?.last ?? 0;
  const widthUsed = lastNumber / (10 ** issues[0].resolved.format.width - 1);
  if (numberCount === 0 || widthUsed < WIDTH_THRESHOLDS[1]) return;
  const threshold = WIDTH_THRESHOLDS.find((value) => widthUsed >= value);
  if (threshold === undefined || !counter.warnsAt(threshold)) return;
  observer.widthWarned?.({ counter: counterName(counter.address), lastNumber, widthUsed, threshold });
}

/** Refuses requests until a person has recorded the lost numbers. */
export function refuseRegression(
  { address, known, issues }: DraftOfCounter | (Omit<DraftOfCounter, 'issues'> & Settlement),
  { position }: DraftReply,
  observer: NumberingObserver,
): void {
  const name = counterName(address);
  const facts = { lastNumber: position?.last ?? 0, highWaterMark: known.floor };
  observer.regressionFound?.({ counter: name, ...facts });
  for (const issue of issues)
    issue.fail(new CounterRegressionError(name, facts.lastNumber, facts.highWaterMark));
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
