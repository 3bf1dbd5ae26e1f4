import {
  type Attributes,
  context,
  createContextKey,
  isSpanContextValid,
  type SpanContext,
  SpanKind,
  trace,
} from '@opentelemetry/api';

const tracer = trace.getTracer('solegate-gateway');
/** The context key that SDKs check before they record; they find it by name. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

export interface SharedCommit {
  readonly durationMs: number;
  /** Spans of the requests that it served, as returned by `spanOfCaller`. */
  readonly origins: readonly unknown[];
  readonly attributes: Attributes;
}

/** Returns the span to which a shared commit is linked; undefined if nothing is recorded. */
export function spanOfCaller(): SpanContext | undefined {
  return trace.getActiveSpan()?.spanContext();
}

/**
 * Records a separate span for a commit that several requests share: a root span with a link to each of them. Without an
 * OpenTelemetry SDK in the process, nothing is recorded.
 */
export function recordSharedCommit(name: string, { durationMs, origins, attributes }: SharedCommit): void {
  const endTime = Date.now();
  const links = [...new Set(origins as readonly SpanContext[])].flatMap((origin) =>
    isSpanContextValid(origin) ? [{ context: origin }] : [],
  );
  const startTime = endTime - durationMs;
  tracer.startSpan(name, { kind: SpanKind.INTERNAL, startTime, attributes, links, root: true }).end(endTime);
}

/**
 * Starts background work (sweeps, probes, renewals) that never records spans, not even through the instrumentation of
 * the store clients. Metrics cover it instead.
 */
export function untraced<Result>(start: () => Result): Result {
  return context.with(context.active().setValue(SUPPRESSED, true), start);
}
