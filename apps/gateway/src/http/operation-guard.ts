import type { ApolloServerPlugin, GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import type { IncidentLog } from '../errors/incident-log.js';
import { publicErrorOf } from '../errors/public-error.js';
import { checkAccess, operationAccess } from '../identity/operation-access.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { RequestContext } from './request-context.js';

type Request = GraphQLRequestContext<RequestContext>;

/** What every operation passes before a resolver runs: the roles of the caller, then his rate. */
export function operationGuard(
  incidents: IncidentLog,
  rateLimiter: RateLimiter | undefined,
): ApolloServerPlugin<RequestContext> {
  const guard: GraphQLRequestListener<RequestContext> = {
    async didResolveOperation({ document, operation, contextValue }: Request) {
      if (document === undefined || operation === undefined) return;
      const { identity, address, about } = contextValue;
      const access = operationAccess(document, operation);
      about.operation = access.name;
      checkAccess(access, identity);
      await rateLimiter?.spend({ subject: String(identity.subjectId), address }, access.weight);
    },
    /** Here the request is known; the formatter finds the incident again. */
    async didEncounterErrors({ errors = [], contextValue }: Request) {
      for (const error of errors) publicErrorOf(error, incidents, contextValue.requestId);
    },
  };
  return { requestDidStart: async () => guard };
}
