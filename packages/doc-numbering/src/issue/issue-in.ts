import type { SqlSession } from '@solegate/postgres-infra';
import { type Settings, toIssueFacts } from '../contract/checks.js';
import { BusyError } from '../contract/numbering-error.js';
import type { IssuedNumber, IssueRequest } from '../contract/requests.js';
import { formBatch, lockCounters } from '../draw/commit-batch.js';
import { CounterQueue, type Draft, type PendingIssue } from '../draw/counter-queue.js';
import { draw } from '../draw/draw.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { type CounterFloors, openCounters } from './counter-floors.js';
import { issueError, refuseRegression, settleDraft } from './settle-draft.js';

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

type WantedNumber = Pick<PendingIssue, 'request' | 'facts' | 'resolved'>;

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
    const facts = toIssueFacts(request);
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
      throw issueError(error, one);
    }
  }
  return issued;
}

async function drawIn(
  transaction: LentTransaction,
  wanted: WantedNumber,
  options: IssueInOptions,
): Promise<IssuedNumber> {
  const { call, session } = transaction;
  const { resolver, floors, now, observer } = options;
  const outcome: { issued?: IssuedNumber | undefined } = {};
  const issue: PendingIssue = {
    ...wanted,
    count: 1,
    attached: undefined,
    arrivedMs: now(),
    origin: undefined,
    position: 1,
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
    const [counter] = await openIn(transaction, [issue], options);
    if (!counter) break;
    const draft: Draft = { counter, issues: [issue], expected: undefined, retryCount: 0, reply: undefined };
    const rowWaitMs = Math.max(1, Math.floor(call.deadline.leftMs * WAIT_SHARE));
    const batch = formBatch([draft], { nowMs: issue.arrivedMs, server: floors.server, rowWaitMs });
    // Behind the lock the next statement sees every key that was committed under this counter.
    if (issue.facts.key !== undefined) await lockCounters(session, batch);
    await draw(session, batch, true);
    const { verdict } = settleDraft(draft, floors.server, observer);
    if (outcome.issued) return outcome.issued;
    const { position = { version: 0, last: 0 }, server } = draft.reply ?? {};
    if (verdict === 'BELOW_MARK') refuseRegression([issue], { counter, position, observer });
    if (verdict === 'OTHER_SERVER') floors.server = server;
    if (verdict === 'RULES_CHANGED')
      issue.resolved = await resolver.resolveAgain(issue.request, issue.resolved, session);
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
