import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { recordSharedCommit, spanOfCaller, untraced } from '../src/operations/background-trace.js';
import { OperationTrace, streamTrace } from '../src/operations/operation-trace.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };

test('nothing is recorded without an SDK, and the operation runs', async () => {
  const outcome = await OperationTrace.run(CALLER, async (traced) => {
    traced.ended('Query.trip', { data: { trip: null } });
    return traced.traceId ?? 'no trace';
  });
  expect(outcome).toBe('no trace');
  expect(spanOfCaller()).toBeUndefined();
  recordSharedCommit('commit numbers', { durationMs: 1, origins: [], attributes: {} });
});

describe('with an SDK', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

  beforeAll(() => provider.register());
  beforeEach(() => exporter.reset());
  afterAll(() => provider.shutdown());

  test("an operation is one server span, a child of the caller's span and the parent of spans started in it", async () => {
    const traceId = await OperationTrace.run(CALLER, async (traced) => {
      trace.getTracer('a driver').startSpan('pg.query').end();
      traced.ended('Mutation.acceptTrip', { data: { acceptTrip: { __typename: 'TripAccepted' } } });
      return traced.traceId;
    });
    expect(traceId).toBe(TRACE_ID);
    const [query, operation] = exporter.getFinishedSpans();
    expect(operation).toMatchObject({ name: 'mutation acceptTrip', kind: SpanKind.SERVER });
    expect(operation?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(query?.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId);
    expect(exporter.getFinishedSpans()).toHaveLength(2);
  });

  test('a shared commit is a separate span with its duration and a link to each request that it served', async () => {
    const origins: unknown[] = [];
    for (let index = 0; index < 2; index += 1) {
      await OperationTrace.run({}, async () => {
        origins.push(spanOfCaller(), spanOfCaller());
      });
    }
    const requests = exporter.getFinishedSpans().map((span) => span.spanContext());
    exporter.reset();
    await OperationTrace.run(CALLER, async () => {
      recordSharedCommit('commit numbers', {
        durationMs: 40,
        origins,
        attributes: { 'solegate.numbers': 7 },
      });
    });
    const [commit] = exporter.getFinishedSpans();
    expect(commit?.links.map(({ context }) => context)).toEqual(requests);
    expect(commit).toMatchObject({ name: 'commit numbers', attributes: { 'solegate.numbers': 7 } });
    expect(commit?.parentSpanContext).toBeUndefined();
    const [seconds, nanoseconds] = commit?.duration ?? [];
    expect(seconds).toBe(0);
    expect(nanoseconds).toBe(40e6);
  });

  test('a subscription has a span for its start and, when it ends, a child span that counts its events', async () => {
    const traceEnded = await OperationTrace.run(CALLER, async (traced) => {
      const ended = streamTrace('Subscription.tripOffered');
      traced.ended('Subscription.tripOffered', {});
      return ended;
    });
    const [begin] = exporter.getFinishedSpans();
    expect(begin).toMatchObject({ name: 'subscription tripOffered', kind: SpanKind.SERVER });
    traceEnded(3);
    const [, stream] = exporter.getFinishedSpans();
    expect(stream).toMatchObject({
      name: 'stream tripOffered',
      attributes: { 'graphql.operation.name': 'tripOffered', 'solegate.events': 3 },
    });
    expect(stream?.parentSpanContext?.spanId).toBe(begin?.spanContext().spanId);
  });

  test('background work never records spans', async () => {
    const seen: boolean[] = [];
    const look = () => {
      const span = trace.getTracer('a driver').startSpan('pg.query');
      seen.push(span.isRecording());
      span.end();
    };
    await untraced(async () => {
      look();
      await new Promise((resolve) => setImmediate(resolve));
      look();
    });
    look();
    expect(seen).toEqual([false, false, true]);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });

  test('a lost race is an outcome, not an error', async () => {
    await OperationTrace.run({}, async (traced) =>
      traced.ended('Mutation.acceptTrip', { data: { acceptTrip: { __typename: 'TripTaken' } } }),
    );
    const [span] = exporter.getFinishedSpans();
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.attributes).toEqual({
      'graphql.operation.type': 'mutation',
      'graphql.operation.name': 'acceptTrip',
      'solegate.code': 'OK',
      'solegate.outcome': 'TripTaken',
    });
  });

  test('a failure is an error with its code, without the message or headers', async () => {
    const headers = { authorization: 'Bearer secret-token' };
    await OperationTrace.run(headers, async (traced) =>
      traced.ended('Query.trip', {
        data: null,
        errors: [{ message: 'secret-input', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] as never,
      }),
    );
    const [span] = exporter.getFinishedSpans();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span?.attributes['error.type']).toBe('INTERNAL_SERVER_ERROR');
    expect(JSON.stringify([span?.name, span?.attributes, span?.events, span?.status])).not.toContain(
      'secret',
    );
  });

  test('an operation that throws ends its span as an error without the message', async () => {
    const broken = OperationTrace.run({}, () => Promise.reject(new Error('secret-input')));
    await expect(broken).rejects.toThrow('secret-input');
    const [span] = exporter.getFinishedSpans();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span?.events).toEqual([]);
  });
});
