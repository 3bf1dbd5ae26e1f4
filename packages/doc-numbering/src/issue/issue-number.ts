import type { SqlSession } from '@solegate/postgres-infra';
import { checkWhole } from '../contract/check-request.js';
import type { IssueRequest, NumberPreview } from '../contract/issue-request.js';
import {
  ExhaustedError,
  InvalidRequestError,
  KeyReusedError,
  NumberingError,
} from '../contract/numbering-error.js';
import type { AttachedDocument, DrawnNumbers } from '../draw/draft.js';
import { findByKey } from '../draw/find-drawn.js';
import { counterKey, findCounters } from '../draw/open-counters.js';
import { type IssueFacts, isSameRequest, toIssueFacts } from '../request/issue-facts.js';
import type { AddressWithFields, RequestResolver } from '../request/request-resolver.js';
import type { IssuedAddress } from '../request/resolved-request.js';
import { counterName, type ResolvedRequest } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import type { IssueQueue } from './issue-queue.js';

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
    const facts = toIssueFacts(request, {
      count,
      hasDocument,
      document: attached?.document,
      ...(reservation ? { reservation } : {}),
    });
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
    const { key } = facts;
    if (key === undefined) return undefined;
    const found = await findByKey(call.reading, { space: request.space, key });
    if (!found) return undefined;
    if (!isSameRequest(facts, found.replay.fingerprint)) throw new KeyReusedError(key);
    return { address: found.address, drawn: found.replay.numbers };
  }
}

/** The next number as it looks now: no lock, nothing taken, nothing promised. @throws NumberingError as issuing would */
export async function previewNumber(
  session: SqlSession,
  request: AddressWithFields,
  resolver: RequestResolver,
): Promise<NumberPreview> {
  const resolved = await resolver.resolve(request);
  const counter = (await findCounters(session, [resolved])).counters.get(counterKey(resolved));
  const sequence = counter ? counter.position.last + 1 : resolved.series.startAt;
  if (sequence > resolved.ceiling) throw new ExhaustedError(counterName(resolved), resolved.ceiling);
  return {
    number: resolved.format.render(resolved.affixes, sequence),
    sequence,
    period: resolved.period,
    formatVersion: resolved.format.facts.version,
    promised: false,
  };
}
