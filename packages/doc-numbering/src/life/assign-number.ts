import type { PostgresFailure, SqlSession } from '@solegate/postgres-infra';
import { checkText, checkWhole, toIssueFacts } from '../contract/checks.js';
import {
  BusyError,
  DateOrderError,
  DuplicateError,
  ExhaustedError,
  InvalidRequestError,
  RedisSilentError,
} from '../contract/numbering-error.js';
import type { NumberingObserver } from '../contract/observer.js';
import type {
  AcceptedRegression,
  AcceptRegressionRequest,
  AssignRequest,
  IssuedNumber,
  SkipRequest,
} from '../contract/requests.js';
import { issuedNumber } from '../draw/draw.js';
import { sequenceMax } from '../format/compiled-format.js';
import type { CounterFloors, OpenedCounter } from '../issue/counter-floors.js';
import type { CounterQueue } from '../issue/counter-queue.js';
import type { ExpectedCommits } from '../issue/expected-commits.js';
import { regressionOf } from '../issue/settle-draft.js';
import { type HighWaterMarks, isBefore, PATIENCE_MS } from '../redis/high-water-marks.js';
import { ERA } from '../redis/raise-marks.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { type CounterAddress, counterName, type ResolvedRequest } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { callFunction } from '../sql/rows.js';
import {
  type KnownNumber,
  lockAddresses,
  type RecordRequest,
  recordNumbers,
  runUnlessTaken,
  toKnown,
} from './record-numbers.js';

export interface SkipOptions {
  readonly call: DatabaseCall;
  readonly resolver: RequestResolver;
  readonly commits: ExpectedCommits | undefined;
}

export interface AssignOptions extends SkipOptions {
  /** What this process knows about a counter. */
  readonly known: (address: CounterAddress) => CounterQueue;
  readonly floors: CounterFloors;
  readonly observer: NumberingObserver;
}

/** Most numbers that one call can skip: each becomes a ledger row. */
const SKIP_MAX = 100_000;
/** The rules can change between the lookup and the lock of the counter. */
const ATTEMPT_MAX = 3;

interface Locked {
  readonly resolved: ResolvedRequest;
  readonly counter: OpenedCounter;
}

/**
 * Issues one chosen sequence. Above the counter: raises the counter to it and records the sequences between as skipped.
 * In the series' manual interval: records it without moving the counter. Anywhere else, it is already in the ledger, or
 * was before the counter lost its last numbers.
 *
 * @throws DuplicateError, ExhaustedError, DateOrderError, InvalidRequestError, CounterRegressionError
 */
export async function assignNumber(request: AssignRequest, options: AssignOptions): Promise<IssuedNumber> {
  const reason = checkText('reason', request.reason, 1000);
  const { key, actor, id, document } = toIssueFacts(request);
  if (key !== undefined)
    throw new InvalidRequestError('key', 'is not accepted: the sequence identifies retries');
  const sequence = checkWhole('sequence', request.sequence, [1, sequenceMax]);
  return withCounter(request, options, async (session, locked) => {
    const { resolved, counter } = locked;
    const chosen = { ...toKnown(resolved, { sequence, status: 'manual', reason }), document, id };
    const isManual = checkPlace(locked, chosen);
    if (!isManual) await refuseBelowMark(locked, sequence, options);
    const skipped = isManual ? [] : skippedNumbers(locked, 'sequence', sequence - 1, reason);
    const numbers = [...skipped, chosen];
    await record(session, locked, { event: 'number_assigned', numbers, actor, reason });
    if (!isManual) options.commits?.expect(resolved, sequence);
    const { counterId } = counter;
    const how = { counterId, id, status: 'manual', guard: 'row', waitedMs: 0, retryCount: 0 } as const;
    return issuedNumber(resolved, sequence, how);
  });
}

/** Records every sequence up to `upTo` as skipped and returns how many: none if the counter is already there. */
export async function skipNumbers(request: SkipRequest, options: SkipOptions): Promise<number> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const upTo = checkWhole('upTo', request.upTo, [1, sequenceMax]);
  return withCounter(request, options, async (session, locked) => {
    const { resolved, counter } = locked;
    if (upTo <= counter.last) return 0;
    if (upTo > resolved.ceiling) throw new ExhaustedError(counterName(resolved), resolved.ceiling);
    const numbers = skippedNumbers(locked, 'upTo', upTo, reason);
    await record(session, locked, { event: 'numbers_skipped', numbers, actor, reason });
    options.commits?.expect(resolved, upTo);
    return numbers.length;
  });
}

/** Runs `work` on a counter locked until the end of the transaction. The request is resolved before it begins. */
async function withCounter<Result>(
  request: AssignRequest | SkipRequest,
  { call, resolver }: SkipOptions,
  work: (session: SqlSession, locked: Locked) => Promise<Result>,
): Promise<Result> {
  let resolved = await resolver.resolve(request, call);
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const done = await call.transaction(async (session) => {
      const [counter] = await lockAddresses(session, [resolved], call.deadline);
      if (counter?.revision !== resolved.series.revision) return undefined;
      return { result: await work(session, { resolved, counter }) };
    });
    if (done) return done.result;
    resolved = await resolver.resolveAgain(request, resolved, call);
  }
  throw new BusyError();
}

/** Refuses a sequence that cannot be issued; returns whether it is in the manual interval. */
function checkPlace({ resolved, counter }: Locked, { sequence, number }: KnownNumber): boolean {
  const { format, ceiling, series, date } = resolved;
  if (sequence > format.ceiling) throw new ExhaustedError(counterName(resolved), format.ceiling);
  const { dateOrder, manualInterval } = series;
  if (manualInterval && sequence >= manualInterval.first && sequence <= manualInterval.last) return true;
  if (sequence < counter.first)
    throw new InvalidRequestError('sequence', `is below the first number, ${counter.first}`);
  if (sequence <= counter.last) throw new DuplicateError(number);
  if (sequence > ceiling) throw new ExhaustedError(counterName(resolved), ceiling);
  if (dateOrder && counter.lastDate !== undefined && date < counter.lastDate) {
    throw new DateOrderError(date, counter.lastDate);
  }
  return false;
}

/** Refuses a number that somebody might have, because the counter has lost what it issued up to its mark. */
async function refuseBelowMark(
  { resolved, counter }: Locked,
  sequence: number,
  { known: counterOf, floors, observer }: AssignOptions,
): Promise<void> {
  const queue = counterOf(resolved);
  await floors.readMarks([queue], counter.server);
  const { floor } = queue.known.branch(counter.counterId, counter, counter.server).row;
  if (counter.last >= floor || sequence > floor || !(await floors.isBelow(queue, counter))) return;
  throw regressionOf(resolved, counter.last, queue.known, observer);
}

/** @param field of the request that says how far */
function skippedNumbers(
  { resolved, counter }: Locked,
  field: string,
  upTo: number,
  why: string,
): KnownNumber[] {
  const count = upTo - counter.last;
  if (count > SKIP_MAX) {
    const problem = `would skip ${count} numbers; at most ${SKIP_MAX} are allowed at a time`;
    throw new InvalidRequestError(field, problem);
  }
  const reason = `skipped: ${why}`;
  return Array.from({ length: count }, (_, index) =>
    toKnown(resolved, { sequence: counter.last + 1 + index, status: 'cancelled', reason }),
  );
}

async function record(
  session: SqlSession,
  { resolved, counter: { counterId } }: Locked,
  facts: Pick<RecordRequest, 'event' | 'numbers' | 'actor' | 'reason'>,
): Promise<void> {
  let taken: PostgresFailure | undefined;
  for (const passesTaken of [false, true]) {
    const request = { ...facts, counterId, address: resolved, passesTaken };
    taken = await runUnlessTaken(session, () => recordNumbers(session, request));
    if (!taken) return;
  }
  const { number = '', id } = facts.numbers.at(-1) ?? {};
  throw new DuplicateError(taken?.constraint === 'document_numbers_id_key' ? `id ${id}` : number);
}

const ACCEPT = `document_number_change_v1(step => 'ACCEPT', counter_id => $1, high_water_mark => $2,
  accepted_version => $3, actor => $4, reason => $5)::float8`;

export interface AcceptOptions extends Pick<AssignOptions, 'call' | 'resolver' | 'known'> {
  readonly marks: HighWaterMarks | undefined;
}

/**
 * Accepts a counter as it is, below issued numbers, after an intentional restore, when whatever was issued since is
 * invalid: its version goes on in the next era, to which positions of earlier ones mean nothing, in whatever process or
 * Redis they are. Only a later loss is a regression again. A repeated call does nothing.
 *
 * @throws RedisSilentError: what Redis remembers is not known; retry
 */
export async function acceptRegression(
  request: AcceptRegressionRequest,
  { call, resolver, marks, known }: AcceptOptions,
): Promise<AcceptedRegression> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const resolved = await resolver.resolve(request, { ...call, anyPeriod: true });
  const counter = known(resolved);
  const key = counter.lockKey.state;
  const patience = call.deadline.atMost(PATIENCE_MS);
  const remembered = marks ? await marks.read([key], patience) : [];
  if (!remembered) throw new RedisSilentError();
  const { position, highWaterMark } = await call.transaction(async (session) => {
    const [locked] = await lockAddresses(session, [resolved], call.deadline);
    if (!locked) throw new BusyError();
    const { counterId, last } = locked;
    const marked = [remembered[0], counter.known.mark].flatMap((one) =>
      one && isBefore(locked, one) ? [one] : [],
    );
    if (marked.length === 0) return { position: locked, highWaterMark: last };
    const highWaterMark = Math.max(...marked.map((one) => one.last));
    const version = (Math.floor(Math.max(...marked.map((one) => one.version)) / ERA) + 1) * ERA;
    await callFunction(session, ACCEPT, [counterId, highWaterMark, version, actor, reason]);
    return { position: { version, last }, highWaterMark };
  });
  counter.known.learn(position);
  marks?.raise(key, position);
  await marks?.flush();
  return { lastNumber: position.last, highWaterMark };
}
