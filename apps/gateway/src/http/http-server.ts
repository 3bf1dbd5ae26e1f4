import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import type { Admission } from '../budget/admission.js';
import { badInput } from '../errors/gateway-error.js';
import type { IncidentLog } from '../errors/incident-log.js';
import { httpStatusOf } from '../errors/public-code.js';
import { type PublicError, publicErrorOf } from '../errors/public-error.js';
import type { OperationReport } from '../operations/operation-report.js';
import { BODY_BYTES_MAX } from './body-budget.js';
import { SECURITY_HEADERS } from './security-headers.js';

const HEADERS_WITHIN_MS = 10_000;
/** How often Node.js checks for requests with overdue headers. */
const HEADERS_LOOK_MS = 1_000;
/** How long a client may take to read why its request could not be read. */
const REFUSED_MS = 2_000;
const REQUEST_ID = /^[\w.-]{1,64}$/;
const UNREAD = { about: { operation: 'unread' } };

export interface HttpServerOptions {
  readonly trustedProxies: readonly string[];
  readonly requestTimeoutMs: number;
  readonly incidents: IncidentLog;
  readonly admission: Admission;
  readonly report: OperationReport;
}

/** Creates a Fastify server with the limits and headers of every route. Errors are sent as GraphQL responses. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    http: {
      headersTimeout: HEADERS_WITHIN_MS,
      connectionsCheckingInterval: HEADERS_LOOK_MS,
      maxHeaderSize: 16_384,
    },
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // No route has a schema, and loading the schema compilers would take 100 ms.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    genReqId: ({ headers }) => requestIdOf(headers),
    clientErrorHandler: refuseUnread,
    frameworkErrors: (_error, _request, reply: unknown) => {
      void (reply as FastifyReply).code(400).send(bodyOf(notHttp('BAD_URL', 'The URL path is malformed.')));
    },
  });
  // Each request that waits on a connection listens for its end.
  app.server.on('connection', (socket: Socket) => socket.setMaxListeners(0));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    reply.header('x-request-id', request.id);
    // Otherwise the body would be read first.
    if (request.is404) reply.code(404).send(NO_SUCH_PATH);
    else done();
  });
  // Accept only JSON: content types that HTML forms can send are rejected with 415.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = publicErrorOf(await refusalOf(error, request, options), options.incidents, request.id);
    const body = bodyOf(refusal);
    const facts = { transport: 'http', durationMs: reply.elapsedTime } as const;
    options.report.ended({ ...UNREAD, requestId: request.id }, body, facts);
    if (refusal.retryAfterMs !== undefined) {
      reply.header('retry-after', Math.ceil(refusal.retryAfterMs / 1_000));
    }
    if (refusal.code === 'UNAUTHENTICATED') reply.header('www-authenticate', challengeOf(refusal));
    return reply.code(statusOf(error, refusal)).send(body);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(NO_SUCH_PATH));
  return app;
}

function noSchema(): never {
  throw new Error('a route has a schema; enable the schema compilers of Fastify');
}

/** Returns the request ID set by the client or load balancer if it is valid, else a new one. */
function requestIdOf(headers: Readonly<Record<string, unknown>>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Converts rejections by Fastify and its plugins (body too large, not JSON, a path outside the assets) to gateway errors
 * and charges a point for them. Other errors are returned unchanged.
 */
async function refusalOf(
  error: FastifyError,
  { ip }: FastifyRequest,
  { admission }: HttpServerOptions,
): Promise<unknown> {
  if (!isRefusalOfHttp(error)) return error;
  try {
    await admission.refused(ip);
  } catch (limited) {
    return limited;
  }
  const { code, message, statusCode = 400 } = error;
  if (code?.startsWith('FST_')) return badInput(code.replace(/^FST_(?:ERR_)?/, ''), message);
  // A plugin's own message can name a file.
  const problem = STATUS_CODES[statusCode] ?? 'Bad Request';
  return badInput(problem.toUpperCase().replace(/\W+/g, '_'), `${problem}: correct the request.`);
}

function isRefusalOfHttp({ statusCode = 500 }: FastifyError): boolean {
  return statusCode >= 400 && statusCode < 500;
}

function statusOf(error: FastifyError, refusal: PublicError): number {
  if (isRefusalOfHttp(error) && refusal.code === 'BAD_USER_INPUT') return error.statusCode ?? 400;
  return httpStatusOf(refusal.code) ?? 400;
}

/** Names the scheme, as 401 requires, and the error of RFC 6750 unless there was no token at all. */
function challengeOf({ reason }: PublicError): string {
  return reason === 'TOKEN_MISSING' ? 'Bearer' : 'Bearer error="invalid_token"';
}

/** The GraphQL response that consists of one error. */
export function bodyOf({ message, ...extensions }: PublicError): FormattedExecutionResult {
  return { errors: [{ message, extensions }] };
}

const NO_SUCH_PATH = bodyOf({
  message: 'There is nothing here; GraphQL is at POST /graphql.',
  code: 'NOT_FOUND',
  reason: 'NO_SUCH_PATH',
  retryable: false,
});

/** The refusal of a request that no operation was read from. */
export function notHttp(reason: string, message: string): PublicError {
  return { message, code: 'BAD_USER_INPUT', reason, retryable: false };
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, refusal: PublicError]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    {
      ...notHttp('REQUEST_INCOMPLETE', 'The request did not arrive in time; send it again.'),
      retryable: true,
    },
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    notHttp('HEADERS_TOO_LARGE', 'Headers are limited to 16 kB; send fewer.'),
  ],
};

/** Rejects what Node's parser could not read: there is no request to respond to, only a socket. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, refusal] = UNREADABLE[error.code ?? ''] ?? [
    '400 Bad Request',
    notHttp('BAD_HTTP', 'The request is not valid HTTP.'),
  ];
  socket.end(rawAnswer(status, refusal));
  // Nothing times out any more what Node.js has given up, and the client could keep its half open. It may still be sending,
  // which would take the response from it if the connection were closed at once.
  setTimeout(() => socket.destroy(), REFUSED_MS).unref();
}

/** Returns a raw HTTP response for a socket that Fastify does not manage. */
export function rawAnswer(status: string, refusal: PublicError): string {
  const body = JSON.stringify(bodyOf(refusal));
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
}
