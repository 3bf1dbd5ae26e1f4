import { PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import { type IssueFacts, type Settings, toIssueFacts } from '../contract/checks.js';
import { BusyError } from '../contract/numbering-error.js';
import type { IssuedNumber, IssueRequest } from '../contract/requests.js';
import { formBatch, lockCounters } from '../draw/commit-batch.js';
import { CounterQueue, type Draft, type DrawnNumbers, type PendingIssue } from '../draw/counter-queue.js';
import { draw } from '../draw/draw.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress, ResolvedRequest } from '../request/resolved-request.js';
import { type DatabaseCall, numberingError } from '../sql/public-calls.js';
import { type CounterFloors, openCounters } from './counter-floors.js';
import { refuseRegression, settleDraft } from './settle-draft.js';

export interface IssueInOptions extends Settings {
  readonly resolver: RequestResolver;
  /** What this process knows of a counter. */
  readonly known: (address: CounterAddress) => CounterQueue;
  readonly floors: CounterFloors;
}

/** The rules may change between the look at them and the draw, or the server; behind the counter's lock only once. */
const ATTEMPT_MAX = 4;
/** Of the time that is left, what a wait for the row may take. */
const WAIT_SHARE = 0.9;

/** A transaction of somebody else's. */
export interface LentTransaction {
  readonly call: DatabaseCall;
  readonly session: SqlSession;
}

/** A request that is resolved. */
export interface WantedNumber {
  readonly request: IssueRequest;
  readonly facts: IssueFacts;
  readonly resolved: ResolvedRequest;
}

/**
 * Draws numbers inside the caller's transaction, under the rows' locks, which stay until the transaction ends. Redis keeps
 * nobody away here: no one can know when the caller commits. Nothing of it is remembered, because it may still roll back.
 *
 * Requests are resolved from memory; what memory does not know is read through the session, so that a caller who holds
 * a connection never needs a second one.
 *
 * @throws NumberingError; after an error of the store the transaction must be rolled back
 */
export async function issueIn(
  call: DatabaseCall,
  lent: SqlSession,
  requests: readonly IssueRequest[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  const bounded = call.database.lent(lent, call.deadline);
  // Without names: a pooler that loses them would end the caller's transaction.
  const session: SqlSession = { query: ({ text, values }) => bounded.query({ text, values }) };
  const wanted: WantedNumber[] = [];
  for (const request of requests) {
    const facts = toIssueFacts(request, { count: 1 });
    wanted.push({ request, facts, resolved: await options.resolver.resolve(request, { session }) });
  }
  return drawAllIn({ call, session }, wanted, options);
}

/**
 * Locks the counters in one order, that of their rows, which is also the order of commit rounds; so transactions that draw
 * all their numbers by one call never wait for each other in a circle.
 *
 * @returns in the order of the requests
 */
export async function drawAllIn(
  transaction: LentTransaction,
  wanted: readonly WantedNumber[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  // One alone is opened when it is drawn for.
  const counters = wanted.length > 1 ? await openIn(transaction, wanted, options) : [];
  const ordered = [...wanted.entries()].sort(([a], [b]) => {
    const difference = BigInt(counters[a]?.counterId ?? 0) - BigInt(counters[b]?.counterId ?? 0);
    return Number(difference);
  });
  const issued: IssuedNumber[] = [];
  for (const [index, one] of ordered) {
    try {
      issued[index] = await drawIn(transaction, one, options);
    } catch (error) {
      // A connection without its prepared statements: the transaction is run again without names.
      if (!(error instanceof PostgresFailure) || error.isUnprepared) throw error;
      const { request, facts } = one;
      throw numberingError(error, { number: `the next number of ${request.series}`, id: facts.id });
    }
  }
  return issued;
}

async function drawIn(
  transaction: LentTransaction,
  wanted: WantedNumber,
  options: IssueInOptions,
): Promise<IssuedNumber> {
  let current = wanted;
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const [counter] = await openIn(transaction, [current], options);
    const outcome = counter && (await drawOnce(transaction, current, counter, options));
    const [issued] = outcome?.drawn?.numbers ?? [];
    if (issued) return issued;
    if (!outcome?.isStale) continue;
    const { request, resolved } = current;
    const again = { ...request, date: resolved.date };
    const { session } = transaction;
    const fresh = await options.resolver.resolve(again, { session, anyPeriod: true, isStale: true });
    current = { ...current, resolved: fresh };
  }
  throw new BusyError();
}

/** Counters as the transaction sees them; what other calls know of them gives their floors. */
async function openIn(
  { session }: LentTransaction,
  wanted: readonly WantedNumber[],
  { known, floors }: IssueInOptions,
): Promise<CounterQueue[]> {
  const addresses = wanted.map(({ resolved }) => resolved);
  const counters = addresses.map((address) => new CounterQueue(address));
  floors.note(await openCounters(session, addresses), counters);
  const unmarked = addresses.map(known).filter(({ markedFor }) => markedFor !== floors.server);
  if (unmarked.length > 0) await floors.refresh(unmarked);
  for (const counter of counters) {
    const { issuedMark, rememberedMark } = known(counter.address);
    counter.issuedMark = Math.max(counter.issuedMark, issuedMark);
    counter.rememberedMark = rememberedMark;
  }
  return counters;
}

interface Outcome {
  drawn?: DrawnNumbers;
  failure?: { readonly reason: unknown };
  /** The rules have changed since the request was resolved. */
  isStale?: boolean;
}

async function drawOnce(
  { call, session }: LentTransaction,
  { facts, resolved }: WantedNumber,
  counter: CounterQueue,
  { floors, now, observer }: IssueInOptions,
): Promise<Outcome> {
  const outcome: Outcome = {};
  const issue: PendingIssue = {
    resolved,
    facts,
    count: 1,
    attached: undefined,
    arrivedMs: now(),
    origin: undefined,
    position: 1,
    waitedMs: 0,
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
  const rowWaitMs = Math.max(1, Math.floor(call.deadline.leftMs * WAIT_SHARE));
  const batch = formBatch([draft], { nowMs: issue.arrivedMs, server: floors.server, rowWaitMs });
  // Behind the lock the next statement sees every key that was committed under this counter.
  if (facts.key !== undefined) await lockCounters(session, batch);
  await draw(session, batch, true);
  const { verdict } = settleDraft(draft, floors.server, observer);
  const { position = { version: 0, last: 0 }, server } = draft.reply ?? {};
  if (verdict === 'BELOW_MARK') refuseRegression([issue], { counter, position, observer });
  if (verdict === 'OTHER_SERVER') floors.server = server;
  if (outcome.failure) throw outcome.failure.reason;
  return { ...outcome, isStale: verdict === 'RULES_CHANGED' };
}
