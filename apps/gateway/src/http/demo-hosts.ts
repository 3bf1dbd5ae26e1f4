import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../errors/gateway-error.js';
import { isLoopbackHost } from './origins.js';

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
