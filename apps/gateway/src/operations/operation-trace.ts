import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FormattedExecutionResult } from 'graphql';

const tracer = trace.getTracer('solegate-gateway');
const NAME = /^(Query|Mutation|Subscription)\.(\w+)$/;
/** Codes that need an operator's attention. Rejected requests and lost races are normal operation. */
export const BREAKAGE = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN']);

/**
 * The server span of one operation. Without an OpenTelemetry SDK in the process, nothing is recorded or allocated for
 * it. With one, the span continues the caller's `traceparent`, and spans of the store clients become its children.
 * Spans never contain documents, variables or messages, because those contain user input.
 */
export class OperationTrace {
  private constructor(private readonly span: Span) {}

  /** Runs the operation with this span as the parent of all spans recorded meanwhile. */
  static run<Result>(
    headers: IncomingHttpHeaders,
    operate: (traced: OperationTrace) => Promise<Result>,
  ): Promise<Result> {
    // If HTTP instrumentation has already read the headers, its span is the parent.
    const active = context.active();
    const parent = trace.getSpan(active) === undefined ? propagation.extract(active, headers) : active;
    const span = tracer.startSpan('graphql', { kind: SpanKind.SERVER }, parent);
    const traced = new OperationTrace(span);
    if (!span.isRecording()) return operate(traced);
    return traced.#record(context.with(trace.setSpan(parent, span), () => operate(traced)));
  }

  async #record<Result>(operation: Promise<Result>): Promise<Result> {
    try {
      return await operation;
    } catch (error) {
      this.span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      this.span.end();
    }
  }

  /** The trace ID for the log line; undefined if nothing is recorded. */
  get traceId(): string | undefined {
    return this.span.isRecording() ? this.span.spanContext().traceId : undefined;
  }

  /** @param operation the root field, such as `Mutation.acceptTrip`: always from the schema, never client input */
  ended(operation: string, { data, errors }: FormattedExecutionResult): void {
    if (!this.span.isRecording()) return;
    const [, type, name] = NAME.exec(operation) ?? [];
    if (type !== undefined && name !== undefined) {
      this.span.updateName(`${type.toLowerCase()} ${name}`);
      this.span.setAttributes({
        'graphql.operation.type': type.toLowerCase(),
        'graphql.operation.name': name,
      });
    }
    const codes = errors?.map(({ extensions }) => String(extensions?.code)) ?? [];
    const breakage = codes.find((code) => BREAKAGE.has(code));
    const code = breakage ?? codes[0] ?? 'OK';
    this.span.setAttribute('solegate.code', code);
    const outcome = name === undefined ? undefined : outcomeOf(data?.[name]);
    if (outcome !== undefined) this.span.setAttribute('solegate.outcome', outcome);
    if (breakage === undefined) return;
    this.span.setAttribute('error.type', breakage);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

/**
 * Starts tracing a subscription. Calling the returned function records a span for its whole duration, as a child of the
 * span that is active now. Until then, only the start time and that context are kept.
 */
export function streamTrace(operation: string): (eventCount: number) => void {
  const begin = context.active();
  if (trace.getSpan(begin)?.isRecording() !== true) return () => undefined;
  const startTime = Date.now();
  const name = NAME.exec(operation)?.[2] ?? 'unknown';
  const attributes = { 'graphql.operation.type': 'subscription', 'graphql.operation.name': name };
  return (eventCount) => {
    const options = { startTime, attributes: { ...attributes, 'solegate.events': eventCount } };
    tracer.startSpan(`stream ${name}`, options, begin).end();
  };
}

/** Returns the union member, such as `TripTaken`, if the client requested `__typename`. */
function outcomeOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('__typename' in answer)) return undefined;
  return typeof answer.__typename === 'string' ? answer.__typename : undefined;
}
