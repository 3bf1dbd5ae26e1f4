import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../graphql/request-context.js';
import { checkAccess, operationAccess } from '../identity/operation-access.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * What every operation passes before a resolver runs: the roles of the caller, then his rate. Once for each request.
 *
 * @throws {GatewayError} FORBIDDEN, RATE_LIMITED
 */
export type Admit = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  context: RequestContext,
) => Promise<void>;

export function admission(rateLimiter: RateLimiter | undefined): Admit {
  return async (document, operation, { identity, address, about }) => {
    if (about.isAdmitted) return;
    const access = operationAccess(document, operation);
    about.operation = access.name;
    checkAccess(access, identity);
    await rateLimiter?.spend({ subject: String(identity.subjectId), address }, access.weight);
    about.isAdmitted = true;
  };
}
