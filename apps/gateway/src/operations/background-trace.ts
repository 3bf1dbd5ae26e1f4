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
/** The key that SDKs look at before they record; they find it by its name. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

export interface SharedCommit {
  readonly durationMs: number;
  /** Of the requests that it served, as `spanOfCaller` gave them. */
  readonly origins: readonly unknown[];
  readonly attributes: Attributes;
}

/** What a shared commit is linked to; undefined where nothing is recorded. */
export function spanOfCaller(): SpanContext | undefined {
  return trace.getActiveSpan()?.spanContext();
}

/**
 * A span of its own for a commit that many requests share: it belongs to none of them, and links lead to each. Without an
 * OpenTelemetry SDK in the process nothing is recorded.
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
 * Starts work that nobody asked for: looks at what is due, probes, renewals. Neither now nor later does it record a span, not
 * even of the statements that the stores' instrumentations see; what it does is counted.
 */
export function untraced<Result>(start: () => Result): Result {
  return context.with(context.active().setValue(SUPPRESSED, true), start);
}
