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

/** Beside the writer's own time: for the draw, and between the end of our patience and that of its statement. */
const ENDING_MS = 1500;

/** Writers by name. A batch is drawn, written and committed together; when a writer refuses, the round halves the batch. */
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
    const { database, writerTimeoutMs } = this.#options;
    return (batch, deadline) => {
      // When this process has given a writer up, PostgreSQL soon ends its statement and frees the counters.
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
      // A deadlock or a server that goes down is nobody's document: the whole batch is repeated.
      if (error instanceof BusyError || isNobodysFault(error)) throw error;
      // Its caller knows the errors of their own driver.
      throw new WriteRefused(error instanceof PostgresFailure ? (error.cause ?? error) : error);
    }
  }
}

/** Of what a writer threw: whether PostgreSQL said it, and not of its document. */
function isNobodysFault(error: unknown): boolean {
  const failure = postgresFailureIn(error);
  // What a writer's own connection to something else met is its document's.
  if (!failure || (failure !== error && failure.sqlState === undefined)) return false;
  const { kind, constraint } = failure;
  return kind !== 'REFUSED' && kind !== 'MISCONFIGURED' && constraint === undefined;
}

/** The writer threw; what it threw is for the caller of the document at fault. */
export class WriteRefused extends Error {
  constructor(readonly reason: unknown) {
    super('A writer threw', { cause: reason });
  }
}
