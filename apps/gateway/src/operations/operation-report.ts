import type { FormattedExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { RequestContext } from '../graphql/request-context.js';

/** One measurement and one log line for each operation over HTTP. */
export class OperationReport {
  readonly #durations: Histogram<'operation' | 'code'>;

  constructor(
    registry: Registry,
    private readonly logger: Logger,
  ) {
    this.#durations = new Histogram({
      name: 'solegate_gateway_operation_seconds',
      help: 'Time from the request to its response, by root field and code (OK when nothing was refused)',
      labelNames: ['operation', 'code'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    });
  }

  ended(
    { about, requestId }: RequestContext,
    { errors }: FormattedExecutionResult,
    { durationMs, traceId }: { readonly durationMs: number; readonly traceId: string | undefined },
  ): void {
    const { code = 'OK', reason, incidentId } = errors?.[0]?.extensions ?? {};
    const { operation } = about;
    this.#durations.labels(operation, String(code)).observe(durationMs / 1_000);
    if (!this.logger.isLevelEnabled('info')) return;
    this.logger.info({ requestId, traceId, operation, durationMs, code, reason, incidentId }, 'operation');
  }
}
