import type { RequestContext } from '../graphql/request-context.js';
import type { Identity } from '../identity/identity.js';
import { checkAccess, type OperationAccess, weightOf } from '../identity/operation-access.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * How often an event is executed for one person without points. A page has a few subscriptions; thousands of them, each
 * with another document, would multiply every event.
 */
const FREE_EXECUTIONS = 10;
/** Parsing and validating a new document costs one point for this many characters. */
const CHARACTERS_PER_POINT = 2_000;

/**
 * Rate limits and role checks for every operation on every transport, before any resolver runs. Rejected work costs
 * points too: a document is charged before it is parsed, and the rest of the operation's weight before the role check.
 */
export class Admission {
  constructor(private readonly rateLimiter: RateLimiter | undefined) {}

  /** Whether rates are counted across all gateways; also true without a rate limit. */
  get isCountingTogether(): boolean {
    return this.rateLimiter === undefined || this.rateLimiter.circuitState === 'CLOSED';
  }

  /** Charges one point for a malformed or unauthenticated request. @throws {GatewayError} RATE_LIMITED */
  refused(address: string): Promise<void> {
    return this.messages(1, { address });
  }

  /** Charges messages that are not operations. @throws {GatewayError} RATE_LIMITED */
  async messages(
    points: number,
    { identity, address }: { readonly identity?: Identity | undefined; readonly address: string },
  ): Promise<void> {
    await this.rateLimiter?.spend({ subject: identity && String(identity.subjectId), address }, points);
  }

  /**
   * Charges one execution of an event for a subscription.
   *
   * @param executionCount how often this event was executed for this person before
   * @throws {GatewayError} RATE_LIMITED
   */
  event(executionCount: number, caller: RequestContext): Promise<void> | undefined {
    return executionCount < FREE_EXECUTIONS ? undefined : this.messages(1, caller);
  }

  /** Charges for a new document before it is parsed. @returns the points charged @throws {GatewayError} RATE_LIMITED */
  async reading(text: string, { identity, address }: RequestContext): Promise<number> {
    const points = 1 + Math.floor(text.length / CHARACTERS_PER_POINT);
    await this.rateLimiter?.spend({ subject: String(identity.subjectId), address }, points);
    return points;
  }

  /**
   * Charges the operation and checks its roles. Returns undefined if there is nothing to await.
   *
   * @param spent points already charged for reading the document
   * @throws {GatewayError} RATE_LIMITED, FORBIDDEN
   */
  admit(
    access: OperationAccess,
    variables: Readonly<Record<string, unknown>> | undefined,
    { identity, address, about }: RequestContext,
    spent: number,
  ): Promise<void> | undefined {
    about.operation = access.name;
    if (!this.rateLimiter) {
      checkAccess(access, identity);
      return undefined;
    }
    const who = { subject: String(identity.subjectId), address };
    return this.rateLimiter
      .spend(who, weightOf(access, variables), spent)
      .then(() => checkAccess(access, identity));
  }
}
