import { randomUUID } from 'node:crypto';
import {
  type BoundedDatabase,
  type Deadline,
  PostgresFailure,
  repeatPauseMs,
  type SqlSession,
} from '@solegate/postgres-infra';
import type { Settings } from '../contract/checks.js';
import type { Batch, Draft } from './counter-queue.js';
import { draw, type ReplyRow, readReplies } from './draw.js';
import { REPLAY, REPLAYS } from './draw-statement.js';

export interface CommitOptions extends Settings {
  readonly database: BoundedDatabase;
}

/** Draws a batch and commits it, alone or with documents. Its drafts have their replies then. */
export type DrawInCommit = (batch: Batch, deadline: Deadline) => Promise<void>;

/** Repeats for keys that other processes commit at the same moment. */
const KEY_REPEAT_MAX = 20;
/** How often a server is asked that is there and takes no changes (read-only, disk full); one that is away costs it nothing. */
const REFUSAL_MAX = 8;

/** Gives each request its place in a batch. `nowMs` is on the clock of their arrival. */
export function formBatch(
  drafts: readonly Draft[],
  { nowMs, ...facts }: Pick<Batch, 'server' | 'rowWaitMs'> & { readonly nowMs: number },
): Batch {
  let position = 1;
  for (const { issues } of drafts) {
    for (const issue of issues) {
      issue.position = position;
      issue.waitedMs = Math.max(0, Math.round(nowMs - issue.arrivedMs));
      position += issue.count;
    }
  }
  return { ...facts, id: randomUUID(), drafts };
}

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
 * @param drawWith default: the batch's statement alone
 * @throws PostgresFailure
 */
export async function commitBatch(
  batch: Batch,
  deadline: Deadline,
  { database, random, observer }: CommitOptions,
  drawWith?: DrawInCommit,
): Promise<void> {
  let drawing = drawWith ?? ((sent, until) => draw(database.changing(until), sent, false));
  let isInDoubt = false;
  let refusalCount = 0;
  for (let attempt = 1; ; attempt += 1) {
    let failure: PostgresFailure;
    try {
      if (!isInDoubt) return await drawing(batch, deadline);
      if (await isSettled(batch, deadline, { drawing, database })) return;
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
      if (isKey && !drawWith) drawing = lockedDraw(database);
    }
    observer.storeRetried?.({ attempt, error: failure });
    const pauseMs = repeatPauseMs(failure, attempt, random);
    if (deadline.leftMs <= pauseMs) throw isInDoubt ? unknown(failure) : failure;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const KEY_KEY = 'document_numbers_key_key';
const BATCH_KEY = 'document_numbers_batch_key';

/** Whether the lost statement was found, or its repeat stands in its place. */
async function isSettled(
  batch: Batch,
  deadline: Deadline,
  { drawing, database }: { readonly drawing: DrawInCommit; readonly database: BoundedDatabase },
): Promise<boolean> {
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
  const message = `PostgreSQL's answer was lost; then: ${failure.message}`;
  return new PostgresFailure('UNKNOWN', message, { cause: failure });
}

/** It runs and answers, other than one that starts up or has no connection left. */
const takesNoChanges = ({ sqlState = '' }: PostgresFailure): boolean =>
  /^(?:25006|53[124]|58)/.test(sqlState);

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

/** The batch lies above what was known before it was sent, so only the top of each counter is read. */
const SELECT_BATCH = `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS w (counter_id, floor)
),
known AS MATERIALIZED (
  SELECT n.counter_id, n.batch_position AS position, ${REPLAY}
  FROM wanted w
  JOIN document_numbers n ON n.counter_id = w.counter_id AND n.sequence > w.floor AND n.batch = $3::uuid
)
SELECT c.id, c.last_number, c.version, c.last_date::text, s.revision, false AS granted, NULL::numeric AS now_ms,
  NULL AS server, NULL AS restored, NULL::json AS replay
FROM wanted w
JOIN document_number_counters c ON c.id = w.counter_id
JOIN document_number_series s ON s.id = c.series_id${REPLAYS}`;

/** Gives the drafts their replies if the batch was committed; `false` is no proof that its statement has ended. */
async function findBatch(session: SqlSession, batch: Batch): Promise<boolean> {
  const ids = batch.drafts.map(({ counter }) => counter.counterId);
  const floors = batch.drafts.map(({ counter }) => counter.issuedMark);
  const { rows } = await session.query({ text: SELECT_BATCH, values: [ids, floors, batch.id] });
  const found = rows as ReplyRow[];
  if (!found.some(({ replay }) => replay)) return false;
  readReplies(batch, found);
  for (const draft of batch.drafts) {
    const numberCount = found.filter(
      ({ replay, id }) => replay && String(id) === draft.counter.counterId,
    ).length;
    if (draft.reply) draft.reply = { ...draft.reply, numberCount };
  }
  return true;
}
