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
import type { Draft } from '../draw/counter-queue.js';
import { draw } from '../draw/draw.js';

type Write = WriteDocuments<unknown>;

/** Added to the writer's own time: for the draw, and for the delay between our timeout and that of its statement. */
const ENDING_MS = 1500;

/** Writers by name. A batch is drawn, written and committed as one; if a writer throws, the round halves the batch. */
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

  drawFor(name: string): DrawInCommit {
    const write = this.#writers.get(name);
    if (!write) throw new InvalidRequestError('writer', `there is no writer ${name}`);
    const { database, writerTimeoutMs } = this.#options;
    return (batch, deadline) => {
      // Once this process has given up on a writer, PostgreSQL soon ends its statement and frees the counters.
      const limited = deadline.atMost(writerTimeoutMs + ENDING_MS);
      return database.transaction(limited, async (session) => {
        await draw(session, batch, true);
        await this.#write(session, write, batch.drafts);
      });
    };
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
      // No document causes a deadlock or a server shutdown: the whole batch is retried.
      if (error instanceof BusyError || isNobodysFault(error)) throw error;
      // Callers expect the errors of their own driver.
      throw new WriteRefused(error instanceof PostgresFailure ? (error.cause ?? error) : error);
    }
  }
}

/** Whether an error thrown by a writer comes from PostgreSQL and is not caused by a document. */
function isNobodysFault(error: unknown): boolean {
  const failure = postgresFailureIn(error);
  // Errors of a writer's own connection to something else are attributed to its document.
  if (!failure || (failure !== error && failure.sqlState === undefined)) return false;
  const { kind, constraint } = failure;
  return kind !== 'REFUSED' && kind !== 'MISCONFIGURED' && constraint === undefined;
}

/** The writer threw; its error goes to the caller of the faulty document. */
export class WriteRefused extends Error {
  constructor(readonly reason: unknown) {
    super('A writer threw', { cause: reason });
  }
}
