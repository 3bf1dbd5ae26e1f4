import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors/gateway-error.js';

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
/** How long a browser remembers a permission, in seconds. */
const REMEMBERED_S = 600;
const HEADERS = 'authorization, content-type, x-demo-user, x-request-id, traceparent, tracestate';

export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host);
}

/** Which web pages may use this gateway. */
export class Origins {
  readonly #allowed: ReadonlySet<string>;

  /**
   * @param allowed origins such as `https://app.example.com`
   * @param demo whether every page that a loopback address serves may as well
   */
  constructor(
    allowed: readonly string[],
    private readonly demo: boolean,
  ) {
    this.#allowed = new Set(allowed);
  }

  allows(origin: string): boolean {
    return this.#allowed.has(origin) || (this.demo && isLoopbackOrigin(origin));
  }

  /** For what a browser does not ask about first: programs send no origin, and a page may always reach its own host. */
  mayOpen({
    origin,
    host,
  }: {
    readonly origin?: string | undefined;
    readonly host?: string | undefined;
  }): boolean {
    if (origin === undefined || this.allows(origin)) return true;
    return URL.canParse(origin) && new URL(origin).host === host;
  }
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackHost(new URL(origin).host);
}

/**
 * Lets pages of the allowed origins read the answers of `/graphql` (CORS). A page of another origin cannot send JSON
 * without asking first, and then gets no permission. Cookies mean nothing here, so credentials are never allowed; a
 * token goes in a header.
 */
export function allowOrigins(app: FastifyInstance, origins: Origins): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && origins.allows(origin)) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', 'x-request-id, retry-after');
      reply.header('vary', 'origin');
    }
    done();
  });
  app.options('/graphql', (request, reply) => {
    const { origin } = request.headers;
    reply.header('vary', 'origin').header('allow', 'POST, OPTIONS');
    if (origin !== undefined && origins.allows(origin)) {
      reply.header('access-control-allow-methods', 'POST');
      reply.header('access-control-allow-headers', HEADERS);
      reply.header('access-control-max-age', String(REMEMBERED_S));
    }
    return reply.code(204).send();
  });
}

/**
 * Demo mode trusts whoever reaches loopback, and every web page can make a browser reach it under a name of its own
 * (DNS rebinding). Such a request carries that name as its host and is refused.
 */
export function acceptLoopbackHostsOnly(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(isLoopbackHost(headers.host) ? undefined : foreignHost());
  });
}

function foreignHost(): GatewayError {
  return new GatewayError({
    code: 'FORBIDDEN',
    reason: 'FOREIGN_HOST',
    message: 'In demo mode this gateway answers as localhost or 127.0.0.1 only.',
  });
}
