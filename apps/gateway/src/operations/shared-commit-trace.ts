import { type Attributes, SpanKind, trace } from '@opentelemetry/api';

const tracer = trace.getTracer('solegate-gateway');

/**
 * A span of its own for a commit that many requests share: it belongs to none of them. Without an OpenTelemetry SDK in the
 * process nothing is recorded.
 */
export function recordSharedCommit(name: string, durationMs: number, attributes: Attributes): void {
  const endTime = Date.now();
  tracer
    .startSpan(name, {
      kind: SpanKind.INTERNAL,
      startTime: endTime - durationMs,
      attributes,
      root: true,
    })
    .end(endTime);
}
