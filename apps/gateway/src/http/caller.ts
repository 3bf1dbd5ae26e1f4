import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { Admission } from '../budget/admission.js';
import type { HeldBytes } from '../budget/held-bytes.js';
import type { OperationRunner } from '../execution/operation-runner.js';
import { type Feeds, RequestContext } from '../graphql/request-context.js';
import type { Authenticate, Identity } from '../identity/identity.js';
import type { OperationReport } from '../operations/operation-report.js';

/** What every transport serves its callers with. */
export interface CallerParts {
  readonly runner: OperationRunner;
  readonly admission: Admission;
  readonly authenticate: Authenticate;
  readonly report: OperationReport;
  readonly feeds: Feeds;
  readonly held: HeldBytes;
  readonly requestTimeoutMs: number;
}

/**
 * Authenticates the caller. Returns a plain value if there was nothing to await, as for a token in the cache. Failed
 * attempts cost points of the caller's address.
 *
 * @throws {GatewayError} UNAUTHENTICATED, as a rejection
 */
export function contextOf(
  request: FastifyRequest,
  parts: CallerParts,
): RequestContext | Promise<RequestContext> {
  const { headers, ip } = request;
  const demoUser = headers['x-demo-user'];
  try {
    const known = parts.authenticate({
      authorization: headers.authorization,
      demoUser: typeof demoUser === 'string' ? demoUser : undefined,
    });
    if (!(known instanceof Promise)) return contextFor(known, request, parts);
    return known.then(
      (identity) => contextFor(identity, request, parts),
      (refusal: unknown) => refuse(refusal, ip, parts),
    );
  } catch (refusal) {
    return refuse(refusal, ip, parts);
  }
}

async function refuse(refusal: unknown, address: string, { admission }: CallerParts): Promise<never> {
  await admission.refused(address);
  throw refusal;
}

function contextFor(identity: Identity, request: FastifyRequest, parts: CallerParts): RequestContext {
  const { socket } = request.raw;
  const lastEventId = request.headers['last-event-id'];
  return new RequestContext({
    identity,
    requestId: request.id,
    address: request.ip,
    feeds: parts.feeds,
    lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
    endsAtMs: performance.now() + parts.requestTimeoutMs,
    // Also after a refusal of what Node.js could not read in time.
    hasLeft: () => !socket.writable,
  });
}

/** Reads the caller's address, as reported by trusted proxies: for upgrades, what Fastify does for requests. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trust);
}
