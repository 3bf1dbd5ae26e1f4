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

/** Draws a batch and commits it, alone or with documents, and sets the replies of its drafts. */
export type DrawInCommit = (batch: Batch, deadline: Deadline) => Promise<void>;

/** Retries for keys that other processes commit at the same time. */
const KEY_REPEAT_MAX = 20;
/** Attempts at a server that responds but takes no changes (read-only, disk full); unreachable ones do not count. */
const REFUSAL_MAX = 8;

/** Assigns each request its position in a batch. `nowMs` is from the same clock as their arrival. */
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
 * Commits a batch exactly once, whatever happens to connections and backends.
 *
 * | failure | then |
 * |---|---|
 * | CONFLICT with other transactions | retried, the first time immediately |
 * | a key that another process has just committed | retried after locking the counters, which makes it visible |
 * | UNAVAILABLE: it never ran | retried with pauses until the deadline; eight times at a server that takes no changes |
 * | UNKNOWN, or the head of the batch is in the ledger | the ledger is searched for the batch's id before any retry |
 * | BUSY, REFUSED, MISCONFIGURED, any other key | left to the round |
 *
 * The retry has the same id, whose head is unique in the ledger. So if a backend commits the lost statement late, that
 * and the retry can never both succeed. While the lost statement might still be running, it holds its rows, and the
 * retry skips them: a retry that was granted nothing for that reason proves nothing, and is repeated.
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
      // Once the rows are locked, the next statement sees the key.
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

/** Whether the lost statement was found in the ledger, or its retry has replaced it. */
async function isSettled(
  batch: Batch,
  deadline: Deadline,
  { drawing, database }: { readonly drawing: DrawInCommit; readonly database: BoundedDatabase },
): Promise<boolean> {
  if (await findBatch(database.reading(deadline), batch)) return true;
  await drawing(batch, deadline);
  const kinds = batch.drafts.map(({ reply }) => reply?.kind);
  if (kinds.includes('GRANTED')) return true;
  // The lost statement itself might have advanced the counters in the meantime.
  if (await findBatch(database.reading(deadline), batch)) return true;
  return !kinds.includes('SKIPPED');
}

function unknown(failure: PostgresFailure): PostgresFailure {
  if (failure.kind === 'UNKNOWN') return failure;
  const message = `PostgreSQL's reply was lost; then: ${failure.message}`;
  return new PostgresFailure('UNKNOWN', message, { cause: failure });
}

/** The server runs and responds, unlike one that is starting up or out of connections. */
const takesNoChanges = ({ sqlState = '' }: PostgresFailure): boolean =>
  /^(?:25006|53[124]|58)/.test(sqlState);

const lockedDraw =
  (database: BoundedDatabase): DrawInCommit =>
  (batch, deadline) =>
    database.transaction(deadline, async (session) => {
      await lockCounters(session, batch);
      await draw(session, batch, true);
    });

/** Locks the counters of a batch in id order, so that later statements see everything committed under these locks. */
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

/** The batch is above what was known before it was sent, so only the top of each counter is read. */
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

/** Sets the replies of the drafts if the batch was committed; `false` does not prove that its statement has ended. */
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
