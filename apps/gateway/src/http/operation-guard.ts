import type { ApolloServerPlugin, GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { IncidentLog } from '../errors/incident-log.js';
import { publicErrorOf } from '../errors/public-error.js';
import { checkAccess, operationAccess } from '../identity/operation-access.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { KnownOperations } from './known-operations.js';
import type { RequestContext } from './request-context.js';

type Request = GraphQLRequestContext<RequestContext>;

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

export interface OperationGuardParts {
  readonly admit: Admit;
  readonly known: KnownOperations;
  readonly incidents: IncidentLog;
}

/** Admission of what Apollo reads itself; its document is known from then on. */
export function operationGuard(parts: OperationGuardParts): ApolloServerPlugin<RequestContext> {
  const { admit, known, incidents } = parts;
  const guard: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ source, document, operation, contextValue }: Request) {
      if (source === undefined || document === undefined || operation === undefined) return;
      known.learn(source, document);
      await admit(document, operation, contextValue);
    },
    /** Here the request is known; the formatter finds the incident again. */
    async didEncounterErrors({ errors = [], contextValue }: Request) {
      for (const error of errors) publicErrorOf(error, incidents, contextValue.requestId);
    },
  };
  return { requestDidStart: async () => guard };
}
