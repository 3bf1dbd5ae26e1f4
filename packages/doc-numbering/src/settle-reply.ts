import type { CounterLine } from './counter-line.js';
import { type LineReply, replayedNumbers } from './draw-reply.js';
import { CounterRegressionError, DateOrderError, ExhaustedError, KeyReusedError } from './numbering-error.js';
import type { NumberingEvents } from './numbering-options.js';
import type { PendingIssue } from './pending-issue.js';
import { counterName } from './resolved-request.js';

/** What is to be done for the requests that a reply left without an answer. */
export interface Settlement {
  readonly verdict: 'again' | 'conflict' | 'rules_changed';
  readonly issues: readonly PendingIssue[];
}

/**
 * Reads one counter's reply: answers those who got numbers, refuses those who can get none, and says what to do for the
 * rest. A counter that granted nothing says why by where it stands, looked at in the order of the statement's conditions.
 */
export function settleReply(reply: LineReply, line: CounterLine, events: NumberingEvents): Settlement {
  const highWaterMark = Math.max(reply.line.highWaterMark, line.highWaterMark);
  const left = answer(reply);
  const { standing } = reply;
  const isBelow = standing.last < highWaterMark;
  if (!isBelow) line.learn(standing);
  if (reply.drawn.size > 0) warnOfWidth(line, events);
  const [head] = left;
  if (!head) return { verdict: 'again', issues: [] };
  if (reply.revision !== head.resolved.series.revision) return { verdict: 'rules_changed', issues: left };
  if (isBelow) {
    refuseRegression(left, { line, lastNumber: standing.last, highWaterMark, events });
    return { verdict: 'again', issues: [] };
  }
  if (reply.line.expected && reply.line.expected.version !== standing.version) {
    return { verdict: 'conflict', issues: left };
  }
  return { verdict: 'again', issues: refuseMisfits(left, reply) };
}

function answer({ line, drawn, replays, failed }: LineReply): PendingIssue[] {
  return line.issues.filter((issue) => {
    if (failed.has(issue)) {
      issue.fail(failed.get(issue));
      return false;
    }
    const rows = replays.get(issue);
    const numbers = drawn.get(issue) ?? (rows && replayedNumbers(rows));
    if (!numbers) return true;
    const isSame = rows === undefined || rows[0]?.fingerprint === issue.facts.fingerprint;
    if (isSame) issue.settle(numbers);
    else issue.fail(new KeyReusedError(issue.facts.key ?? ''));
    return false;
  });
}

interface RegressionFacts {
  readonly line: CounterLine;
  readonly lastNumber: number;
  readonly highWaterMark: number;
  readonly events: NumberingEvents;
}

function refuseRegression(issues: readonly PendingIssue[], facts: RegressionFacts): void {
  const { lastNumber, highWaterMark, events } = facts;
  const counter = counterName(facts.line.address);
  events.regressionFound?.({ counter, lastNumber, highWaterMark });
  for (const issue of issues) issue.fail(new CounterRegressionError(counter, lastNumber, highWaterMark));
}

/** Refuses requests whose numbers would pass the ceiling or whose date is before the last; gives the others. */
function refuseMisfits(issues: readonly PendingIssue[], { standing, lastDate }: LineReply): PendingIssue[] {
  let last = standing.last;
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

const thresholds = [0.95, 0.9] as const;

function warnOfWidth(line: CounterLine, events: NumberingEvents): void {
  const { width } = line;
  if (width === undefined || line.standing === undefined) return;
  const widthUsed = line.standing.last / (10 ** width - 1);
  const threshold = thresholds.find((value) => widthUsed >= value);
  if (threshold === undefined || line.warnedAt >= threshold) return;
  line.warnedAt = threshold;
  events.widthWarned?.({
    counter: counterName(line.address),
    lastNumber: line.standing.last,
    widthUsed,
    threshold,
  });
}
