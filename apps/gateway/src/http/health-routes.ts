import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../operations/readiness.js';

/** What balancers and supervisors ask: is the process alive, should it get requests. */
export function registerHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/health/live', async () => ({ status: 'ok' }));

  app.get('/health/ready', async (_request, reply) => {
    const reasons = readiness.reasons();
    // For people who watch: a balancer tolerates what is away for a moment.
    const away = Object.fromEntries(readiness.away().map(({ part, reason }) => [part, reason]));
    const watched = Object.keys(away).length === 0 ? {} : { away };
    if (Object.keys(reasons).length === 0) return { status: 'ready', ...watched };
    return reply.code(503).send({ status: 'not ready', reasons, ...watched });
  });
}

/** @param metricsText of this process, or of all workers, in Prometheus' text form */
export function registerMetricsRoute(app: FastifyInstance, metricsText: () => Promise<string>): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metricsText()),
  );
}
