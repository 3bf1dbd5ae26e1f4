import { checkWhole } from './check-request.js';
import type { DatabaseCall } from './database-call.js';
import { findByKey } from './find-by-key.js';
import { toIssueFacts } from './issue-facts.js';
import type { IssueQueue } from './issue-queue.js';
import type { IssueRequest } from './issue-request.js';
import type { IssuedAddress } from './issued-number.js';
import { InvalidRequestError, KeyReusedError, NumberingError } from './numbering-error.js';
import type { AttachedDocument, DrawnNumbers, IssueFacts } from './pending-issue.js';
import type { RequestResolver } from './request-resolver.js';
import type { ResolvedRequest } from './resolved-request.js';

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

interface Checked {
  readonly call: DatabaseCall;
  readonly request: IssueRequest;
  readonly facts: IssueFacts;
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
  readonly #underWay = new Map<string, KeyedIssue>();

  constructor(options: { resolver: RequestResolver; queue: IssueQueue }) {
    this.#resolver = options.resolver;
    this.#queue = options.queue;
  }

  /** @throws NumberingError */
  async issue(call: DatabaseCall, request: IssueRequest, options: IssueOptions = {}): Promise<IssueOutcome> {
    const count = checkWhole('count', options.count ?? 1, [1, 1000]);
    const { reservation, attached } = options;
    const hasDocument = attached !== undefined;
    const facts = toIssueFacts(request, { count, hasDocument, ...(reservation ? { reservation } : {}) });
    if (facts.id !== undefined && count > 1) {
      throw new InvalidRequestError('id', 'names one ledger row; several numbers cannot share it');
    }
    const checked = { call, request, facts, count, attached };
    return facts.key === undefined ? this.#issue(checked) : this.#issueOnce(checked);
  }

  async #issueOnce(checked: Checked): Promise<IssueOutcome> {
    const { request, facts } = checked;
    const name = `${request.space}\n${facts.key}`;
    const before = this.#underWay.get(name);
    if (before) {
      if (before.fingerprint !== facts.fingerprint) throw new KeyReusedError(facts.key ?? '');
      const { address, drawn } = await before.outcome;
      return { address, drawn: { ...drawn, replayed: true } };
    }
    const outcome = this.#issue(checked);
    this.#underWay.set(name, { fingerprint: facts.fingerprint, outcome });
    try {
      return await outcome;
    } finally {
      this.#underWay.delete(name);
    }
  }

  async #issue(checked: Checked): Promise<IssueOutcome> {
    const { call, request, facts, count, attached } = checked;
    let resolved: ResolvedRequest;
    try {
      resolved = await this.#resolver.resolve(request);
    } catch (error) {
      const replay = error instanceof NumberingError ? await this.#replay(checked) : undefined;
      if (!replay) throw error;
      return replay;
    }
    const { date } = resolved;
    const resolveAgain = async () =>
      this.#resolver.resolve({ ...request, date }, { anyPeriod: true, isStale: true });
    const { deadline } = call;
    const drawn = await this.#queue.issue({ resolved, facts, count, attached, deadline, resolveAgain });
    return { address: resolved, drawn };
  }

  async #replay({ call, request, facts }: Checked): Promise<IssueOutcome | undefined> {
    const { key, fingerprint } = facts;
    if (key === undefined) return undefined;
    const found = await findByKey(call.reading, { space: request.space, key });
    if (!found) return undefined;
    if (found.replay.fingerprint !== fingerprint) throw new KeyReusedError(key);
    return { address: found.address, drawn: found.replay.numbers };
  }
}
