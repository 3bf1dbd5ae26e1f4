import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FaultProxy,
  type GatewayProcess,
  startFaultProxy,
  startGatewayWithStores,
} from '@solegate/testkit';
import { WebSocket } from 'ws';
import { OPERATIONS } from '../src/generated/operations.js';
import type { TripEventsSubscription } from '../src/generated/types.js';
import { type Client, type ClientOptions, createClient, type Tsid } from '../src/index.js';
import { webSockets } from '../src/websocket/index.js';

const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
const followed = { projectCode: 'DEMO', typeCode: 'RFA' };
let gateway: GatewayProcess;
let proxy: FaultProxy;
let direct: Client;
const clients: Client[] = [];
type TripEvents = TripEventsSubscription['tripEvents'];

beforeAll(async () => {
  gateway = await startGatewayWithStores();
  proxy = await startFaultProxy(gateway.url);
  direct = createClient({ url: gateway.url });
});

afterEach(async () => {
  proxy.set('pass');
  for (const client of clients.splice(0)) await client.close();
});

afterAll(async () => {
  await direct?.close();
  await proxy?.close();
  await gateway?.[Symbol.asyncDispose]();
});

async function issue(count: number): Promise<string[]> {
  const issued = await direct.issueDocumentNumbers({ input: { ...series, count } });
  if (issued.__typename !== 'DocumentNumbersIssued') throw new Error(issued.__typename);
  return issued.documentNumbers.map(({ number }) => number);
}

/** Reads facts from the first on, or after a cursor, until one of them is there; returns all, and the cursor after them. */
async function readUntil(client: Client, wanted: string, after?: string) {
  const said: string[] = [];
  for await (const { facts, cursor } of client.documentNumberFacts({ ...followed, after })) {
    said.push(...facts.map(({ kind, number }) => `${kind} ${number.number}`));
    if (said.includes(wanted)) return { said, cursor };
  }
  throw new Error('the subscription ended');
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe.each<[string, () => Partial<ClientOptions>]>([
  ['server-sent events', () => ({})],
  ['a WebSocket', () => ({ webSocket: webSockets({ implementation: WebSocket }) })],
])('over %s', (_name, options) => {
  function connect(): Client {
    const client = createClient({ url: proxy.url, retry: { baseMs: 10, maxMs: 50 }, ...options() });
    clients.push(client);
    return client;
  }

  test('numbers come in order, and what becomes of them after them', async () => {
    const [first] = await issue(1);
    const { cursor } = await readUntil(connect(), `ISSUED ${first}`);
    const reserved = await direct.reserveDocumentNumber({ input: series });
    if (reserved.__typename !== 'DocumentNumberReservation') throw new Error(reserved.__typename);
    const { number } = reserved.documentNumber;
    await direct.confirmDocumentNumber({ input: { token: reserved.token } });
    await direct.voidDocumentNumber({ input: { projectCode: 'DEMO', number, reason: 'a test' } });
    const { said } = await readUntil(connect(), `VOIDED ${number}`, cursor);
    const own = said.filter((fact) => fact.endsWith(number));
    expect(own).toEqual([`RESERVED ${number}`, `CONFIRMED ${number}`, `VOIDED ${number}`]);
  });

  test('a client whose connection breaks goes on where it was: each fact once', async () => {
    const client = connect();
    const first = await issue(150);
    const facts = client.documentNumberFacts(followed);
    const said: string[] = [];
    let wanted = first.at(-1);
    for await (const batch of facts) {
      said.push(...batch.facts.filter(({ kind }) => kind === 'ISSUED').map(({ number }) => number.number));
      if (!said.includes(wanted ?? '')) continue;
      if (wanted !== first.at(-1)) break;
      proxy.set('reset');
      proxy.set('pass');
      wanted = (await issue(120)).at(-1);
    }
    expect(new Set(said).size).toBe(said.length);
    expect(said).toEqual(said.toSorted());
  });

  test('events of all trips come in order, and a new process goes on at the cursor', async () => {
    const trip = await direct.requestTrip({ input: {} });
    await direct.cancelTrip({ input: { tripId: trip.id as Tsid, as: 'RIDER' } });
    let after: string | undefined;
    const revisions: number[] = [];
    while (!revisions.includes(2)) {
      const events = connect().tripEvents({ after });
      const { value }: IteratorResult<TripEvents, void> = await events.next();
      if (value === undefined) throw new Error('the subscription ended');
      after = value.cursor;
      revisions.push(
        ...value.events.filter(({ tripId }) => tripId === trip.id).map(({ revision }) => revision),
      );
      await events.return?.();
    }
    expect(revisions).toEqual([1, 2]);
  });

  test('a reader that leaves is no longer counted', async () => {
    const facts = connect().documentNumberFacts(followed);
    await facts.next();
    expect(await metric('solegate_feed_number_readers')).toBeGreaterThan(0);
    await facts.return?.();
    const deadline = performance.now() + 20_000;
    while ((await metric('solegate_feed_number_readers')) > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await metric('solegate_feed_number_readers')).toBe(0);
  });
});

test('Last-Event-ID continues a stream of server-sent events', async () => {
  const [first] = await issue(1);
  const { cursor } = await readUntil(direct, `ISSUED ${first}`);
  const [next] = await issue(1);
  const { id: documentId, text: query } = OPERATIONS.documentNumberFacts;
  const left = new AbortController();
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'last-event-id': cursor },
    body: JSON.stringify({ documentId, query, variables: followed }),
    signal: left.signal,
  });
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (/\ndata: .*\n\n/.test(text)) break;
  }
  left.abort();
  const [, id, data = ''] = /id: ([\w-]+)\nevent: next\ndata: (.*)\n/.exec(text) ?? [];
  expect(id).toEqual(expect.any(String));
  const { facts } = JSON.parse(data).data.documentNumberFacts;
  expect(facts).toMatchObject([{ kind: 'ISSUED', number: { number: next } }]);
});

test('a cursor of another series is refused', async () => {
  const [first] = await issue(1);
  const { cursor: after } = await readUntil(direct, `ISSUED ${first}`);
  const other = direct.documentNumberFacts({ projectCode: 'DEMO', typeCode: 'RFI', after });
  await expect(other.next()).rejects.toMatchObject({ code: 'BAD_USER_INPUT', reason: 'INVALID_REQUEST' });
});
