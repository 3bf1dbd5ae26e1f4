import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.js';
import type { Authenticate, Identity } from '../identity/identity.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { Feeds } from '../subscriptions/subscriptions.resolver.js';
import type { Loaders } from './loaders.js';
import { RequestContext } from './request-context.js';

export interface GraphqlRouteParts {
  readonly server: ApolloServer<RequestContext>;
  readonly authenticate: Authenticate;
  readonly rateLimiter: RateLimiter | undefined;
  readonly feeds: Feeds;
  readonly makeLoaders: () => Loaders;
  /** True while the gateway stops: connections are then given back with each answer. */
  readonly isDraining: () => boolean;
  readonly requestTimeoutMs: number;
}

/** The headers that Apollo looks at; copying the others costs each request and tells it nothing. */
const HEADERS = ['content-type', 'accept', 'apollo-require-preflight', 'x-apollo-operation-name'] as const;

/** POST and GET /graphql: who asks, then Apollo, within the time that a request may take. */
export function registerGraphqlRoute(app: FastifyInstance, parts: GraphqlRouteParts): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    handler: async (request, reply) => {
      const identity = await identityOf(request, parts);
      const context = new RequestContext(identity, request.id, request.ip, parts.feeds, parts.makeLoaders);
      const answer = await withinTime(run(request, context, parts.server), parts.requestTimeoutMs);
      if (parts.isDraining()) reply.header('connection', 'close');
      return send(reply, answer);
    },
  });
}

type Answer = Awaited<ReturnType<ApolloServer<RequestContext>['executeHTTPGraphQLRequest']>>;

function run(
  request: FastifyRequest,
  context: RequestContext,
  server: ApolloServer<RequestContext>,
): Promise<Answer> {
  const headers = new HeaderMap();
  for (const name of HEADERS) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const queryStart = request.url.indexOf('?');
  return server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers,
      search: queryStart < 0 ? '' : request.url.slice(queryStart),
      body: request.body,
    },
    context: async () => context,
  });
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.body.kind !== 'complete') throw new Error('incremental delivery is not part of this schema');
  for (const [name, value] of answer.headers) reply.header(name, value);
  return reply.code(answer.status ?? 200).send(answer.body.string);
}

/** Somebody who guesses tokens spends the points of his address. */
async function identityOf(request: FastifyRequest, parts: GraphqlRouteParts): Promise<Identity> {
  const demoUser = request.headers['x-demo-user'];
  try {
    return await parts.authenticate({
      authorization: request.headers.authorization,
      demoUser: typeof demoUser === 'string' ? demoUser : undefined,
    });
  } catch (refusal) {
    await parts.rateLimiter?.spend({ subject: undefined, address: request.ip }, 1);
    throw refusal;
  }
}

async function withinTime(work: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new GatewayError({
          code: 'OUTCOME_UNKNOWN',
          reason: 'REQUEST_TIMEOUT',
          message:
            'The request took too long. What it asked for may still happen; repeat it with the same key.',
          retryable: true,
          retryAfterMs: 500,
        }),
      );
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
