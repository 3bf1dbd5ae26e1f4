import { Histogram, type Registry } from 'prom-client';

/** Requests by operation and code: how many and how long. */
export class OperationMetrics {
  readonly #durations: Histogram<'operation' | 'code'>;

  constructor(registry: Registry) {
    this.#durations = new Histogram({
      name: 'solegate_gateway_operation_seconds',
      help: 'Time from the request to its response, by root field and code (OK when nothing was refused)',
      labelNames: ['operation', 'code'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    });
  }

  /** @param operation from the schema, never from the request: labels must stay few */
  observe(operation: string, code: string, durationMs: number): void {
    this.#durations.labels(operation, code).observe(durationMs / 1_000);
  }
}
