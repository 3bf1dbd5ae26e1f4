import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FormattedExecutionResult } from 'graphql';

const tracer = trace.getTracer('solegate-gateway');
const NAME = /^(Query|Mutation|Subscription)\.(\w+)$/;
/** What the operator has to look at. A refusal of a request, and a lost race, are the gateway at work. */
const BREAKAGE = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN']);

/**
 * The server span of one operation. Without an OpenTelemetry SDK in the process nothing is recorded and nothing is
 * built for it; with one, the caller's `traceparent` is taken over and what the stores' instrumentations record becomes
 * a child. Documents, variables and messages never go into a span: they hold what people sent.
 */
export class OperationTrace {
  private constructor(private readonly span: Span) {}

  /** Runs the operation as the parent of whatever is recorded meanwhile. */
  static run<Result>(
    headers: IncomingHttpHeaders,
    operate: (traced: OperationTrace) => Promise<Result>,
  ): Promise<Result> {
    // An HTTP instrumentation has read the headers already: its span is the parent then.
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

  /** For the log line; undefined when nothing is recorded. */
  get traceId(): string | undefined {
    return this.span.isRecording() ? this.span.spanContext().traceId : undefined;
  }

  /** `operation` is the root field, such as `Mutation.acceptTrip`: one of the schema's, never what a client made up. */
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
 * Begins to watch a subscription whose begin is the active span. Calling the result records one more span, from now until then,
 * as its child; as long as it goes on, nothing is kept but when it began.
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

/** The member of the union, such as `TripTaken`, when the client asked for its name. */
function outcomeOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('__typename' in answer)) return undefined;
  return typeof answer.__typename === 'string' ? answer.__typename : undefined;
}
