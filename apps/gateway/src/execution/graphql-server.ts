import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { formattedErrorOf } from '../errors/public-error.js';
import type { RequestContext } from '../graphql/request-context.js';
import { type OperationGuardParts, operationGuard } from './operation-guard.js';
import { queryLimitRules, TOKEN_MAX } from './query-limits.js';

export interface GraphqlServerParts extends OperationGuardParts {
  readonly logger: Logger;
}

/** The GraphQL engine: it parses, validates, runs and formats; HTTP and WebSocket belong to others. */
export async function startGraphqlServer(
  schema: GraphQLSchema,
  options: { readonly introspection: boolean },
  parts: GraphqlServerParts,
): Promise<ApolloServer<RequestContext>> {
  const server = new ApolloServer<RequestContext>({
    schema,
    introspection: options.introspection,
    hideSchemaDetailsFromClientErrors: !options.introspection,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    // Circles of fragments are refused before the rules of query-limits.ts walk through them.
    maxRecursiveSelections: true,
    parseOptions: { maxTokens: TOKEN_MAX },
    validationRules: queryLimitRules(),
    formatError: ({ path, locations }, error) =>
      formattedErrorOf(error, parts.incidents, { ...(path && { path }), ...(locations && { locations }) }),
    logger: parts.logger,
    plugins: [
      operationGuard(parts),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
    ],
  });
  await server.start();
  return server;
}
