import type { ApolloServerPlugin, GraphQLRequestContext, GraphQLRequestListener } from '@apollo/server';
import type { IncidentLog } from '../errors/incident-log.js';
import { publicErrorOf } from '../errors/public-error.js';
import type { RequestContext } from '../graphql/request-context.js';
import type { Admit } from './admission.js';
import type { KnownOperations } from './known-operations.js';

type Request = GraphQLRequestContext<RequestContext>;

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
