import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Breaker } from '../breaking/breaker.js';
import { forbidden } from '../errors/gateway-error.js';

/** Headers that every proxy adds at least one of. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;
/** A page of another origin cannot send it without a preflight, which nothing grants. */
const ASKED_BY_CONSOLE = 'x-solegate-break';

/**
 * `/demo/break`: state, start and end of the attempts to break a demo gateway, and `/demo/break/redis`, which stops Redis.
 * Only for a caller on this machine, without any proxy.
 */
export function registerBreakRoutes(app: FastifyInstance, breaker: Breaker): void {
  const refuseOthers = async ({ headers }: { readonly headers: IncomingHttpHeaders }): Promise<void> => {
    if (headers[ASKED_BY_CONSOLE] === undefined || OF_PROXIES.some((name) => headers[name] !== undefined)) {
      throw forbidden(
        'NOT_THE_CONSOLE',
        'Open the console of this gateway on this machine, without a proxy.',
      );
    }
  };
  const route = (method: 'GET' | 'POST' | 'DELETE', path: string, act: () => Promise<void>): void => {
    app.route({
      method,
      url: `/demo/break${path}`,
      onRequest: refuseOthers,
      handler: async () => {
        await act();
        return breaker.state;
      },
    });
  };
  route('GET', '', async () => undefined);
  route('POST', '', () => breaker.start());
  route('DELETE', '', () => breaker.stop());
  route('POST', '/redis', () => breaker.stopRedis());
  app.addHook('onClose', () => breaker.stop());
}
