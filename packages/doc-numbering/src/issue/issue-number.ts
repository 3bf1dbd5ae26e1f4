import { settleBy } from '@solegate/postgres-infra';
import { type IssueFacts, type IssueOptions, toIssueFacts } from '../contract/checks.js';
import {
  BusyError,
  DateOrderError,
  ExhaustedError,
  InvalidRequestError,
  NumberingError,
} from '../contract/numbering-error.js';
import type { IssueRequest, NumberPreview } from '../contract/requests.js';
import type { DrawnNumbers } from '../draw/draft.js';
import type { RequestResolver } from '../request/request-resolver.js';
import { counterName, type ResolvedRequest } from '../request/resolved-request.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { findCounters } from './counter-floors.js';
import { findReplay } from './find-replay.js';
import type { IssueQueue } from './issue-queue.js';

interface UnderWay {
  readonly facts: IssueFacts;
  readonly drawn: Promise<DrawnNumbers>;
}

const ignore = (): void => undefined;

/**
 * Issues numbers in their own commits. Invalid requests are refused before they are queued. If the key of a request is
 * pending in this process, the call waits for that result. A key that was used before is found by the drawing
 * statement, or here, if the current rules would refuse what they once allowed.
 */
export class NumberIssuer {
  readonly #options: { readonly resolver: RequestResolver; readonly queue: IssueQueue };
  readonly #underWay = new Map<string, UnderWay>();

  constructor(options: { readonly resolver: RequestResolver; readonly queue: IssueQueue }) {
    this.#options = options;
  }

  /** @throws NumberingError */
  async issue(call: DatabaseCall, request: IssueRequest, options: IssueOptions = {}): Promise<DrawnNumbers> {
    const { count = 1, attached } = options;
    const facts = toIssueFacts(request, options);
    if (facts.id !== undefined && count > 1) {
      throw new InvalidRequestError('id', 'names one ledger row; several numbers cannot share it');
    }
    const { resolver, queue } = this.#options;
    const draw = async (): Promise<DrawnNumbers> => {
      let resolved: ResolvedRequest;
      try {
        resolved = await resolver.resolve(request, call);
      } catch (error) {
        const replay =
          error instanceof NumberingError ? await findReplay(call.reading, request, facts) : undefined;
        if (!replay) throw error;
        return replay;
      }
      const { deadline } = call;
      return queue.issue({ request, resolved, facts, count, attached, deadline });
    };
    if (facts.key === undefined) return draw();
    const name = `${request.space}\n${facts.key}`;
    const late = () => new BusyError();
    for (let other = this.#other(name, facts); other; other = this.#other(name, facts)) {
      // Whose key it is, only the ledger knows: the other request might be refused for it.
      const ended = other.drawn.then(ignore, ignore);
      await settleBy(ended, call.deadline, late);
    }
    return this.#drawOnce(name, facts, draw);
  }

  /** A pending request for something else with the same key. */
  #other(name: string, { fingerprint }: IssueFacts): UnderWay | undefined {
    const pending = this.#underWay.get(name);
    return pending?.facts.fingerprint === fingerprint ? undefined : pending;
  }

  async #drawOnce(name: string, facts: IssueFacts, draw: () => Promise<DrawnNumbers>): Promise<DrawnNumbers> {
    const same = this.#underWay.get(name);
    if (same) {
      const { numbers, reservation } = await same.drawn;
      return { numbers: numbers.map((number) => ({ ...number, replayed: true })), reservation };
    }
    const drawn = draw();
    this.#underWay.set(name, { facts, drawn });
    try {
      return await drawn;
    } finally {
      this.#underWay.delete(name);
    }
  }
}

/**
 * Returns the next number at this moment, without lock, draw or guarantee. The rules are read: no draw would notice that
 * those in memory are out of date.
 *
 * @throws NumberingError as issuing would
 */
export async function previewNumber(
  call: DatabaseCall,
  request: Parameters<RequestResolver['resolve']>[0],
  resolver: RequestResolver,
): Promise<NumberPreview> {
  const resolved = await resolver.resolve(request, { deadline: call.deadline, isStale: true });
  const [counter] = await findCounters(call.reading, [resolved]);
  const { series, date } = resolved;
  if (series.dateOrder && counter?.lastDate !== undefined && date < counter.lastDate)
    throw new DateOrderError(date, counter.lastDate);
  const sequence = counter ? counter.last + 1 : series.startAt;
  if (sequence > resolved.ceiling) throw new ExhaustedError(counterName(resolved), resolved.ceiling);
  return {
    number: resolved.format.render(resolved.affixes, sequence),
    sequence,
    period: resolved.period,
    formatVersion: resolved.format.facts.version,
    promised: false,
  };
}
