import {
  Deadline,
  PostgresFailure,
  postgresFailure,
  type SqlSession,
  settleBy,
} from '@solegate/postgres-infra';
import { BusyError, InvalidRequestError } from '../contract/numbering-error.js';
import type { WriteDocuments, WriterItem } from '../contract/requests.js';
import { type CommitOptions, type DrawInCommit, lockCounters } from '../draw/commit-batch.js';
import {
  type Batch,
  type Draft,
  type DraftReply,
  draftsWith,
  type PendingIssue,
} from '../draw/counter-queue.js';
import { draw } from '../draw/draw.js';

type Write = WriteDocuments<unknown>;

/** Beside the writer's own time: for the draw, and between the end of our patience and that of its statement. */
const ENDING_MS = 1500;

/**
 * Writers by name, and how a batch is committed together with its documents.
 *
 * First all at once: draw, write, commit. When the writer refuses, nothing of that is kept; the batch is drawn once more in
 * one transaction, and halved at savepoints until each part either is written whole or is the one document at fault. A
 * refused document's number is rolled back with it and goes to the next, so the others stay gapless.
 */
export class BatchWriters {
  readonly #options: CommitOptions;
  readonly #writers = new Map<string, Write>();

  constructor(options: CommitOptions) {
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
    return async (batch, deadline) => {
      try {
        await this.#drawTogether(batch, deadline, write);
      } catch (error) {
        if (!(error instanceof WriteRefused)) throw error;
        await this.#drawApart(batch, deadline, write);
      }
    };
  }

  #drawTogether(batch: Batch, deadline: Deadline, write: Write): Promise<void> {
    // When this process has given a writer up, PostgreSQL soon ends its statement and frees the counters.
    const limited = deadline.atMost(this.#options.writerTimeoutMs + ENDING_MS);
    return this.#options.database.transaction(limited, async (session) => {
      await draw(session, batch, true);
      await this.#write(session, write, batch.drafts);
    });
  }

  #drawApart(batch: Batch, deadline: Deadline, write: Write): Promise<void> {
    // Each call of the writer has its own limit; how many there are depends on how many documents are at fault.
    return this.#options.database.transaction(deadline, async (session) => {
      await lockCounters(session, batch);
      const apart: Apart = { session, write, whole: batch, replies: new Map(), hasHead: false };
      await this.#drawPart(apart, batch.drafts);
      for (const draft of batch.drafts) draft.reply = apart.replies.get(draft.counter.address.key);
    });
  }

  async #drawPart(apart: Apart, drafts: readonly Draft[]): Promise<void> {
    const { session, whole, write, hasHead } = apart;
    const parts = draftsWith(drafts, () => true);
    await run(session, 'SAVEPOINT doc_num_part');
    await draw(session, { ...whole, drafts: parts, hasHead }, true);
    try {
      await this.#write(session, write, parts);
      await run(session, 'RELEASE SAVEPOINT doc_num_part');
      for (const part of parts) keep(apart, part);
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error;
      await run(session, 'ROLLBACK TO SAVEPOINT doc_num_part; RELEASE SAVEPOINT doc_num_part');
      const issues = parts.flatMap((part) => part.issues);
      const [only] = issues;
      if (issues.length === 1 && only) {
        for (const part of parts) keep(apart, refused(part, only, error.reason));
        return;
      }
      const half = new Set(issues.slice(0, Math.ceil(issues.length / 2)));
      for (const isFirst of [true, false]) {
        const part = draftsWith(parts, (issue) => half.has(issue) === isFirst);
        await this.#drawPart(apart, part);
      }
    }
  }

  async #write(session: SqlSession, write: Write, drafts: readonly Draft[]): Promise<void> {
    const items: WriterItem<unknown>[] = [];
    for (const [issue, answer] of drafts.flatMap(({ reply }) => [...(reply?.answers ?? [])])) {
      if (answer.kind !== 'DRAWN') continue;
      const document = issue.attached?.document;
      for (const issued of answer.drawn.numbers) items.push({ document, issued });
    }
    if (items.length === 0) return;
    const { writerTimeoutMs } = this.#options;
    try {
      await settleBy(write(session, items), Deadline.after(writerTimeoutMs), () => new BusyError());
    } catch (error) {
      // A deadlock or a server that goes down is nobody's document: the whole batch is repeated.
      if (error instanceof BusyError || isNobodysFault(error)) throw error;
      // Its caller knows the errors of their own driver.
      throw new WriteRefused(error instanceof PostgresFailure ? (error.cause ?? error) : error);
    }
  }
}

/** Of what a writer threw: whether PostgreSQL said it, and not of its document. */
function isNobodysFault(error: unknown): boolean {
  if (error instanceof PostgresFailure) return isPassing(error);
  return sqlStateOf(error) !== undefined && isPassing(postgresFailure(error, true));
}

const isPassing = ({ kind, constraint, isUnprepared }: PostgresFailure): boolean =>
  // A pooler that lost the writer's named statement: the transaction runs again without names.
  isUnprepared || (kind !== 'REFUSED' && kind !== 'MISCONFIGURED' && constraint === undefined);

const sqlStateOf = (error: unknown): string | undefined => {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};

const run = (session: SqlSession, text: string) => session.query({ text, values: [] });

/** A batch that is drawn in parts, in one transaction. */
interface Apart {
  readonly session: SqlSession;
  readonly write: Write;
  readonly whole: Batch;
  /** What the parts have answered so far, by counter. */
  readonly replies: Map<string, DraftReply>;
  /** Whether a part that was kept carries the head of the batch. */
  hasHead: boolean;
}

/** The writer threw; what it threw is for the caller of the document at fault. */
class WriteRefused extends Error {
  constructor(readonly reason: unknown) {
    super('A writer threw', { cause: reason });
  }
}

function keep(apart: Apart, { counter, reply }: Draft): void {
  if (!reply) return;
  const { key } = counter.address;
  const before = apart.replies.get(key);
  if (reply.numberCount > 0) apart.hasHead = true;
  const kept = {
    ...(before && reply.kind === 'SKIPPED' ? before : reply),
    kind: before && before.kind !== 'GRANTED' ? before.kind : reply.kind,
    numberCount: (before?.numberCount ?? 0) + reply.numberCount,
    answers: new Map([...(before?.answers ?? []), ...reply.answers]),
  };
  apart.replies.set(key, kept);
}

/** The reply of a part that was rolled back: the counter stands where it stood. */
function refused(draft: Draft, issue: PendingIssue, error: unknown): Draft {
  const { reply } = draft;
  if (!reply) return draft;
  const { version, last } = reply.position;
  const position = { version: version - 1, last: last - issue.count };
  const answers = new Map([[issue, { kind: 'FAILED' as const, error }]]);
  return { ...draft, reply: { ...reply, position, numberCount: 0, answers } };
}
