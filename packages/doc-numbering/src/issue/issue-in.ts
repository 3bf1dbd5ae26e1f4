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
  /** What this process knows about a counter. */
  readonly known: (address: CounterAddress) => CounterQueue;
  readonly floors: CounterFloors;
}

/** The rules or the server can change between the lookup and the draw; behind the counter's lock, only once. */
const ATTEMPT_MAX = 4;
/** Share of the remaining time that a wait for the row can take. */
const WAIT_SHARE = 0.9;

/** A transaction that belongs to the caller. */
export interface LentTransaction {
  readonly call: DatabaseCall;
  readonly session: SqlSession;
}

type WantedNumber = Pick<PendingIssue, 'request' | 'facts' | 'resolved'>;

/**
 * Draws numbers inside the caller's transaction. The rows stay locked until it ends. No Redis lock is used, because no
 * one can know when the caller commits. Nothing is remembered, because the transaction might still roll back.
 *
 * Requests are resolved from memory; what is missing there is read through the session, so that a caller that holds a
 * connection never needs a second one.
 *
 * @throws NumberingError; after a store error the transaction must be rolled back
 */
export async function issueIn(
  call: DatabaseCall,
  lent: SqlSession,
  requests: readonly IssueRequest[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  const bounded = call.database.lent(lent, call.deadline);
  // Unnamed statements: a pooler that loses named ones would abort the caller's transaction.
  const session: SqlSession = { query: ({ text, values }) => bounded.query({ text, values }) };
  const wanted: WantedNumber[] = [];
  for (const request of requests) {
    const facts = toIssueFacts(request);
    wanted.push({ request, facts, resolved: await options.resolver.resolve(request, { session }) });
  }
  return drawAllIn({ call, session }, wanted, options);
}

/**
 * Locks the counters in the order of their row ids, as commit rounds do, so that transactions that draw all their
 * numbers in one call never deadlock.
 *
 * @returns numbers in the order of the requests
 */
export async function drawAllIn(
  transaction: LentTransaction,
  wanted: readonly WantedNumber[],
  options: IssueInOptions,
): Promise<IssuedNumber[]> {
  // A single counter is opened when it is drawn from.
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
    // Once the counter is locked, the next statement sees every key that was committed under it.
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

/** Opens counters as the transaction sees them; their floors come from what other calls know about them. */
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
