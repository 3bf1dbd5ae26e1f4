import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { formattedErrorOf } from '../errors/public-error.js';
import { queryLimitRules, TOKEN_MAX } from '../limits/query-limits.js';
import { type OperationPluginParts, operationPlugin } from './operation-plugin.js';
import type { RequestContext } from './request-context.js';

/**
 * The GraphQL engine: it parses, validates, runs and formats; HTTP and WebSocket belong to others. Batches, mutations
 * by GET and content types that a browser sends across sites are refused by Apollo's own rules.
 */
export async function startGraphqlServer(
  schema: GraphQLSchema,
  options: { readonly introspection: boolean },
  parts: OperationPluginParts,
): Promise<ApolloServer<RequestContext>> {
  const server = new ApolloServer<RequestContext>({
    schema,
    introspection: options.introspection,
    hideSchemaDetailsFromClientErrors: !options.introspection,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
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
      operationPlugin(parts),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
    ],
  });
  await server.start();
  return server;
}
