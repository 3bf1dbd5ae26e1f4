import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { SpanKind, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { until } from '@solegate/testkit';
import pg from 'pg';
import type { Gateway } from '../src/assembly/gateway.js';
import { ask, FileStores } from './gateway-fixture.js';
import { startInProcess } from './in-process-gateway.js';

/** What an OpenTelemetry SDK in a gateway's process records, with the driver instrumented like `pg`. */
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
let gateway: Gateway;

afterAll(async () => {
  await gateway?.stop();
  await provider.shutdown();
  jest.restoreAllMocks();
});
const stores = new FileStores();

beforeAll(async () => {
  provider.register();
  const query = pg.Client.prototype.query;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    trace.getTracer('pg').startSpan('pg.query', { kind: SpanKind.CLIENT }).end();
    return Reflect.apply(query, this, given);
  } as never);
  const { databaseUrl, redisUrl } = stores;
  gateway = await startInProcess({ databaseUrl, redisUrl });
});

beforeEach(() => exporter.reset());

const url = () => `http://127.0.0.1:${gateway.port}`;
const named = (name: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.name === name);
const ISSUE = `mutation { issueDocumentNumber(input: {
  projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"
}) { ... on DocumentNumber { sequence } } }`;

/** Expects the commit spans to link to exactly the request spans. */
async function linkedAfter(request: string, commit: string): Promise<void> {
  const idsOf = (spans: readonly ReadableSpan[]) => spans.map((span) => span.spanContext().spanId).toSorted();
  const linked = () => named(commit).flatMap(({ links }) => links.map(({ context }) => context.spanId));
  const requests = idsOf(named(request));
  expect(linked().toSorted()).toEqual(requests);
}

test('commits of numbers link to each request that they serve', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(url(), ISSUE)));
  expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
  expect(named('mutation issueDocumentNumber')).toHaveLength(10);
  await linkedAfter('mutation issueDocumentNumber', 'commit numbers');
});

test('a decision on a trip links to each driver who waited for it', async () => {
  const { requestTrip } = (
    await ask(url(), 'mutation { requestTrip(input: {}) { ... on Trip { id offerEpoch } } }', {
      as: 'rider-1',
    })
  ).data;
  const accept = `mutation { acceptTrip(input: { tripId: "${requestTrip.id}", offerEpoch: ${requestTrip.offerEpoch} }) { __typename } }`;
  await ask(url(), accept, { as: 'driver-1' });
  await linkedAfter('mutation acceptTrip', 'decide trips');
});

test('a subscription has a span for its start, and one for its events when it ends', async () => {
  const leave = new AbortController();
  const response = await fetch(`${url()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { documentNumberIssued { number } }' }),
    signal: leave.signal,
  });
  const reader = response.body?.getReader();
  await until(async () => {
    await ask(url(), ISSUE);
    const { value } = (await reader?.read()) ?? {};
    return new TextDecoder().decode(value).includes('event: next');
  });
  leave.abort();
  await until(() => named('stream documentNumberIssued').length === 1);
  const [begin] = named('subscription documentNumberIssued');
  const [stream] = named('stream documentNumberIssued');
  expect(begin?.kind).toBe(SpanKind.SERVER);
  expect(stream?.parentSpanContext?.spanId).toBe(begin?.spanContext().spanId);
  expect(stream?.attributes['solegate.events']).toBeGreaterThan(0);
});

test('sweeps, relays and probes that find nothing to do record nothing', async () => {
  const statements = jest.mocked(pg.Client.prototype.query).mock.calls;
  // Waits for the last work of earlier tests: accepts are counted a second later.
  await until(() => statements.some(([query]) => JSON.stringify(query).includes('solegate_add_attempts')));
  exporter.reset();
  const before = statements.length;
  await until(() => statements.length > before + 20);
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([]);
});
