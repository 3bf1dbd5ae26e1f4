import type { FastifyRequest } from 'fastify';
import type { Admission } from '../execution/admission.js';
import type { Feeds } from '../graphql/feeds.js';
import { RequestContext } from '../graphql/request-context.js';
import type { Authenticate, Identity } from '../identity/identity.js';

export interface CallerParts {
  readonly admission: Admission;
  readonly authenticate: Authenticate;
  readonly feeds: Feeds;
  readonly requestTimeoutMs: number;
}

/** Who calls. Somebody who guesses tokens spends the points of their address. @throws {GatewayError} UNAUTHENTICATED */
export async function contextOf(request: FastifyRequest, parts: CallerParts): Promise<RequestContext> {
  const { headers, ip, id } = request;
  const demoUser = headers['x-demo-user'];
  let identity: Identity;
  try {
    const known = parts.authenticate({
      authorization: headers.authorization,
      demoUser: typeof demoUser === 'string' ? demoUser : undefined,
    });
    identity = known instanceof Promise ? await known : known;
  } catch (refusal) {
    await parts.admission.refused(ip);
    throw refusal;
  }
  const { socket } = request.raw;
  return new RequestContext({
    identity,
    requestId: id,
    address: ip,
    feeds: parts.feeds,
    endsAtMs: performance.now() + parts.requestTimeoutMs,
    hasLeft: () => socket.destroyed,
  });
}
