import { randomUUID } from 'node:crypto';
import { type Batch } from './batch.js';
import { CounterLine } from './counter-line.js';
import { drawBatch } from './draw-batch.js';
import { toIssueFacts } from './issue-facts.js';
import type { IssuedNumber, IssueRequest } from './issue-request.js';
import { toIssuedNumbers } from './issued-number.js';
import { BusyError, NoFormatError, UnknownSeriesError } from './numbering-error.js';
import type { NumberingEvents } from './numbering-options.js';
import { counterKey, openCounters } from './open-counters.js';
import type { DrawnNumbers, PendingIssue } from './pending-issue.js';
import type { RequestResolver } from './request-resolver.js';
import type { CounterAddress, ResolvedRequest } from './resolved-request.js';
import { settleReply } from './settle-reply.js';
import type { SqlSession } from './sql-session.js';
import { lockCounters } from './transaction.js';

export interface IssueInOptions {
  readonly resolver: RequestResolver;
  /** The highest number known to have been issued by a counter. */
  readonly highWaterMarkOf: (address: CounterAddress) => number;
  readonly isNamed: boolean;
  readonly now: () => number;
  readonly events: NumberingEvents;
}

/** The rules may change between the look at them and the draw; behind the counter's lock only once. */
const attemptMax = 3;

/**
 * Draws one number inside the caller's transaction, under the row's lock, which stays until the caller commits. Redis has no
 * part in it: nobody can know when the caller commits. Nothing of it is remembered, because it may still roll back.
 *
 * @throws NumberingError; after an error of the store the transaction is aborted and must be rolled back
 */
export async function issueInSession(
  session: SqlSession,
  request: IssueRequest,
  options: IssueInOptions,
): Promise<IssuedNumber> {
  const facts = toIssueFacts(request, { count: 1, hasDocument: false });
  let resolved = await resolveFor(session, request, options.resolver);
  for (let attempt = 1; attempt <= attemptMax; attempt += 1) {
    const line = await openLine(session, resolved, options);
    const { drawn, failure } = await draw(session, { line, resolved, facts }, options);
    if (failure !== undefined) throw failure.reason;
    const [issued] = drawn ? toIssuedNumbers(resolved, drawn) : [];
    if (issued) return issued;
    resolved = await options.resolver.resolve(
      { ...request, date: resolved.date },
      { session, anyPeriod: true },
    );
  }
  throw new BusyError(0);
}

/** What other transactions have not committed is seen only through the caller's session. */
async function resolveFor(
  session: SqlSession,
  request: IssueRequest,
  resolver: RequestResolver,
): Promise<ResolvedRequest> {
  try {
    return await resolver.resolve(request);
  } catch (error) {
    if (error instanceof UnknownSeriesError || error instanceof NoFormatError) {
      return resolver.resolve(request, { session });
    }
    throw error;
  }
}

async function openLine(
  session: SqlSession,
  resolved: ResolvedRequest,
  { highWaterMarkOf }: IssueInOptions,
): Promise<CounterLine> {
  const key = counterKey(resolved);
  const line = new CounterLine(resolved, key);
  line.open((await openCounters(session, [resolved])).get(key));
  line.highWaterMark = Math.max(line.highWaterMark, highWaterMarkOf(resolved));
  return line;
}

interface DrawRequest {
  readonly line: CounterLine;
  readonly resolved: ResolvedRequest;
  readonly facts: PendingIssue['facts'];
}

interface DrawAnswer {
  readonly drawn?: DrawnNumbers;
  readonly failure?: { readonly reason: unknown };
}

async function draw(
  session: SqlSession,
  { line, resolved, facts }: DrawRequest,
  { isNamed, now, events }: IssueInOptions,
): Promise<DrawAnswer> {
  let answer: DrawAnswer = {};
  const nowMs = now();
  const issue: PendingIssue = {
    resolved,
    facts,
    count: 1,
    attached: undefined,
    arrivedMs: nowMs,
    resolveAgain: () => Promise.resolve(resolved),
    settle: (drawn) => {
      answer = { drawn };
    },
    fail: (reason) => {
      answer = { failure: { reason } };
    },
  };
  const batch: Batch = {
    id: randomUUID(),
    startedMs: nowMs,
    lines: [
      {
        counterId: line.counterId ?? '',
        expected: undefined,
        highWaterMark: line.highWaterMark,
        retryCount: 0,
        issues: [issue],
      },
    ],
  };
  // Behind the lock the next statement sees every key that was committed under this counter.
  if (facts.key !== undefined) await lockCounters(session, batch);
  const [reply] = await drawBatch({ session, batch, isNamed });
  if (reply) settleReply(reply, line, events);
  return answer;
}
