import { type SqlSession, type SqlTransaction, sessionOf } from '@solegate/postgres-infra';
import { type Settings, toIssueFacts } from '../contract/checks.js';
import { BusyError, InvalidRequestError, NumberingError } from '../contract/numbering-error.js';
import type { IssuedNumber, IssueRequest } from '../contract/requests.js';
import { newBatchId } from '../draw/commit-batch.js';
import { draw } from '../draw/draw.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { type CounterFloors, type OpenedCounter, openCounters } from './counter-floors.js';
import { type CounterQueue, longestWaitMs, type PendingIssue } from './counter-queue.js';
import type { ExpectedCommits } from './expected-commits.js';
import { findReplay } from './find-replay.js';
import { issueError, refuseRegression, settleDraft, toBatch, warnOfWidth } from './settle-draft.js';

export interface IssueInOptions extends Settings {
  readonly resolver: RequestResolver;
  /** The queue of a counter in this process. */
  readonly known: (address: CounterAddress) => CounterQueue;
  readonly floors: CounterFloors;
  readonly commits: ExpectedCommits | undefined;
}

/** The rules or the server can change between the lookup and the draw; behind the counter's lock, only once. */
const ATTEMPT_MAX = 4;

/** A transaction that belongs to the caller. */
export interface LentTransaction {
  readonly call: DatabaseCall;
  readonly session: SqlSession;
}

export type WantedNumber = Pick<PendingIssue, 'request' | 'facts' | 'resolved'>;

/**
 * Draws numbers inside the caller's transaction. The rows stay locked until it ends. No Redis lock is used, because no
 * one can know when the caller commits. Nothing is remembered, because the transaction might still roll back: marks are
 * raised once another connection sees the commit.
 *
 * Requests are resolved from memory; what is missing there is read through the session, so that a caller that holds a
 * connection never needs a second one.
 *
 * @throws NumberingError; after a store error the transaction must be rolled back
 */
export async function issueIn(
  call: DatabaseCall,
  lent: SqlTransaction,
  requests: readonly IssueRequest[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  const own = sessionOf(lent, (problem) => new InvalidRequestError('session', problem));
  const bounded = call.database.lent(own, call.deadline);
  // Unnamed statements: a pooler that loses named ones would abort the caller's transaction.
  const session: SqlSession = { query: ({ text, values }) => bounded.query({ text, values }) };
  const wanted: (WantedNumber | IssuedNumber)[] = [];
  for (const request of requests) wanted.push(await resolveIn({ call, session }, request, options));
  return drawAllIn({ call, session }, wanted, options);
}

/**
 * Resolves a request, through the session if there is one. If the rules refuse it, they might have allowed it before: then
 * it returns the number that its key already has.
 */
export async function resolveIn(
  { call, session }: { readonly call: DatabaseCall; readonly session?: SqlSession },
  request: IssueRequest,
  { resolver }: IssueInOptions,
): Promise<WantedNumber | IssuedNumber> {
  const facts = toIssueFacts(request);
  try {
    const resolved = await resolver.resolve(request, { session, deadline: call.deadline });
    return { request, facts, resolved };
  } catch (error) {
    if (!(error instanceof NumberingError)) throw error;
    const replay = await findReplay(session ?? call.reading, request, facts);
    const [issued] = replay?.numbers ?? [];
    if (!issued) throw error;
    return issued;
  }
}

/**
 * Locks the counters in the order of their row ids, as commit rounds do, so that transactions that draw all their
 * numbers in one call never deadlock.
 *
 * @returns numbers in the order of the requests
 */
export async function drawAllIn(
  transaction: LentTransaction,
  requests: readonly (WantedNumber | IssuedNumber)[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  const issued: IssuedNumber[] = [];
  const wanted: WantedNumber[] = [];
  const places: number[] = [];
  for (const [index, one] of requests.entries()) {
    if (!('resolved' in one)) issued[index] = one;
    else places[wanted.push(one) - 1] = index;
  }
  // A single counter is opened when it is drawn from.
  const counters = wanted.length > 1 ? await openIn(transaction, wanted, options) : [];
  const ordered = [...wanted.entries()].sort(([a], [b]) => {
    const difference = BigInt(counters[a]?.counterId ?? 0) - BigInt(counters[b]?.counterId ?? 0);
    return Number(difference);
  });
  for (const [at, one] of ordered) {
    try {
      issued[places[at] ?? 0] = await drawOneIn(transaction, one, options);
    } catch (error) {
      throw issueError(error, one);
    }
  }
  return issued;
}

async function drawOneIn(
  transaction: LentTransaction,
  wanted: WantedNumber,
  options: IssueInOptions,
): Promise<IssuedNumber> {
  const { call, session } = transaction;
  const { resolver, commits, now, observer, known: counterOf } = options;
  const outcome: { issued?: IssuedNumber | undefined } = {};
  const issue: PendingIssue = {
    ...wanted,
    count: 1,
    attached: undefined,
    arrivedMs: now(),
    origin: undefined,
    waitedMs: 0,
    deadline: call.deadline,
    settle: ({ numbers }) => {
      outcome.issued = numbers[0];
    },
    fail: (reason) => {
      throw reason;
    },
  };
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const id = newBatchId();
    const [opened] = await openIn(transaction, [issue], options, id);
    if (!opened) break;
    const counter = counterOf(issue.resolved);
    const known = counter.known.branch(opened.counterId, opened, opened.server);
    const draft = { counter, known, issues: [issue], expected: undefined, retryCount: 0 } as const;
    const [reply] = await draw(session, toBatch([draft], longestWaitMs(call.deadline), id), id);
    if (!reply)
      throw new InvalidRequestError('session', 'must be in a transaction, which commits the document too');
    settleDraft(draft, reply);
    warnOfWidth(draft, reply, observer);
    if (outcome.issued) {
      commits?.expect(issue.resolved, outcome.issued.sequence);
      return outcome.issued;
    }
    const { verdict } = reply;
    if (verdict === 'BELOW_MARK') refuseRegression(draft, reply, observer);
    if (verdict === 'RULES_CHANGED' || verdict === 'CLOSED')
      issue.resolved = await resolver.resolveAgain(issue.request, issue.resolved, {
        deadline: call.deadline,
        session,
      });
  }
  throw new BusyError();
}

/** Opens counters as the transaction sees them, in the order of the requests, and looks up their marks. */
async function openIn(
  { call, session }: LentTransaction,
  wanted: readonly WantedNumber[],
  { known, floors }: IssueInOptions,
  mark = '',
): Promise<OpenedCounter[]> {
  const addresses = wanted.map(({ resolved }) => resolved);
  const opened = await openCounters(session, addresses, call.deadline, { mark });
  if (opened[0]) await floors.readMarks(addresses.map(known), opened[0].server);
  const byKey = new Map(opened.map((found) => [found.key, found]));
  return addresses.flatMap(({ key }) => byKey.get(key) ?? []);
}
