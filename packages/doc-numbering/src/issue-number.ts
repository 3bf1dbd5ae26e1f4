import { checkWhole } from './check-request.js';
import { replayedNumbers } from './draw-reply.js';
import { findByKey } from './find-by-key.js';
import { toIssueFacts } from './issue-facts.js';
import type { IssueQueue } from './issue-queue.js';
import type { IssueRequest } from './issue-request.js';
import type { IssuedAddress } from './issued-number.js';
import {
  InvalidRequestError,
  KeyReusedError,
  NumberingClosedError,
  NumberingError,
} from './numbering-error.js';
import type { AttachedDocument, DrawnNumbers, IssueFacts } from './pending-issue.js';
import type { RequestResolver } from './request-resolver.js';
import type { ResolvedRequest } from './resolved-request.js';
import type { SqlSession } from './sql-session.js';

/** Numbers with the request they were drawn for. */
export interface IssueOutcome {
  readonly address: IssuedAddress;
  readonly drawn: DrawnNumbers;
}

export interface IssueOptions {
  /** 1 to 1,000. Default 1. */
  readonly count?: number;
  readonly reservation?: { readonly token: string; readonly holdMs: number };
  readonly attached?: AttachedDocument;
}

interface Rest {
  readonly count: number;
  readonly attached: AttachedDocument | undefined;
}

interface KeyedIssue {
  readonly fingerprint: string | undefined;
  readonly outcome: Promise<IssueOutcome>;
}

/**
 * Issues numbers in commits of their own. Everything that the request alone can get wrong is refused before it queues. A key
 * that is under way in this process is waited for; one that was used before is found by the statement that draws, or
 * here, when the rules of today would refuse what they allowed then.
 */
export class NumberIssuer {
  readonly #resolver: RequestResolver;
  readonly #queue: IssueQueue;
  readonly #database: SqlSession;
  readonly #underWay = new Map<string, KeyedIssue>();
  #pendingCount = 0;
  #isClosed = false;
  #idle: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;

  constructor(options: { resolver: RequestResolver; queue: IssueQueue; database: SqlSession }) {
    this.#resolver = options.resolver;
    this.#queue = options.queue;
    this.#database = options.database;
  }

  /** @throws NumberingError */
  async issue(request: IssueRequest, options: IssueOptions = {}): Promise<IssueOutcome> {
    if (this.#isClosed) throw new NumberingClosedError();
    this.#pendingCount += 1;
    try {
      return await this.#check(request, options);
    } finally {
      this.#pendingCount -= 1;
      if (this.#pendingCount === 0) this.#whenIdle?.();
    }
  }

  /** Refuses new requests; resolves when those under way are answered. May be called twice. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#idle ??= new Promise((resolve) => {
      this.#whenIdle = resolve;
      if (this.#pendingCount === 0) resolve();
    });
    return this.#idle;
  }

  async #check(request: IssueRequest, options: IssueOptions): Promise<IssueOutcome> {
    const count = checkWhole('count', options.count ?? 1, [1, 1000]);
    const { reservation, attached } = options;
    const facts = toIssueFacts(request, {
      count,
      ...(reservation ? { reservation } : {}),
      hasDocument: attached !== undefined,
    });
    if (facts.id !== undefined && count > 1) {
      throw new InvalidRequestError('id', 'names one ledger row; several numbers cannot share it');
    }
    if (facts.key === undefined) return this.#issue(request, facts, { count, attached });
    return this.#issueOnce(request, facts, { count, attached });
  }

  async #issueOnce(request: IssueRequest, facts: IssueFacts, rest: Rest): Promise<IssueOutcome> {
    const name = `${request.space}\n${facts.key}`;
    const before = this.#underWay.get(name);
    if (before) {
      if (before.fingerprint !== facts.fingerprint) throw new KeyReusedError(facts.key ?? '');
      const { address, drawn } = await before.outcome;
      return { address, drawn: { ...drawn, replayed: true } };
    }
    const outcome = this.#issue(request, facts, rest);
    this.#underWay.set(name, { fingerprint: facts.fingerprint, outcome });
    try {
      return await outcome;
    } finally {
      this.#underWay.delete(name);
    }
  }

  async #issue(request: IssueRequest, facts: IssueFacts, { count, attached }: Rest): Promise<IssueOutcome> {
    let resolved: ResolvedRequest;
    try {
      resolved = await this.#resolver.resolve(request);
    } catch (error) {
      const replay = error instanceof NumberingError ? await this.#replay(request, facts) : undefined;
      if (!replay) throw error;
      return replay;
    }
    const { date } = resolved;
    const resolveAgain = async () =>
      this.#resolver.resolve({ ...request, date }, { anyPeriod: true, isStale: true });
    const drawn = await this.#queue.issue({ resolved, facts, count, attached, resolveAgain });
    return { address: resolved, drawn };
  }

  async #replay(request: IssueRequest, { key, fingerprint }: IssueFacts): Promise<IssueOutcome | undefined> {
    if (key === undefined) return undefined;
    const found = await findByKey(this.#database, { space: request.space, key });
    const drawn = replayedNumbers(found.rows);
    if (!drawn || !found.address) return undefined;
    if (found.rows[0]?.fingerprint !== fingerprint) throw new KeyReusedError(key);
    return { address: found.address, drawn };
  }
}
