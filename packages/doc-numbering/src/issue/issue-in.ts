import { randomUUID } from 'node:crypto';
import { PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import type { IssuedNumber, IssueRequest } from '../contract/issue-request.js';
import type { NumberingEvents } from '../contract/options.js';
import { BusyError } from '../contract/store-error.js';
import { lockCounters } from '../draw/commit-batch.js';
import { CounterQueue } from '../draw/counter-queue.js';
import type { Batch, Draft, DrawnNumbers, PendingIssue } from '../draw/draft.js';
import { draw } from '../draw/draw.js';
import { counterKey, openCounters } from '../draw/open-counters.js';
import { toIssueFacts } from '../request/issue-facts.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { type CounterAddress, type ResolvedRequest } from '../request/resolved-request.js';
import { numberingError } from '../sql/postgres-error.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import type { CounterFloors } from './counter-floors.js';
import { toIssuedNumbers } from './issued-number.js';
import { refuseRegression, settleDraft } from './settle-draft.js';

export interface IssueInOptions {
  readonly resolver: RequestResolver;
  /** What this process knows of a counter. */
  readonly known: (address: CounterAddress) => CounterQueue;
  readonly floors: CounterFloors;
  readonly now: () => number;
  readonly events: NumberingEvents;
}

/** The rules may change between the look at them and the draw, or the server; behind the counter's lock only once. */
const ATTEMPT_MAX = 4;
/** Of the time that is left, what a wait for the row may take. */
const WAIT_SHARE = 0.9;

/**
 * Draws one number inside a transaction, under the row's lock, which stays until the transaction ends. Redis keeps nobody
 * away here: no one can know when the caller commits. Nothing of it is remembered, because it may still roll back.
 *
 * The request is resolved from memory; what memory does not know is read through the session, so that a caller who holds
 * a connection never needs a second one.
 *
 * @throws NumberingError, PostgresFailure; after an error of the store the transaction must be rolled back
 */
export async function issueIn(
  call: DatabaseCall,
  lent: SqlSession,
  request: IssueRequest,
  options: IssueInOptions,
): Promise<IssuedNumber> {
  const [issued] = await issueAllIn(call, lent, [request], options);
  if (!issued) throw new Error('a request for one number was answered with none');
  return issued;
}

/**
 * The same for several counters. They are locked in one order, that of their rows, which is also the order of commit
 * rounds; so transactions that draw all their numbers by one call never wait for each other in a circle.
 *
 * @returns in the order of the requests
 */
export async function issueAllIn(
  call: DatabaseCall,
  lent: SqlSession,
  requests: readonly IssueRequest[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  const session = call.database.lent(lent, call.deadline);
  const wanted: { readonly request: DrawInRequest; readonly counterId: bigint; readonly index: number }[] =
    [];
  for (const [index, request] of requests.entries()) {
    const facts = toIssueFacts(request, { count: 1, hasDocument: false });
    const resolved = await options.resolver.resolve(request, { session });
    wanted.push({ request: { call, session, request, facts, resolved }, counterId: 0n, index });
  }
  if (wanted.length > 1) {
    const { counters } = await openCounters(
      session,
      wanted.map(({ request }) => request.resolved),
    );
    const idOf = ({ resolved }: DrawInRequest) => BigInt(counters.get(counterKey(resolved))?.counterId ?? 0);
    const ordered = wanted.map((one) => ({ ...one, counterId: idOf(one.request) }));
    wanted.splice(
      0,
      wanted.length,
      ...ordered.sort((a, b) => Number(a.counterId - b.counterId) || a.index - b.index),
    );
  }
  const issued: IssuedNumber[] = [];
  for (const { request, index } of wanted) {
    try {
      issued[index] = await drawIn(request, options);
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      const { series } = request.request;
      throw numberingError(error, { number: `the next number of ${series}`, id: request.facts.id });
    }
  }
  return issued;
}

export interface DrawInRequest {
  readonly call: DatabaseCall;
  readonly session: SqlSession;
  readonly request: IssueRequest;
  readonly facts: PendingIssue['facts'];
  readonly resolved: ResolvedRequest;
}

/** Draws for a request that is resolved already, in the transaction of the session. */
export async function drawIn(
  { call, session, request, facts, resolved }: DrawInRequest,
  options: IssueInOptions,
): Promise<IssuedNumber> {
  const { resolver } = options;
  let current = resolved;
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const counter = await openIn(session, current, options);
    const { drawn, failure, isStale } = await drawOnce(
      { call, session, counter, resolved: current, facts },
      options,
    );
    if (failure !== undefined) throw failure.reason;
    const [issued] = drawn ? toIssuedNumbers(current, drawn) : [];
    if (issued) return issued;
    if (isStale) {
      const again = { ...request, date: current.date };
      current = await resolver.resolve(again, { session, anyPeriod: true, isStale: true });
    }
  }
  throw new BusyError();
}

/** A counter as the transaction sees it; what other calls know of it gives its floor. */
async function openIn(
  session: SqlSession,
  resolved: ResolvedRequest,
  { known, floors }: IssueInOptions,
): Promise<CounterQueue> {
  const key = counterKey(resolved);
  const shared = known(resolved);
  const counter = new CounterQueue(resolved, key);
  const opened = await openCounters(session, [resolved]);
  floors.server = opened.server;
  counter.open(opened.counters.get(key));
  await floors.prepare([shared]);
  counter.raiseIssuedMark(shared.issuedMark);
  counter.rememberedMark = shared.rememberedMark;
  return counter;
}

interface DrawOnce extends Pick<DrawInRequest, 'call' | 'session' | 'resolved' | 'facts'> {
  readonly counter: CounterQueue;
}

interface Outcome {
  drawn?: DrawnNumbers;
  failure?: { readonly reason: unknown };
  isStale?: boolean;
}

async function drawOnce(
  { call, session, counter, resolved, facts }: DrawOnce,
  { floors, now, events }: IssueInOptions,
): Promise<Outcome> {
  const outcome: Outcome = {};
  const issue: PendingIssue = {
    resolved,
    facts,
    count: 1,
    attached: undefined,
    arrivedMs: now(),
    deadline: call.deadline,
    resolveAgain: () => Promise.resolve(resolved),
    settle: (drawn) => {
      outcome.drawn = drawn;
    },
    fail: (reason) => {
      outcome.failure = { reason };
    },
  };
  const draft: Draft = { counter, issues: [issue], expected: undefined, retryCount: 0, reply: undefined };
  const batch: Batch = {
    id: randomUUID(),
    drafts: [draft],
    startedMs: issue.arrivedMs,
    server: floors.server,
    rowWaitMs: Math.max(1, Math.floor(call.deadline.leftMs * WAIT_SHARE)),
  };
  // Behind the lock the next statement sees every key that was committed under this counter.
  if (facts.key !== undefined) await lockCounters(session, batch);
  await draw(session, batch, true);
  const { verdict } = settleDraft(draft, floors.server, events);
  if (verdict === 'BELOW_MARK') {
    const position = draft.reply?.position ?? { version: 0, last: 0 };
    refuseRegression([issue], { counter, position, events });
  }
  if (verdict === 'OTHER_SERVER') floors.server = draft.reply?.server;
  outcome.isStale = verdict === 'RULES_CHANGED';
  return outcome;
}
