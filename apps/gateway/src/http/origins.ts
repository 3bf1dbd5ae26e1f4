import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { forbidden, type GatewayError } from '../errors/gateway-error.js';

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
/** Addresses as proxies write them. */
const LOOPBACK_ADDRESS = /^(?:::1|::ffff:127\.0\.0\.1)$/;
/** Headers in which proxies state who called them, and by which host name. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;
/** How long browsers cache a preflight response, in seconds. */
const REMEMBERED_S = 600;

/** What pages of an allowed origin may call, and how. */
const METHODS = { '/graphql': 'POST', '/export/document-numbers.csv': 'GET' };

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host);
}

/**
 * Whether a request was sent to a loopback name, and forwarded by proxies on this machine alone, such as a development
 * server: a tunnel can rewrite the host, and then states another address.
 */
export function isLoopbackRequest(headers: IncomingHttpHeaders): boolean {
  return (
    isLoopbackHost(headers.host) &&
    headers.forwarded === undefined &&
    FORWARDED.every((name) => headers[name] === undefined || isLoopbackPath(String(headers[name])))
  );
}

function isLoopbackPath(places: string): boolean {
  return places.split(',').every((place) => {
    const name = place.trim();
    return isLoopbackHost(name) || LOOPBACK_ADDRESS.test(name);
  });
}

/** Origins allowed to call this gateway. */
export class Origins {
  readonly #allowed: ReadonlySet<string>;

  /**
   * @param allowed origins such as `https://app.example.com`
   * @param demo whether to allow every loopback origin as well
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

  /** For requests without a preflight: programs send no origin, and pages may always reach their own host. */
  mayOpen({ origin, host }: IncomingHttpHeaders): boolean {
    if (origin === undefined || this.allows(origin)) return true;
    return URL.canParse(origin) && new URL(origin).host === host;
  }
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackHost(new URL(origin).host);
}

/**
 * Enables CORS for the allowed origins. Pages of other origins cannot send JSON without a preflight, which grants them
 * nothing. The gateway does not use cookies, so credentials are never allowed; tokens are sent in a header, so an allowed
 * page may send any header, such as those of tracing libraries. Preflights end here, before a body is read.
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
  for (const [path, method] of Object.entries(METHODS)) {
    app.options(path, {
      onRequest(request, reply) {
        const { origin, 'access-control-request-headers': headers } = request.headers;
        reply.header('vary', 'origin').header('allow', `${method}, OPTIONS`);
        if (origin !== undefined && origins.allows(origin)) {
          reply.header('access-control-allow-methods', method);
          if (headers !== undefined) reply.header('access-control-allow-headers', headers);
          reply.header('access-control-max-age', String(REMEMBERED_S));
        }
        reply.code(204).send();
      },
      handler: () => undefined,
    });
  }
}

/**
 * Rejects requests that do not come from this machine. Demo mode trusts every caller on loopback, and any web page can
 * make a browser reach loopback under the page's own host name (DNS rebinding), while a tunnel lets in strangers.
 */
export function acceptLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(isLoopbackRequest(headers) ? undefined : foreignHost());
  });
}

function foreignHost(): GatewayError {
  return forbidden(
    'FOREIGN_HOST',
    'In demo mode this gateway is reachable only from this machine, as localhost, 127.0.0.1 or [::1]; set AUTH_MODE=jwt for others.',
  );
}
