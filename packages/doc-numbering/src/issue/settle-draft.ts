import { PostgresFailure } from '@solegate/postgres-infra';
import type { NumberingObserver } from '../contract/numbering.js';
import { CounterRegressionError, DateOrderError, ExhaustedError } from '../contract/numbering-error.js';
import type { CounterQueue, Draft, PendingIssue } from '../draw/counter-queue.js';
import { counterName, type Position } from '../request/resolved-request.js';
import { numberingError } from '../sql/public-calls.js';

/** What to do for the requests that a reply left unanswered, checked in this order. */
type Verdict =
  /** All requests are answered, or the others can be drawn again immediately. */
  | 'AGAIN'
  /** Another transaction holds the row. */
  | 'HELD'
  /** A different PostgreSQL replied than before. */
  | 'OTHER_SERVER'
  | 'RULES_CHANGED'
  /** The counter is below an issued number. */
  | 'BELOW_MARK'
  /** Another process advanced the counter first. */
  | 'CONFLICT';

export interface Settlement {
  readonly verdict: Verdict;
  readonly issues: readonly PendingIssue[];
}

const WIDTH_THRESHOLDS = [0.95, 0.9] as const;

/** Answers requests from one counter's reply, refuses those that can get no number, and decides what the rest need. */
export function settleDraft(
  draft: Draft,
  server: string | undefined,
  observer: NumberingObserver,
): Settlement {
  const { counter, issues, expected, reply } = draft;
  if (!reply) throw new Error(`a draw left ${counter.address.key} without a reply`);
  const left: PendingIssue[] = [];
  for (const issue of issues) {
    const answer = reply.answers.get(issue);
    if (!answer) left.push(issue);
    else if (answer.kind === 'FAILED') issue.fail(answer.error);
    else issue.settle(answer.drawn);
  }
  if (reply.kind === 'SKIPPED') return { verdict: left.length === 0 ? 'AGAIN' : 'HELD', issues: left };
  const isOtherServer = server !== undefined && reply.server !== '' && reply.server !== server;
  const isBelow = reply.position.last < counter.floor;
  if (!isBelow && !isOtherServer) counter.learn(reply.position);
  const widthUsed = reply.position.last / (10 ** issues[0].resolved.format.width - 1);
  if (reply.numberCount > 0 && widthUsed >= WIDTH_THRESHOLDS[1]) warnOfWidth(draft, widthUsed, observer);
  const [head] = left;
  if (!head) return { verdict: 'AGAIN', issues: [] };
  if (isOtherServer) return { verdict: 'OTHER_SERVER', issues: left };
  if (reply.revision !== head.resolved.series.revision) return { verdict: 'RULES_CHANGED', issues: left };
  if (isBelow) return { verdict: 'BELOW_MARK', issues: left };
  if (expected && expected.version !== reply.position.version) return { verdict: 'CONFLICT', issues: left };
  return { verdict: 'AGAIN', issues: refuseMisfits(left, draft) };
}

/** Refuses requests whose numbers would exceed the ceiling or whose date is before the last; returns the others. */
function refuseMisfits(issues: readonly PendingIssue[], { reply }: Draft): PendingIssue[] {
  let last = reply?.position.last ?? 0;
  const lastDate = reply?.lastDate;
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

function warnOfWidth({ counter, reply }: Draft, widthUsed: number, observer: NumberingObserver): void {
  const threshold = WIDTH_THRESHOLDS.find((value) => widthUsed >= value);
  if (threshold === undefined || counter.warnedAt >= threshold) return;
  counter.warnedAt = threshold;
  const lastNumber = reply?.position.last ?? 0;
  observer.widthWarned?.({ counter: counterName(counter.address), lastNumber, widthUsed, threshold });
}

/** Refuses requests until a person has recorded the lost numbers. */
export function refuseRegression(
  issues: readonly PendingIssue[],
  { counter, position, observer }: { counter: CounterQueue; position: Position; observer: NumberingObserver },
): void {
  const name = counterName(counter.address);
  const facts = { lastNumber: position.last, highWaterMark: counter.floor };
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
