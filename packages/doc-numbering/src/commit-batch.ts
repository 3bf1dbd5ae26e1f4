import { type Batch } from './batch.js';
import { drawBatch } from './draw-batch.js';
import type { LineReply } from './draw-reply.js';
import { findBatch } from './find-batch.js';
import { NumberingError } from './numbering-error.js';
import type { NumberingEvents } from './numbering-options.js';
import { pause, storePauseMs } from './repeat-statement.js';
import type { SqlPool } from './sql-session.js';
import { storeError, storeFailure } from './store-failure.js';
import { inTransaction, lockCounters } from './transaction.js';

export interface CommitOptions {
  readonly database: SqlPool;
  readonly isNamed: boolean;
  readonly now: () => number;
  readonly random: () => number;
  readonly events: NumberingEvents;
}

/** Draws a batch and commits it, alone or with documents. */
export type DrawInCommit = (batch: Batch) => Promise<LineReply[]>;

export interface CommitRequest {
  readonly batch: Batch;
  /** After this moment a store that failed is not asked again. */
  readonly deadlineMs: number;
  /** Default: the batch's statement alone. */
  readonly draw?: DrawInCommit;
}

/** Repeats at once for a passing refusal, before pauses begin. */
const quickRepeatMax = 3;

/** Repeats for keys that other processes commit at the same moment. */
const keyRepeatMax = 20;

/**
 * Commits a batch exactly once, whatever becomes of connections and back ends.
 *
 * A statement that PostgreSQL refused for a passing reason is repeated at once; one that never reached it, after a pause.
 * When the connection ended before the answer, nobody knows: the ledger is asked for the batch's id before anything is
 * repeated, and the repeat carries the same id, whose head is unique in the ledger. So a back end that commits the
 * lost statement late and the repeat can never both succeed.
 *
 * @throws the store's error when the statement or its values are at fault; when the deadline has passed: BusyError,
 * StoreUnavailableError or OutcomeUnknownError
 */
export async function commitBatch(request: CommitRequest, options: CommitOptions): Promise<LineReply[]> {
  const { batch, deadlineMs } = request;
  const { now, random, events } = options;
  let draw = request.draw ?? plainDraw(options);
  let mayBeCommitted = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await findOrDraw({ batch, draw, mayBeCommitted, database: options.database });
    } catch (error) {
      if (error instanceof NumberingError) throw error;
      const { kind, constraint } = storeFailure(error);
      const isHead = constraint === 'document_numbers_batch_key';
      const isKey = constraint === 'document_numbers_key_key';
      if (kind === 'rejected') throw error;
      if (kind === 'clash' && !isHead && !(isKey && attempt <= keyRepeatMax)) throw error;
      if (kind === 'unknown' || isHead) mayBeCommitted = true;
      // A key was committed after the statement's snapshot: behind the rows' locks the next one sees it.
      if (isKey && !request.draw) draw = lockedDraw(options);
      events.storeRetried?.({ attempt, error });
      if (now() >= deadlineMs) throw storeError(error, mayBeCommitted);
      const isQuick = (kind === 'refused' || kind === 'clash') && attempt <= quickRepeatMax;
      if (!isQuick) await pause(storePauseMs(attempt, random));
    }
  }
}

interface FindOrDraw {
  readonly database: SqlPool;
  readonly batch: Batch;
  readonly draw: DrawInCommit;
  readonly mayBeCommitted: boolean;
}

async function findOrDraw({ database, batch, draw, mayBeCommitted }: FindOrDraw): Promise<LineReply[]> {
  if (!mayBeCommitted) return draw(batch);
  const found = await findBatch(database, batch);
  if (found) return found;
  const replies = await draw(batch);
  if (replies.some(({ isGranted }) => isGranted)) return replies;
  // Perhaps it was the lost statement itself that moved the counters meanwhile.
  return (await findBatch(database, batch)) ?? replies;
}

function plainDraw({ database, isNamed }: CommitOptions): DrawInCommit {
  return (batch) => drawBatch({ session: database, batch, isNamed });
}

function lockedDraw({ database, isNamed }: CommitOptions): DrawInCommit {
  return (batch) =>
    inTransaction(database, async (session) => {
      await lockCounters(session, batch);
      return drawBatch({ session, batch, isNamed });
    });
}
