import {
  Deadline,
  PostgresFailure,
  postgresFailureIn,
  type SqlSession,
  settleBy,
} from '@solegate/postgres-infra';
import { BusyError, InvalidRequestError, SealRefusedError } from '../contract/numbering-error.js';
import type { WriteDocuments, WriterItem } from '../contract/requests.js';
import type { ChainRules, WriterOptions } from '../contract/seals.js';
import type { CommitOptions, DrawInCommit } from '../draw/commit-batch.js';
import type { DraftReply } from '../draw/draft.js';
import {
  type Chained,
  chained,
  drawAndLock,
  ItemSeals,
  type ItemToSeal,
  isChainHeld,
} from '../seal/seal-items.js';
import type { PendingIssue } from './counter-queue.js';

interface Writer {
  readonly write: WriteDocuments<unknown>;
  readonly chain: ChainRules<unknown> | undefined;
}

/** Added to the writer's own time: for the draw, and for the delay between our timeout and that of its statement. */
const ENDING_MS = 1500;
/** Wait for a chain: whoever holds it is about to commit. */
const CHAIN_WAIT_MS = 1000;

type Chains = ReadonlyMap<PendingIssue, Chained>;

/** The requests of a draft, in the order of its items. */
export interface RequestsOfDraft {
  readonly issues: readonly PendingIssue[];
}

/** Writers by name. A batch is drawn, written and committed as one; the round decides what to do if a writer fails. */
export class BatchWriters {
  readonly #options: CommitOptions;
  readonly #writers = new Map<string, Writer>();

  constructor(options: CommitOptions) {
    this.#options = options;
  }

  /** @throws InvalidRequestError if the name is taken */
  register<Document>(
    name: string,
    write: WriteDocuments<Document>,
    { chain }: WriterOptions<Document> = {},
  ): void {
    if (this.#writers.has(name)) throw new InvalidRequestError('name', `there is already a writer ${name}`);
    // Its documents only come through the writer that the caller gets, so they have its type.
    this.#writers.set(name, { write, chain } as Writer);
  }

  /**
   * Draws a batch, seals what is chained, and calls each writer once with its items, in the order of the writers' names.
   * So any two rounds lock the counters, then the chains, then the tables of several writers in the same order.
   */
  drawWith(writers: readonly string[], requests: readonly RequestsOfDraft[]): DrawInCommit {
    const { database, writerTimeoutMs } = this.#options;
    return async (batch, deadline) => {
      let chains: Chains = new Map();
      try {
        chains = this.#chainsOf(requests);
        const waitMs = chains.size > 0 ? CHAIN_WAIT_MS : 0;
        // Once this process has given up on the writers, PostgreSQL soon ends their statements and frees the counters.
        const limited = deadline.atMost(writers.length * writerTimeoutMs + waitMs + ENDING_MS);
        const work = async (session: SqlSession) => {
          const names = [...chains.values()].map(({ chain }) => chain);
          const { replies, heads } = await drawAndLock(session, batch, { chains: names, waitMs });
          const drawn = drawnItems(requests, replies, chains);
          const seals = new ItemSeals(drawn, heads);
          const writing = this.#writeAll(session, writers, drawn, seals);
          try {
            return { replies, seals: seals.statement() };
          } finally {
            await writing;
          }
        };
        const { replies } = await database.transaction(limited, work, { last: ({ seals }) => seals });
        return replies;
      } catch (error) {
        if (error instanceof SealRefusedError) throw new WriterFailed(error.writer, 'REFUSED', error);
        const [first] = chains.values();
        throw first && isChainHeld(error) ? new WriterFailed(first.writer, 'LOCKED', error) : error;
      }
    };
  }

  /** The chains of those requests that have one. @throws SealRefusedError */
  #chainsOf(requests: readonly RequestsOfDraft[]): Chains {
    const chains = new Map<PendingIssue, Chained>();
    for (const issue of requests.flatMap(({ issues }) => issues)) {
      const { attached, resolved } = issue;
      const rules = attached && this.#writers.get(attached.writer)?.chain;
      if (!rules) continue;
      const { series: one, dimensions, period, date } = resolved;
      const issued = { space: one.space, series: one.series, dimensions, period, date };
      chains.set(issue, chained(attached.writer, rules, { document: attached.document, issued }));
    }
    return chains;
  }

  async #writeAll(
    session: SqlSession,
    writers: readonly string[],
    drawn: readonly ItemToSeal[],
    seals: ItemSeals,
  ): Promise<void> {
    for (const name of writers) {
      const own = drawn.filter(({ writer }) => writer === name);
      await this.#write(
        session,
        name,
        own.map((one) => writerItem(one, seals)),
      );
    }
  }

  async #write(session: SqlSession, name: string, items: readonly WriterItem<unknown>[]): Promise<void> {
    if (items.length === 0) return;
    const writer = this.#writers.get(name);
    if (!writer) throw new InvalidRequestError('writer', `there is no writer ${name}`);
    try {
      const deadline = Deadline.after(this.#options.writerTimeoutMs);
      await settleBy(writer.write(session, items), deadline, () => new BusyError());
    } catch (error) {
      if (error instanceof BusyError) throw new WriterFailed(name, 'STUCK', error);
      const failure = postgresFailureIn(error);
      if (isNobodysFault(failure, error)) {
        if (failure.kind === 'BUSY') throw new WriterFailed(name, 'LOCKED', error);
        // No document causes a deadlock or a server shutdown: the whole batch is retried.
        throw failure;
      }
      // Callers expect the errors of their own driver.
      const reason = error instanceof PostgresFailure ? (error.cause ?? error) : error;
      throw new WriterFailed(name, 'REFUSED', reason);
    }
  }
}

/** What was drawn for writers, in order. */
function drawnItems(
  requests: readonly RequestsOfDraft[],
  replies: readonly DraftReply[],
  chains: Chains,
): ItemToSeal[] {
  const items: ItemToSeal[] = [];
  requests.forEach(({ issues }, at) => {
    issues.forEach((issue, index) => {
      const { attached, facts } = issue;
      const answer = replies[at]?.answers[index];
      if (!attached || answer?.kind !== 'DRAWN') return;
      const { writer, document } = attached;
      const chained = chains.get(issue);
      for (const issued of answer.drawn.numbers)
        items.push({ writer, facts, chained, item: { document, issued } });
    });
  });
  return items;
}

/** What the writer gets of an item. */
function writerItem(drawn: ItemToSeal, seals: ItemSeals): WriterItem<unknown> {
  const { document, issued } = drawn.item;
  return {
    document,
    issued,
    get seal() {
      return seals.of(drawn);
    },
  };
}

/** Whether an error thrown by a writer comes from PostgreSQL and is not caused by a document. */
function isNobodysFault(failure: PostgresFailure | undefined, error: unknown): failure is PostgresFailure {
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
