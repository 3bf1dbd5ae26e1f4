import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FaultProxy,
  type GatewayProcess,
  startFaultProxy,
  startGatewayWithStores,
  until,
} from '@solegate/testkit';
import { WebSocket } from 'ws';
import { type Client, type ClientOptions, createClient, parseTsid, RefusedError } from '../src/index.js';
import { webSockets } from '../src/websocket/index.js';

const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
const rider = { as: 'RIDER' } as const;
let gateway: GatewayProcess;
let proxy: FaultProxy;
let direct: Client;
const clients: Client[] = [];

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

/** Collects events until the iteration ends. */
function collect<Event>(events: AsyncIterable<Event>): {
  readonly seen: Event[];
  readonly ended: Promise<void>;
} {
  const seen: Event[] = [];
  const read = async (): Promise<void> => {
    for await (const event of events) seen.push(event);
  };
  return { seen, ended: read() };
}

describe.each<[string, () => Partial<ClientOptions>]>([
  ['server-sent events', () => ({})],
  ['a WebSocket', () => ({ webSocket: webSockets({ implementation: WebSocket }) })],
])('over %s', (_name, options) => {
  function connect(more: Partial<ClientOptions> = {}): Client {
    const client = createClient({ url: proxy.url, retry: { baseMs: 10, maxMs: 50 }, ...options(), ...more });
    clients.push(client);
    return client;
  }

  test('a trip is watched to its end', async () => {
    const client = connect();
    const trip = await client.requestTrip({ input: {} });
    const { seen, ended } = collect(client.tripUpdated({ tripId: trip.id, afterRevision: 0 }));
    await until(() => seen.length === 1);
    await client.cancelTrip({ input: { tripId: trip.id, ...rider } });
    await ended;
    expect(seen.map(({ revision, status }) => [revision, status])).toEqual([
      [1, 'FINDING'],
      [2, 'CANCELLED'],
    ]);
  });

  test('a broken connection is reopened, and events missed meanwhile arrive once', async () => {
    const client = connect();
    const trip = await direct.requestTrip({ input: {} });
    const id = { tripId: trip.id, offerEpoch: trip.offerEpoch };
    let reconnectCount = 0;
    const onReconnect = (): void => {
      reconnectCount += 1;
    };
    const { seen, ended } = collect(
      client.tripUpdated({ tripId: trip.id, afterRevision: 0 }, { onReconnect }),
    );
    await until(() => seen.length === 1);
    proxy.set('reset');
    await until(() => client.status.kind === 'GATEWAY_AWAY');
    await direct.acceptTrip({ input: id });
    await direct.startTrip({ input: { tripId: trip.id } });
    proxy.set('pass');
    await until(() => seen.length === 3);
    expect(client.status.kind).toBe('CONNECTED');
    await direct.completeTrip({ input: { tripId: trip.id } });
    await ended;
    expect(seen.map(({ revision }) => revision)).toEqual([1, 2, 3, 4]);
    expect(reconnectCount).toBe(1);
  });

  test('events of numbers continue after a break; the ledger has those that were missed', async () => {
    const client = connect();
    let reconnectCount = 0;
    const onReconnect = (): void => {
      reconnectCount += 1;
    };
    const { seen, ended } = collect(client.documentNumberIssued({}, { onReconnect }));
    await until(() => client.status.kind === 'CONNECTED');
    await until(async () => {
      await direct.issueDocumentNumber({ input: series });
      return seen.length > 0;
    });
    proxy.set('reset');
    await until(() => client.status.kind === 'GATEWAY_AWAY');
    const missed = await direct.issueDocumentNumber({ input: series });
    proxy.set('pass');
    await until(() => reconnectCount === 1);
    await until(async () => {
      await direct.issueDocumentNumber({ input: series });
      return seen.some(({ sequence }) => sequence > (missed as { sequence: number }).sequence);
    });
    expect(new Set(seen.map(({ number }) => number)).size).toBe(seen.length);
    await client.close();
    await ended;
  });

  test('offers arrive at drivers', async () => {
    const client = connect({ headers: { 'x-demo-user': 'driver-7' } });
    const { seen } = collect(client.tripOffered());
    await until(() => client.status.kind === 'CONNECTED');
    await until(async () => {
      await direct.requestTrip({ input: {} });
      return seen.length > 0;
    });
    expect(seen[0]).toMatchObject({ state: 'OPEN', offerEpoch: 1 });
  });

  test('`break`, the signal and close() end an iteration without an error', async () => {
    const client = connect();
    const trip = await direct.requestTrip({ input: {} });
    const watched = { tripId: trip.id, afterRevision: 0 };
    for await (const { revision } of client.tripUpdated(watched)) if (revision === 1) break;
    const left = new AbortController();
    const bySignal = collect(client.tripUpdated(watched, { signal: left.signal }));
    const byClose = collect(client.tripUpdated(watched));
    await until(() => bySignal.seen.length === 1 && byClose.seen.length === 1);
    left.abort();
    await bySignal.ended;
    await client.close();
    await byClose.ended;
  });

  test('return() ends an iteration that is waiting', async () => {
    const trip = await direct.requestTrip({ input: {} });
    const events = connect().tripUpdated({ tripId: trip.id, afterRevision: 1 });
    const waiting = events.next();
    await events.return?.();
    expect((await waiting).done).toBe(true);
  });

  test('a refusal is a RefusedError', async () => {
    const client = connect({ headers: { 'x-demo-user': 'driver-7' } });
    const events = client.tripUpdated({ tripId: parseTsid('5'), afterRevision: 0 });
    const error: unknown = await events.next().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toMatchObject({ code: 'NOT_FOUND', reason: 'TRIP_NOT_FOUND', operation: 'tripUpdated' });
  });
});

test('where WebSockets are blocked, events arrive over HTTP', async () => {
  const cut = await startFaultProxy(gateway.url);
  cut.set('reset');
  const url = cut.url.replace('http', 'ws');
  const webSocket = webSockets({ implementation: WebSocket, url });
  const client = createClient({ url: gateway.url, webSocket, retry: { baseMs: 10, maxMs: 50 } });
  clients.push(client);
  const trip = await client.requestTrip({ input: {} });
  const { seen } = collect(client.tripUpdated({ tripId: trip.id, afterRevision: 0 }));
  await until(() => seen.length === 1);
  await cut.close();
});

test('a socket that nobody answers is given up for HTTP, and its late error ends no process', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const webSocket = webSockets({ implementation: WebSocket, url, openMaxMs: 50 });
  const client = createClient({ url: gateway.url, webSocket, retry: { baseMs: 10, maxMs: 50 } });
  clients.push(client);
  const trip = await client.requestTrip({ input: {} });
  const { seen } = collect(client.tripUpdated({ tripId: trip.id, afterRevision: 0 }));
  await until(() => seen.length === 1);
  silent.close();
});

test.each(['the client is closed', 'the subscription is left'])(
  'a socket that nobody answers ends when %s',
  async (ending) => {
    const silent = createServer().listen(0, '127.0.0.1');
    const connected = once(silent, 'connection');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/graphql`;
    const client = createClient({ url, webSocket: webSockets({ implementation: WebSocket }) });
    const leaving = new AbortController();
    const event = client.tripOffered({}, { signal: leaving.signal }).next();
    const [socket] = (await connected) as [Socket];
    const ended = once(socket.resume(), 'close');
    if (ending === 'the client is closed') await client.close();
    else leaving.abort();
    await Promise.allSettled([event, ended]);
    await client.close();
    silent.close();
  },
);

test('a client closes without an error while its socket is connecting to a gateway that is gone', async () => {
  let isConnecting = false;
  class Watched extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols);
      isConnecting = true;
    }
  }
  const url = 'http://127.0.0.1:1/graphql';
  const client = createClient({ url, webSocket: webSockets({ implementation: Watched }) });
  const event = client.tripOffered().next();
  void event.catch(() => undefined);
  await until(() => isConnecting, { intervalMs: 0 });
  await client.close();
});
