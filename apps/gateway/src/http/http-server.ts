import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { GatewayError } from '../errors/gateway-error.js';
import type { IncidentLog } from '../errors/incident-log.js';
import { httpStatusOf } from '../errors/public-code.js';
import { type PublicError, publicErrorOf } from '../errors/public-error.js';
import { securityHeaders } from './security-headers.js';

/** Room for an import of some thousand numbers. */
const BODY_BYTES_MAX = 1_000_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;

export interface HttpServerOptions {
  readonly trustedProxies: readonly string[];
  readonly requestTimeoutMs: number;
  readonly incidents: IncidentLog;
}

/** Fastify with the limits and headers of every route; whatever goes wrong is answered with JSON in the form of GraphQL. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384 },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
  });
  const headers = await securityHeaders();
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    done();
  });
  // JSON alone: whatever a form can send is refused with 415.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = publicErrorOf(refusalOfHttp(error), options.incidents, request.id);
    return reply.code(statusOf(error, refusal)).send(bodyOf(refusal));
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(
      bodyOf({
        message: 'There is nothing here; GraphQL is at POST /graphql.',
        code: 'NOT_FOUND',
        reason: 'NO_SUCH_PATH',
        retryable: false,
      }),
    ),
  );
  return app;
}

/** Fastify's own refusals (body too large, not JSON, another content type) become ours; other errors stay as they are. */
function refusalOfHttp(error: FastifyError): unknown {
  if (!isRefusalOfHttp(error)) return error;
  return new GatewayError({
    code: 'BAD_USER_INPUT',
    reason: error.code.replace(/^FST_(?:ERR_)?/, ''),
    message: error.message,
  });
}

function isRefusalOfHttp(error: FastifyError): boolean {
  const { statusCode, code } = error;
  return statusCode !== undefined && statusCode < 500 && typeof code === 'string' && code.startsWith('FST_');
}

function statusOf(error: FastifyError, refusal: PublicError): number {
  if (isRefusalOfHttp(error)) return error.statusCode ?? 400;
  return httpStatusOf(refusal.code) ?? 400;
}

function bodyOf({ message, ...extensions }: PublicError): object {
  return { errors: [{ message, extensions }] };
}
