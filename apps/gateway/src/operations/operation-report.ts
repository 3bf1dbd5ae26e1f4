import type { FormattedExecutionResult } from 'graphql';
import type { Logger } from 'pino';
import type { Counter, Histogram, Registry } from 'prom-client';
import type { RequestContext } from '../graphql/request-context.js';
import { counterOf, histogramOf, SECONDS } from './instruments.js';

/** The transport of an operation. */
type Transport = 'http' | 'sse' | 'websocket';

export interface OperationFacts {
  readonly transport: Transport;
  readonly durationMs: number;
  readonly traceId?: string | undefined;
}

/** What is known about a request even if only its headers were read. */
type Reported = Pick<RequestContext, 'about' | 'requestId'>;

/**
 * Records one measurement and one log line for each operation on every transport, including rejected ones. A
 * subscription is reported when it has started, and again when it has ended.
 */
export class OperationReport {
  readonly #durations: Histogram<'operation' | 'code'>;
  readonly #streams: Histogram<'operation'>;
  readonly #events: Counter<'operation'>;

  constructor(
    registry: Registry,
    private readonly logger: Logger,
  ) {
    this.#durations = histogramOf(registry, SECONDS)(
      'solegate_gateway_operation_seconds',
      'Time from the request to its response, by root field and code (OK if there was no error)',
      'operation',
      'code',
    );
    this.#streams = histogramOf(registry, [1, 10, 60, 600, 3_600, 36_000])(
      'solegate_gateway_subscription_seconds',
      'Duration of a subscription',
      'operation',
    );
    this.#events = counterOf(registry)(
      'solegate_gateway_subscription_events_total',
      'Events sent by subscriptions that have ended',
      'operation',
    );
  }

  ended({ about, requestId }: Reported, { errors }: FormattedExecutionResult, facts: OperationFacts): void {
    const { code = 'OK', reason, incidentId } = errors?.[0]?.extensions ?? {};
    const { operation } = about;
    this.#durations.observe({ operation, code: String(code) }, facts.durationMs / 1_000);
    if (!this.logger.isLevelEnabled('info')) return;
    this.logger.info({ requestId, operation, ...facts, code, reason, incidentId }, 'operation');
  }

  streamEnded(
    { about, requestId }: Reported,
    { durationMs, eventCount }: { readonly durationMs: number; readonly eventCount: number },
  ): void {
    const { operation } = about;
    this.#streams.labels(operation).observe(durationMs / 1_000);
    this.#events.labels(operation).inc(eventCount);
    this.logger.info({ requestId, operation, durationMs, eventCount }, 'subscription ended');
  }
}
