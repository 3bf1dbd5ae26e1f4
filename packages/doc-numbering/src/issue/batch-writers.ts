import {
  Deadline,
  PostgresFailure,
  postgresFailureIn,
  type SqlSession,
  settleBy,
} from '@solegate/postgres-infra';
import { BusyError, InvalidRequestError } from '../contract/numbering-error.js';
import type { WriteDocuments, WriterItem } from '../contract/requests.js';
import type { CommitOptions, DrawInCommit } from '../draw/commit-batch.js';
import type { DraftReply } from '../draw/draft.js';
import { draw } from '../draw/draw.js';
import type { PendingIssue } from './counter-queue.js';

type Write = WriteDocuments<unknown>;

/** Added to the writer's own time: for the draw, and for the delay between our timeout and that of its statement. */
const ENDING_MS = 1500;

/** The requests of a draft, in the order of its items. */
export interface RequestsOfDraft {
  readonly issues: readonly PendingIssue[];
}

/** Writers by name. A batch is drawn, written and committed as one; the round decides what to do if a writer fails. */
export class BatchWriters {
  readonly #options: CommitOptions;
  readonly #writers = new Map<string, Write>();

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  /** @throws InvalidRequestError if the name is taken */
  register<Document>(name: string, write: WriteDocuments<Document>): void {
    if (this.#writers.has(name)) throw new InvalidRequestError('name', `there is already a writer ${name}`);
    // Its documents only come through the writer that the caller gets, so they have its type.
    this.#writers.set(name, (session, items) => write(session, items as readonly WriterItem<Document>[]));
  }

  /**
   * Draws a batch and calls each writer once with its items, in the order of the writers' names, so that two rounds
   * lock the tables of several writers in the same order.
   */
  drawWith(writers: readonly string[], requests: readonly RequestsOfDraft[]): DrawInCommit {
    const { database, writerTimeoutMs } = this.#options;
    return (batch, deadline) => {
      // Once this process has given up on the writers, PostgreSQL soon ends their statements and frees the counters.
      const limited = deadline.atMost(writers.length * writerTimeoutMs + ENDING_MS);
      return database.transaction(limited, async (session) => {
        const replies = await draw(session, batch);
        for (const name of writers) await this.#write(session, name, itemsOf(name, requests, replies));
        return replies;
      });
    };
  }

  async #write(session: SqlSession, name: string, items: readonly WriterItem<unknown>[]): Promise<void> {
    if (items.length === 0) return;
    const write = this.#writers.get(name);
    if (!write) throw new InvalidRequestError('writer', `there is no writer ${name}`);
    try {
      const deadline = Deadline.after(this.#options.writerTimeoutMs);
      await settleBy(write(session, items), deadline, () => new BusyError());
    } catch (error) {
      if (error instanceof BusyError) throw new WriterFailed(name, 'STUCK', error);
      const failure = postgresFailureIn(error);
      if (isNobodysFault(failure, error)) {
        if (failure?.kind === 'BUSY') throw new WriterFailed(name, 'LOCKED', error);
        // No document causes a deadlock or a server shutdown: the whole batch is retried.
        throw error;
      }
      // Callers expect the errors of their own driver.
      const reason = error instanceof PostgresFailure ? (error.cause ?? error) : error;
      throw new WriterFailed(name, 'REFUSED', reason);
    }
  }
}

/** What a writer stores: the numbers that were drawn for its requests, with their documents. */
function itemsOf(
  name: string,
  requests: readonly RequestsOfDraft[],
  replies: readonly DraftReply[],
): WriterItem<unknown>[] {
  const items: WriterItem<unknown>[] = [];
  requests.forEach(({ issues }, at) => {
    issues.forEach(({ attached }, index) => {
      const answer = replies[at]?.answers[index];
      if (attached?.writer !== name || answer?.kind !== 'DRAWN') return;
      for (const issued of answer.drawn.numbers) items.push({ document: attached.document, issued });
    });
  });
  return items;
}

/** Whether an error thrown by a writer comes from PostgreSQL and is not caused by a document. */
function isNobodysFault(failure: PostgresFailure | undefined, error: unknown): boolean {
  // Errors of a writer's own connection to something else are attributed to its document.
  if (!failure || (failure !== error && failure.sqlState === undefined)) return false;
  const { kind, constraint } = failure;
  return kind !== 'REFUSED' && kind !== 'MISCONFIGURED' && constraint === undefined;
}

/**
 * A writer threw, because of one of its documents (`REFUSED`) or because a row or table that it needs is locked
 * (`LOCKED`), or it did not end in time (`STUCK`).
 */
export class WriterFailed extends Error {
  constructor(
    readonly writer: string,
    readonly kind: 'REFUSED' | 'LOCKED' | 'STUCK',
    readonly reason: unknown,
  ) {
    super(`The writer ${writer} failed`, { cause: reason });
  }
}
