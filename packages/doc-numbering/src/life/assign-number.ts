import { randomUUID } from 'node:crypto';
import { PostgresFailure, type SqlSession } from '@solegate/postgres-infra';
import { checkText, checkWhole } from '../contract/check-request.js';
import type { IssuedNumber } from '../contract/issue-request.js';
import type { AssignRequest, SkipRequest } from '../contract/number-life.js';
import {
  DateOrderError,
  DuplicateError,
  ExhaustedError,
  InvalidRequestError,
} from '../contract/numbering-error.js';
import { BusyError } from '../contract/store-error.js';
import { counterKey, openCounters } from '../draw/open-counters.js';
import { sequenceMax } from '../format/compiled-format.js';
import { toIssuedNumbers } from '../issue/issued-number.js';
import { toIssueFacts } from '../request/issue-facts.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { counterName, type ResolvedRequest } from '../request/resolved-request.js';
import { appendEvents } from '../sql/append-event.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import {
  type KnownNumber,
  type LockedCounter,
  lockCounterRow,
  passTakenTexts,
  recordNumbers,
} from './record-numbers.js';

export interface AssignOptions {
  readonly call: DatabaseCall;
  readonly resolver: RequestResolver;
}

/** Numbers that one call may pass over: each becomes a ledger row. */
const skipMax = 100_000;

interface OpenedCounter {
  readonly resolved: ResolvedRequest;
  readonly counterId: string;
  readonly counter: LockedCounter;
}

/**
 * Gives out one chosen sequence. Above the counter: the counter is raised to it, and what lies between is recorded as
 * skipped. In the manual interval of the series: recorded beside the counter. Anywhere else it is in the ledger already.
 *
 * @throws DuplicateError, ExhaustedError, DateOrderError, InvalidRequestError
 */
export async function assignNumber(request: AssignRequest, options: AssignOptions): Promise<IssuedNumber> {
  const reason = checkText('reason', request.reason, 1000);
  const facts = toIssueFacts({ ...request, reason }, { count: 1, hasDocument: false });
  if (facts.key !== undefined)
    throw new InvalidRequestError('key', 'is not needed: the sequence tells repeats apart');
  const sequence = checkWhole('sequence', request.sequence, [1, sequenceMax]);
  return withCounter(request, options, async (session, opened) => {
    const { resolved, counterId } = opened;
    const number = resolved.format.render(resolved.affixes, sequence);
    const isManual = isInManualInterval(resolved, sequence);
    checkPlace(opened, { sequence, number, isManual });
    const skipped = isManual ? [] : skippedNumbers(opened, sequence - 1, reason);
    const chosen: KnownNumber = {
      ...toKnown(resolved, sequence),
      status: 'manual',
      document: facts.document,
      id: facts.id,
      reason,
    };
    await record(session, opened, { numbers: [...skipped, chosen], actor: facts.actor });
    const { space } = resolved.series;
    await appendEvents(session, [
      {
        type: 'number_assigned',
        space,
        counter_id: counterId,
        sequence,
        number,
        actor: facts.actor,
        reason,
        facts: { skippedCount: skipped.length },
      },
    ]);
    return assigned(opened, { sequence, number, id: facts.id });
  });
}

/** Records every sequence up to `upTo` as skipped; gives how many. None, when the counter is there already. */
export async function skipNumbers(request: SkipRequest, options: AssignOptions): Promise<number> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const upTo = checkWhole('upTo', request.upTo, [1, sequenceMax]);
  return withCounter(request, options, async (session, opened) => {
    const { resolved, counterId, counter } = opened;
    if (upTo <= counter.last) return 0;
    if (upTo > resolved.ceiling) throw new ExhaustedError(counterName(resolved), resolved.ceiling);
    const numbers = skippedNumbers(opened, upTo, reason);
    await record(session, opened, { numbers, actor });
    await appendEvents(session, [
      {
        type: 'numbers_skipped',
        space: resolved.series.space,
        counter_id: counterId,
        actor,
        reason,
        facts: { first: counter.last + 1, last: upTo },
      },
    ]);
    return numbers.length;
  });
}

/** The rules may change between the look at them and the lock of the counter. */
const ATTEMPT_MAX = 3;

/** Works on a counter that is locked until the end of the transaction. The request is resolved before it begins. */
async function withCounter<Result>(
  request: AssignRequest | SkipRequest,
  { call, resolver }: AssignOptions,
  work: (session: SqlSession, opened: OpenedCounter) => Promise<Result>,
): Promise<Result> {
  let resolved = await resolver.resolve(request);
  for (let attempt = 1; attempt <= ATTEMPT_MAX; attempt += 1) {
    const done = await call.transaction(async (session) => {
      const { counters } = await openCounters(session, [resolved]);
      const counterId = counters.get(counterKey(resolved))?.counterId ?? '';
      const counter = await lockCounterRow(session, counterId);
      if (counter.revision !== resolved.series.revision) return undefined;
      return { result: await work(session, { resolved, counterId, counter }) };
    });
    if (done) return done.result;
    const again = { ...request, date: resolved.date };
    resolved = await resolver.resolve(again, { anyPeriod: true, isStale: true });
  }
  throw new BusyError();
}

function isInManualInterval({ series }: ResolvedRequest, sequence: number): boolean {
  const { manualInterval } = series;
  return manualInterval !== undefined && sequence >= manualInterval.first && sequence <= manualInterval.last;
}

interface Place {
  readonly sequence: number;
  readonly number: string;
  readonly isManual: boolean;
}

function checkPlace({ resolved, counter }: OpenedCounter, { sequence, number, isManual }: Place): void {
  if (sequence > resolved.format.ceiling)
    throw new ExhaustedError(counterName(resolved), resolved.format.ceiling);
  if (isManual) return;
  if (sequence < counter.first)
    throw new InvalidRequestError('sequence', `is below the start, ${counter.first}`);
  if (sequence <= counter.last) throw new DuplicateError(number);
  if (sequence > resolved.ceiling) throw new ExhaustedError(counterName(resolved), resolved.ceiling);
  const { dateOrder } = resolved.series;
  if (dateOrder && counter.lastDate !== undefined && resolved.date < counter.lastDate) {
    throw new DateOrderError(resolved.date, counter.lastDate);
  }
}

function skippedNumbers({ resolved, counter }: OpenedCounter, upTo: number, reason: string): KnownNumber[] {
  const count = upTo - counter.last;
  if (count > skipMax) {
    throw new InvalidRequestError(
      'sequence',
      `would pass over ${count} numbers; ${skipMax} at a time are allowed`,
    );
  }
  return Array.from({ length: count }, (_, index) => ({
    ...toKnown(resolved, counter.last + 1 + index),
    status: 'cancelled',
    reason: `skipped: ${reason}`,
  }));
}

function toKnown({ format, affixes, date }: ResolvedRequest, sequence: number) {
  return { sequence, number: format.render(affixes, sequence), formatVersion: format.facts.version, date };
}

interface Recording {
  readonly numbers: readonly KnownNumber[];
  readonly actor: string;
}

async function record(session: SqlSession, opened: OpenedCounter, recording: Recording): Promise<void> {
  const run = (text: string) => session.query({ text, values: [] });
  await run('SAVEPOINT doc_num_known');
  try {
    await store(session, opened, recording);
  } catch (error) {
    if (!isClash(error)) throw error;
    await run('ROLLBACK TO SAVEPOINT doc_num_known');
    const numbers = await passTakenTexts(
      session,
      { space: opened.resolved.series.space, counterId: opened.counterId },
      recording.numbers,
    );
    try {
      await store(session, opened, { ...recording, numbers });
    } catch (cause) {
      if (!isClash(cause)) throw cause;
      throw new DuplicateError(recording.numbers.at(-1)?.number ?? '', { cause });
    }
  }
}

const isClash = (error: unknown): boolean =>
  error instanceof PostgresFailure && error.kind === 'CONFLICT' && error.constraint !== undefined;

function store(
  session: SqlSession,
  { resolved, counterId }: OpenedCounter,
  recording: Recording,
): Promise<void> {
  const { series, period } = resolved;
  return recordNumbers(session, {
    ...recording,
    counterId,
    space: series.space,
    period,
    batch: randomUUID(),
  });
}

function assigned(
  { resolved, counterId }: OpenedCounter,
  { sequence, number, id }: { sequence: number; number: string; id: string | undefined },
): IssuedNumber {
  const [issued] = toIssuedNumbers(resolved, {
    counterId,
    first: sequence,
    numbers: [number],
    period: resolved.period,
    date: resolved.date,
    formatVersion: resolved.format.facts.version,
    id,
    replayed: false,
    status: 'manual',
    guard: 'row',
    waitedMs: 0,
    retryCount: 0,
    reservation: undefined,
  });
  if (!issued) throw new Error(`nothing was assigned for ${number}`);
  return issued;
}
