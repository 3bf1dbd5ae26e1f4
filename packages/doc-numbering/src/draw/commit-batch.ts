import {
  type BoundedDatabase,
  type Deadline,
  PostgresFailure,
  type SqlSession,
} from '@solegate/postgres-infra';
import type { NumberingEvents } from '../contract/options.js';
import type { Batch } from './draft.js';
import { draw } from './draw.js';
import { findBatch } from './find-drawn.js';

export interface CommitOptions {
  readonly database: BoundedDatabase;
  readonly random: () => number;
  readonly events: NumberingEvents;
}

/** Draws a batch and commits it, alone or with documents. Its drafts have their replies then. */
export type DrawInCommit = (batch: Batch, deadline: Deadline) => Promise<void>;

export interface CommitRequest {
  readonly batch: Batch;
  readonly deadline: Deadline;
  /** Default: the batch's statement alone. */
  readonly draw?: DrawInCommit | undefined;
}

/** Repeats at once after a conflict, before pauses begin. */
const QUICK_REPEAT_MAX = 3;
/** Repeats for keys that other processes commit at the same moment. */
const KEY_REPEAT_MAX = 20;
/** How often a server is asked that is there and takes no changes (read-only, disk full); one that is away costs it nothing. */
const REFUSAL_MAX = 8;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Commits a batch exactly once, whatever becomes of connections and back ends.
 *
 * | failure | then |
 * |---|---|
 * | CONFLICT with other transactions | again, at once at first |
 * | a key that another process has just committed | again behind the locks of the counters, which shows it |
 * | UNAVAILABLE: it never ran | again after a pause, while there is time; eight times at a server that takes no changes |
 * | UNKNOWN, or the head of the batch is in the ledger | the ledger is asked for the batch's id before anything is repeated |
 * | BUSY, REFUSED, MISCONFIGURED, any other key | it is the round's matter |
 *
 * The repeat carries the same id, whose head is unique in the ledger. So a back end that commits the lost statement late and
 * the repeat can never both succeed. While the lost statement may still run, it holds its rows, and the repeat skips them:
 * a repeat of which nothing was granted for that reason proves nothing, and it is made again.
 *
 * @throws PostgresFailure
 */
export async function commitBatch(request: CommitRequest, options: CommitOptions): Promise<void> {
  const { batch, deadline } = request;
  const { database, random, events } = options;
  let drawing: DrawInCommit = request.draw ?? plainDraw(database);
  let isInDoubt = false;
  let refusalCount = 0;
  for (let attempt = 1; ; attempt += 1) {
    let failure: PostgresFailure;
    try {
      if (!isInDoubt) return await drawing(batch, deadline);
      if (await isSettled({ batch, drawing, deadline, database })) return;
      failure = new PostgresFailure('BUSY', 'the rows of a batch whose reply was lost are still held');
    } catch (error) {
      if (!(error instanceof PostgresFailure)) throw error;
      failure = error;
      const isKey = failure.constraint === KEY_KEY;
      const isHead = failure.constraint === BATCH_KEY;
      if (failure.kind === 'UNKNOWN' || isHead) isInDoubt = true;
      if (failure.kind === 'UNAVAILABLE' && takesNoChanges(failure)) refusalCount += 1;
      const isRepeatable =
        isHead ||
        ((isKey ? attempt <= KEY_REPEAT_MAX : failure.retryable) &&
          (isInDoubt || failure.kind !== 'BUSY') &&
          refusalCount < REFUSAL_MAX);
      if (!isRepeatable) throw isInDoubt ? unknown(failure) : failure;
      // Behind the rows' locks the next statement sees the key.
      if (isKey && !request.draw) drawing = lockedDraw(database);
    }
    events.storeRetried?.({ attempt, error: failure });
    const isQuick = failure.kind === 'CONFLICT' && attempt <= QUICK_REPEAT_MAX;
    const pauseMs = isQuick ? 0 : pauseFor(attempt, random);
    if (deadline.leftMs <= pauseMs) throw isInDoubt ? unknown(failure) : failure;
    if (pauseMs > 0) await pause(pauseMs);
  }
}

const KEY_KEY = 'document_numbers_key_key';
const BATCH_KEY = 'document_numbers_batch_key';

interface Doubt {
  readonly batch: Batch;
  readonly drawing: DrawInCommit;
  readonly deadline: Deadline;
  readonly database: BoundedDatabase;
}

/** Whether the lost statement was found, or its repeat stands in its place. */
async function isSettled({ batch, drawing, deadline, database }: Doubt): Promise<boolean> {
  if (await findBatch(database.reading(deadline), batch)) return true;
  await drawing(batch, deadline);
  const kinds = batch.drafts.map(({ reply }) => reply?.kind);
  if (kinds.includes('GRANTED')) return true;
  // Perhaps it was the lost statement itself that moved the counters meanwhile.
  if (await findBatch(database.reading(deadline), batch)) return true;
  return !kinds.includes('SKIPPED');
}

function unknown(failure: PostgresFailure): PostgresFailure {
  if (failure.kind === 'UNKNOWN') return failure;
  return new PostgresFailure('UNKNOWN', `PostgreSQL's answer was lost; then: ${failure.message}`, {
    cause: failure,
  });
}

/** It runs and answers, other than one that starts up or has no connection left. */
const takesNoChanges = ({ sqlState = '' }: PostgresFailure): boolean =>
  /^(?:25006|53[124]|58)/.test(sqlState);

const pauseFor = (attempt: number, random: () => number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + random() / 2);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const plainDraw =
  (database: BoundedDatabase): DrawInCommit =>
  (batch, deadline) =>
    draw(database.changing(deadline), batch, false);

const lockedDraw =
  (database: BoundedDatabase): DrawInCommit =>
  (batch, deadline) =>
    database.transaction(deadline, async (session) => {
      await lockCounters(session, batch);
      await draw(session, batch, true);
    });

/** Locks the counters of a batch in id order, so that what follows sees everything committed under them. */
export async function lockCounters(session: SqlSession, { drafts, rowWaitMs }: Batch): Promise<void> {
  const text = `
WITH limits AS MATERIALIZED (
  SELECT current_setting('lock_timeout') AS lock_timeout_before, set_config('lock_timeout', $2, true)
),
locked AS MATERIALIZED (
  SELECT c.id FROM limits, document_number_counters c
  WHERE c.id = ANY ($1::bigint[])
  ORDER BY c.id
  FOR NO KEY UPDATE OF c${rowWaitMs === undefined ? ' SKIP LOCKED' : ''}
)
SELECT set_config('lock_timeout', k.lock_timeout_before, true)
FROM limits k
LEFT JOIN (SELECT count(*) FROM locked) l ON true`;
  const ids = drafts.map(({ counter }) => counter.counterId);
  await session.query({ text, values: [ids, String(rowWaitMs ?? 0)] });
}
