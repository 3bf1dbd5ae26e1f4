import type { FastifyInstance } from 'fastify';
import type { PromiseStatus } from '../operations/promise-table.js';
import type { Readiness } from '../operations/readiness.js';

/** Liveness and readiness, for load balancers and supervisors. */
export function registerHealthRoutes(
  app: FastifyInstance,
  readiness: Readiness,
  promises: () => readonly PromiseStatus[],
): void {
  app.get('/health/live', async () => ({ status: 'ok' }));

  app.get('/health/ready', async (_request, reply) => {
    const reasons = readiness.reasons();
    // Information for operators; short outages do not affect readiness.
    const away = Object.fromEntries(readiness.away().map(({ part, reason }) => [part, reason]));
    const body = { ...(Object.keys(away).length > 0 && { away }), promises: promises() };
    if (Object.keys(reasons).length === 0) return { status: 'ready', ...body };
    return reply.code(503).send({ status: 'not ready', reasons, ...body });
  });
}

/** @param metricsText returns the metrics of this process, or of all workers, in the Prometheus text format */
export function registerMetricsRoute(app: FastifyInstance, metricsText: () => Promise<string>): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metricsText()),
  );
}
