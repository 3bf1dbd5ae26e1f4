import { type Batch, type BatchLine } from './batch.js';
import type { CommitOptions, DrawInCommit } from './commit-batch.js';
import { drawBatch } from './draw-batch.js';
import type { LineReply } from './draw-reply.js';
import { toIssuedNumbers } from './issued-number.js';
import type { WriteDocuments, WriterItem } from './number-writer.js';
import { BusyError, InvalidRequestError } from './numbering-error.js';
import type { PendingIssue } from './pending-issue.js';
import type { SqlSession } from './sql-session.js';
import { isPassing } from './store-failure.js';
import { inTransaction, lockCounters, run } from './transaction.js';
import { within } from './within.js';

type Write = WriteDocuments<unknown>;

export interface WriterDeskOptions extends Pick<CommitOptions, 'database' | 'isNamed'> {
  readonly writerTimeoutMs: number;
}

/** Between the end of our patience with a writer and the end of its statement. */
const endingMs = 500;

/**
 * Writers by name, and how a batch is committed together with its documents.
 *
 * First all at once: draw, write, commit. When the writer refuses, nothing of that is kept; the batch is drawn once more in
 * one transaction, and halved at savepoints until each part either is written whole or is the one document at fault. A
 * refused document's number is rolled back with it and goes to the next, so the others stay gapless.
 */
export class WriterDesk {
  readonly #options: WriterDeskOptions;
  readonly #writers = new Map<string, Write>();

  constructor(options: WriterDeskOptions) {
    this.#options = options;
  }

  /** @throws InvalidRequestError when the name is taken */
  register<Document>(name: string, write: WriteDocuments<Document>): void {
    if (this.#writers.has(name)) throw new InvalidRequestError('name', `there is a writer ${name} already`);
    // Its documents come through the writer that this call returns, so they are of its type.
    this.#writers.set(name, (session, items) => write(session, items as readonly WriterItem<Document>[]));
  }

  drawFor(name: string): DrawInCommit {
    const write = this.#writers.get(name);
    if (!write) throw new InvalidRequestError('writer', `there is no writer ${name}`);
    return async (batch) => {
      try {
        return await this.#drawTogether(batch, write);
      } catch (error) {
        if (!(error instanceof WriteRefused)) throw error;
      }
      return this.#drawApart(batch, write);
    };
  }

  /** When this process has given a writer up, PostgreSQL soon ends its statement and frees the counters. */
  get #limits(): { statementTimeoutMs: number } {
    return { statementTimeoutMs: this.#options.writerTimeoutMs + endingMs };
  }

  #drawTogether(batch: Batch, write: Write): Promise<LineReply[]> {
    const { database, isNamed } = this.#options;
    const draw = async (session: SqlSession) => {
      const replies = await drawBatch({ session, batch, isNamed });
      await this.#write({ session, write, replies });
      return replies;
    };
    return inTransaction(database, draw, this.#limits);
  }

  #drawApart(batch: Batch, write: Write): Promise<LineReply[]> {
    const draw = async (session: SqlSession) => {
      await lockCounters(session, batch);
      const apart: Apart = { session, write, whole: batch, replies: new Map(), hasHead: false };
      await this.#drawPart(apart, batch.lines);
      return batch.lines.flatMap((line) => apart.replies.get(line.counterId) ?? []);
    };
    return inTransaction(this.#options.database, draw, this.#limits);
  }

  async #drawPart(apart: Apart, lines: readonly BatchLine[]): Promise<void> {
    const { session, whole, write } = apart;
    const bare = lines.map((line) => ({ ...line, expected: undefined }));
    const part: Batch = {
      id: whole.id,
      startedMs: whole.startedMs,
      lines: bare,
      partOf: { whole, hasHead: apart.hasHead },
    };
    await run(session, 'SAVEPOINT doc_num_part');
    const replies = await drawBatch({ session, batch: part, isNamed: this.#options.isNamed });
    try {
      await this.#write({ session, write, replies });
      await run(session, 'RELEASE SAVEPOINT doc_num_part');
      keep(apart, replies);
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error;
      await run(session, 'ROLLBACK TO SAVEPOINT doc_num_part; RELEASE SAVEPOINT doc_num_part');
      const issues = lines.flatMap((line) => line.issues);
      const [only] = issues;
      if (issues.length === 1 && only) {
        keep(
          apart,
          replies.map((reply) => refused(reply, only, error.reason)),
        );
        return;
      }
      const half = new Set(issues.slice(0, Math.ceil(issues.length / 2)));
      await this.#drawPart(
        apart,
        linesWith(lines, (issue) => half.has(issue)),
      );
      await this.#drawPart(
        apart,
        linesWith(lines, (issue) => !half.has(issue)),
      );
    }
  }

  async #write({ session, write, replies }: WriteRequest): Promise<void> {
    const items: WriterItem<unknown>[] = replies.flatMap(({ drawn }) =>
      [...drawn].flatMap(([issue, numbers]) =>
        toIssuedNumbers(issue.resolved, numbers).map((issued) => ({
          document: issue.attached?.document,
          issued,
        })),
      ),
    );
    if (items.length === 0) return;
    try {
      const { writerTimeoutMs } = this.#options;
      await within(write(session, items), writerTimeoutMs, () => new BusyError(writerTimeoutMs));
    } catch (error) {
      // A deadlock or a server that goes down is nobody's document: the whole batch is repeated.
      if (error instanceof BusyError || isPassing(error)) throw error;
      throw new WriteRefused(error);
    }
  }
}

interface WriteRequest {
  readonly session: SqlSession;
  readonly write: Write;
  readonly replies: readonly LineReply[];
}

/** A batch that is drawn in parts, in one transaction. */
interface Apart {
  readonly session: SqlSession;
  readonly write: Write;
  readonly whole: Batch;
  /** What the parts have answered so far, by counter. */
  readonly replies: Map<string, LineReply>;
  /** Whether a part that was kept carries the head of the batch. */
  hasHead: boolean;
}

/** The writer threw; what it threw is for the caller of the document at fault. */
class WriteRefused extends Error {
  constructor(readonly reason: unknown) {
    super('A writer threw', { cause: reason });
  }
}

function keep(apart: Apart, replies: readonly LineReply[]): void {
  for (const reply of replies) {
    const before = apart.replies.get(reply.line.counterId);
    const original = apart.whole.lines.find(({ counterId }) => counterId === reply.line.counterId);
    apart.replies.set(reply.line.counterId, {
      ...reply,
      line: original ?? reply.line,
      isGranted: reply.isGranted && before?.isGranted !== false,
      drawn: new Map([...(before?.drawn ?? []), ...reply.drawn]),
      replays: new Map([...(before?.replays ?? []), ...reply.replays]),
      failed: new Map([...(before?.failed ?? []), ...reply.failed]),
    });
    if (reply.drawn.size > 0) apart.hasHead = true;
  }
}

/** The reply of a part that was rolled back: the counter stands where it stood. */
function refused(reply: LineReply, issue: PendingIssue, reason: unknown): LineReply {
  const { version, last } = reply.standing;
  return {
    ...reply,
    standing: { version: version - 1, last: last - issue.count },
    drawn: new Map(),
    failed: new Map([[issue, reason]]),
  };
}

function linesWith(lines: readonly BatchLine[], belongs: (issue: PendingIssue) => boolean): BatchLine[] {
  const parts = lines.map((line) => ({ ...line, issues: line.issues.filter(belongs) }));
  return parts.filter(({ issues }) => issues.length > 0);
}
