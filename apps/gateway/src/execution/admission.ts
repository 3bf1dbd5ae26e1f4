import type { RequestContext } from '../graphql/request-context.js';
import { checkAccess, type OperationAccess, weightOf } from '../identity/operation-access.js';
import type { RateLimiter } from './rate-limiter.js';

/** Characters of a new document that cost one point to parse and validate. */
const CHARACTERS_PER_POINT = 2_000;

/**
 * What every operation passes before a resolver runs, whatever carried it. Work that is refused costs as well: reading a
 * document costs points before it is parsed, and the rest of the operation's weight is spent before its roles are looked at.
 */
export class Admission {
  constructor(private readonly rateLimiter: RateLimiter | undefined) {}

  /** Whether rates are counted with the other gateways; true as well where there is no limit. */
  get isCountingTogether(): boolean {
    return this.rateLimiter === undefined || this.rateLimiter.circuitState === 'closed';
  }

  /** A request that is not even a request, or a caller who could not say who they are. @throws {GatewayError} RATE_LIMITED */
  async refused(address: string): Promise<void> {
    await this.rateLimiter?.spend({ subject: undefined, address }, 1);
  }

  /** Before a new document is parsed. @returns the points that it cost @throws {GatewayError} RATE_LIMITED */
  async reading(text: string, { identity, address }: RequestContext): Promise<number> {
    const points = 1 + Math.floor(text.length / CHARACTERS_PER_POINT);
    await this.rateLimiter?.spend({ subject: String(identity.subjectId), address }, points);
    return points;
  }

  /**
   * @param spent what reading it has cost already
   * @returns undefined when nothing has to be awaited
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
