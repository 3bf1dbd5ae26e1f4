import type { ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import { httpStatusOf } from '../errors/public-code.js';
import { Deadlines } from '../execution/deadlines.js';
import { type GraphqlRequest, readGraphqlRequest } from '../execution/graphql-request.js';
import type { KnownOperations } from '../execution/known-operations.js';
import type { RateLimiter } from '../execution/rate-limiter.js';
import type { Feeds } from '../graphql/feeds.js';
import { RequestContext } from '../graphql/request-context.js';
import type { Authenticate, Identity } from '../identity/identity.js';
import type { OperationReport } from '../operations/operation-report.js';
import { OperationTrace } from '../operations/operation-trace.js';

export interface GraphqlRouteParts {
  readonly server: ApolloServer<RequestContext>;
  readonly known: KnownOperations;
  readonly authenticate: Authenticate;
  readonly rateLimiter: RateLimiter | undefined;
  readonly report: OperationReport;
  readonly feeds: Feeds;
  /** True while the gateway stops: connections are then given back with each answer. */
  readonly isDraining: () => boolean;
  readonly requestTimeoutMs: number;
}

/** The media type that tells a status of its own for refused operations (GraphQL over HTTP). */
const RESPONSE_JSON = 'application/graphql-response+json';

/**
 * POST /graphql: who asks, then the operation, within the time that a request may take. Only JSON is read, which a page
 * of another site cannot send without asking first, and only by POST, so nothing here happens by following a link.
 * Apollo is asked for operations that are not known yet, and for these alone: its own reading of HTTP costs a small
 * mutation a tenth.
 */
export function registerGraphqlRoute(app: FastifyInstance, parts: GraphqlRouteParts): void {
  const deadlines = new Deadlines(parts.requestTimeoutMs);
  app.addHook('onClose', async () => deadlines.stop());

  app.post('/graphql', async (request, reply) => {
    const startedAtMs = performance.now();
    const operation = readGraphqlRequest(request.body);
    const identity = await identityOf(request, parts);
    const context = new RequestContext({
      identity,
      requestId: request.id,
      address: request.ip,
      feeds: parts.feeds,
    });
    const { result, status } = await OperationTrace.run(request.headers, async (traced) => {
      const outcome = await deadlines.within(run(operation, context, parts));
      traced.ended(context.about.operation, outcome.result);
      parts.report.ended(context, outcome.result, {
        durationMs: performance.now() - startedAtMs,
        traceId: traced.traceId,
      });
      return outcome;
    });
    if (parts.isDraining()) reply.header('connection', 'close');
    return send(request, reply, result, status);
  });

  app.get('/graphql', (_request, reply) =>
    reply
      .code(405)
      .header('allow', 'POST')
      .send({
        errors: [
          {
            message: 'Send operations by POST, as JSON.',
            extensions: { code: 'BAD_USER_INPUT', reason: 'POST_ONLY', retryable: false },
          },
        ],
      }),
  );
}

interface Outcome {
  readonly result: FormattedExecutionResult;
  readonly status: number;
}

async function run(
  operation: GraphqlRequest,
  context: RequestContext,
  { known, server }: GraphqlRouteParts,
): Promise<Outcome> {
  const answer = await known.run(operation, context);
  if (answer !== undefined) return { result: answer, status: statusOf(answer, undefined) };
  const { body, http } = await server.executeOperation(operation, { contextValue: context });
  if (body.kind !== 'single') throw new Error('incremental delivery is not part of this schema');
  const { singleResult: result } = body;
  return { result, status: statusOf(result, http.status) };
}

/** 200 when anything of what was asked came back; else what the first error says. */
function statusOf({ data, errors }: FormattedExecutionResult, statusOfApollo: number | undefined): number {
  const [first] = errors ?? [];
  if (first === undefined) return 200;
  const hasAnswer =
    data !== null && data !== undefined && Object.values(data).some((field) => field !== null);
  if (hasAnswer) return 200;
  const ownStatus = httpStatusOf(first.extensions?.code);
  if (ownStatus !== undefined) return ownStatus;
  return statusOfApollo === undefined || statusOfApollo >= 500 ? 400 : statusOfApollo;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { data, errors }: FormattedExecutionResult,
  status: number,
): FastifyReply {
  const retryAfterMs = errors?.[0]?.extensions?.retryAfterMs;
  if (typeof retryAfterMs === 'number') reply.header('retry-after', Math.ceil(retryAfterMs / 1_000));
  const type = request.headers.accept?.includes(RESPONSE_JSON) ? RESPONSE_JSON : 'application/json';
  return reply
    .code(status)
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify(errors === undefined ? { data } : { errors, data }));
}

/** Somebody who guesses tokens spends the points of his address. */
async function identityOf({ headers, ip }: FastifyRequest, parts: GraphqlRouteParts): Promise<Identity> {
  const demoUser = headers['x-demo-user'];
  try {
    return await parts.authenticate({
      authorization: headers.authorization,
      demoUser: typeof demoUser === 'string' ? demoUser : undefined,
    });
  } catch (refusal) {
    await parts.rateLimiter?.spend({ subject: undefined, address: ip }, 1);
    throw refusal;
  }
}
