import { hash } from 'node:crypto';
import type { RequestContext } from '../graphql/request-context.js';
import type { KeptRequest } from './kept-requests.js';

/** What is executed of one event. */
interface Executions {
  readonly results: Map<string, Promise<string>>;
  /** How often, by the person whose subscription asked for it. */
  readonly counts: Map<bigint, number>;
}

/**
 * Two subscriptions of the same group get the same result for the same event.
 *
 * @param source what names the document and no other
 */
export function groupOf(
  source: string,
  { operationName, variables }: KeptRequest,
  { view }: RequestContext,
): string {
  return hash('sha256', JSON.stringify([source, operationName, variables, view]), 'base64url');
}

export interface SharedResultCall {
  /** Subscriptions of one group get the same result. */
  readonly group: string;
  readonly subjectId: bigint;
  /**
   * Called before each execution with how many of this event the person has caused before. If it rejects, only this
   * subscription fails.
   */
  readonly charge: (executionCount: number) => Promise<void> | undefined;
  readonly make: () => Promise<string>;
}

/**
 * Results of events that several subscriptions receive. A result is made once for each group of subscriptions and lives
 * as long as its event, that is, until the slowest of them has read it.
 */
export class SharedResults {
  readonly #byEvent = new WeakMap<object, Executions>();

  /** Returns the result for the group, made unless another subscription of the group has asked before. */
  async of(event: unknown, { group, subjectId, charge, make }: SharedResultCall): Promise<string> {
    if (typeof event !== 'object' || event === null) return make();
    let executions = this.#byEvent.get(event);
    if (executions === undefined) {
      executions = { results: new Map(), counts: new Map() };
      this.#byEvent.set(event, executions);
    }
    const { results, counts } = executions;
    for (let known = results.get(group); known !== undefined; known = results.get(group)) {
      try {
        return await known;
      } catch {
        // The person who asked for it could not pay.
      }
    }
    const count = counts.get(subjectId) ?? 0;
    counts.set(subjectId, count + 1);
    const own = Promise.resolve(charge(count)).then(make);
    results.set(group, own);
    own.catch(() => results.delete(group));
    return own;
  }
}
