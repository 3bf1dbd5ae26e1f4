import { randomBytes } from 'node:crypto';
import {
  type BoundedDatabase,
  type Deadline,
  inDoubt,
  PostgresFailure,
  repeatPauseMs,
  type SqlSession,
} from '@solegate/postgres-infra';
import type { Settings } from '../contract/checks.js';
import { REPLAY } from '../sql/functions/replay.js';
import type { Batch, DraftReply } from './draft.js';
import { type BatchReply, draw, toReplies } from './draw.js';

export interface CommitOptions extends Settings {
  readonly database: BoundedDatabase;
}

/** Draws a batch and commits it, alone or with documents. */
export type DrawInCommit = (batch: Batch, deadline: Deadline) => Promise<DraftReply[]>;

/** @returns a new batch id (UUIDv7): ids in the order of time share index pages, which random ones would all touch */
export function newBatchId(nowMs = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Retries for keys that other processes commit at the same time. */
const KEY_REPEAT_MAX = 20;
/** Attempts at a server that responds but takes no changes (read-only, disk full); unreachable ones do not count. */
const REFUSAL_MAX = 8;

/**
 * Commits a batch exactly once, whatever happens to connections and backends.
 *
 * | failure | then |
 * |---|---|
 * | CONFLICT with other transactions | retried, the first time immediately |
 * | a key that another process has just committed | retried: a draw looks keys up behind its locks |
 * | UNAVAILABLE: it never ran | retried with pauses until the deadline; eight times at a server that takes no changes |
 * | UNKNOWN, or the head of the batch is in the ledger | the ledger is searched for the batch's id before any retry |
 * | BUSY, REFUSED, MISCONFIGURED, any other key | left to the round |
 *
 * The retry has the same id, whose head is unique in the ledger. So if a backend commits the lost statement late, that
 * and the retry can never both succeed. While the lost statement might still be running, it holds its rows, and the
 * retry skips them: a retry that was granted nothing for that reason proves nothing, and is repeated.
 *
 * @param drawing default: the batch's statement alone
 * @returns a reply for each draft, in their order
 * @throws PostgresFailure
 */
export async function commitBatch(
  batch: Batch,
  deadline: Deadline,
  { database, random, observer }: CommitOptions,
  drawing: DrawInCommit = (sent, until) => draw(database.changing(until), sent),
): Promise<DraftReply[]> {
  let isInDoubt = false;
  let refusalCount = 0;
  for (let attempt = 1; ; attempt += 1) {
    let failure: PostgresFailure;
    try {
      if (!isInDoubt) return await drawing(batch, deadline);
      const settled = await settle(batch, deadline, { drawing, database });
      if (settled) return settled;
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
      if (!isRepeatable) throw isInDoubt ? inDoubt(failure) : failure;
    }
    observer.storeRetried?.({ attempt, error: failure });
    const pauseMs = repeatPauseMs(failure, attempt, random);
    if (deadline.leftMs <= pauseMs) throw isInDoubt ? inDoubt(failure) : failure;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const KEY_KEY = 'document_numbers_key_key';
const BATCH_KEY = 'document_numbers_batch_key';

/** Returns the replies if the lost statement was found in the ledger, or its retry has replaced it. */
async function settle(
  batch: Batch,
  deadline: Deadline,
  { drawing, database }: { readonly drawing: DrawInCommit; readonly database: BoundedDatabase },
): Promise<DraftReply[] | undefined> {
  const find = () => findBatch(database.reading(deadline), batch);
  const before = await find();
  if (before) return before;
  const replies = await drawing(batch, deadline);
  const verdicts = replies.map(({ verdict }) => verdict);
  if (verdicts.includes('GRANTED')) return replies;
  // The lost statement itself might have raised the counters in the meantime.
  return (await find()) ?? (verdicts.includes('SKIPPED') ? undefined : replies);
}

/** The server runs and responds, unlike one that is starting up or out of connections. */
const takesNoChanges = ({ sqlState = '' }: PostgresFailure): boolean =>
  /^(?:25006|53[124]|58)/.test(sqlState);

/** The batch is above what was known before it was sent, so only the top of each counter is read. */
const SELECT_BATCH = `
SELECT json_build_object('position', n.batch_position, ${REPLAY}) AS replay, c.id::text AS "counterId",
  c.last_number::float8 AS last, c.version::float8 AS version
FROM unnest($1::bigint[], $2::bigint[]) AS w (counter_id, floor)
JOIN document_numbers n ON n.counter_id = w.counter_id AND n.sequence > w.floor AND n.batch = $3::uuid
JOIN document_number_counters c ON c.id = w.counter_id`;

/** Returns the replies if the batch was committed; `undefined` does not prove that its statement has ended. */
async function findBatch(session: SqlSession, batch: Batch): Promise<DraftReply[] | undefined> {
  const ids = batch.drafts.map(({ counterId }) => counterId);
  const floors = batch.drafts.map(({ floor }) => floor);
  const { rows } = await session.query({ text: SELECT_BATCH, values: [ids, floors, batch.id] });
  type FoundRow = Omit<BatchReply['counters'][number], 'verdict'> & {
    readonly replay: NonNullable<BatchReply['replays']>[number];
  };
  const found = rows as FoundRow[];
  if (found.length === 0) return undefined;
  const counters = found.map(({ counterId, last, version }) => {
    return { counterId, last, version, verdict: 'REPLAYED' as const };
  });
  const replays = found.map(({ replay }) => replay);
  const replies = toReplies(batch, { server: '', nowMs: 0, counters, replays });
  return replies.map((reply) => {
    const numberCount = reply.answers.reduce(
      (sum, answer) => sum + (answer && answer.kind !== 'FAILED' ? answer.drawn.numbers.length : 0),
      0,
    );
    return { ...reply, numberCount };
  });
}
