import { afterAll, describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { createTripReservation } from '@solegate/trip-reservation';
import { type Client, createClient } from 'graphql-ws';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import WebSocket from 'ws';
import { FileStores, type Json, type TestGateway } from './gateway-fixture.js';

/** Subscriptions over WebSocket, with two gateways on the same stores: clients of one receive events from the other. */
const clients: Client[] = [];

afterAll(async () => {
  for (const client of clients) await client.dispose();
});
const stores = new FileStores();
const gateways = [stores.gateway(), stores.gateway()] as const;

type Events = AsyncIterableIterator<Json>;

function subscribe(gateway: TestGateway, demoUser: string, query: string): Events {
  const url = `${gateway.url.replace('http', 'ws')}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket, connectionParams: { demoUser } });
  clients.push(client);
  return client.iterate({ query });
}

async function take(
  events: Events,
  count: number,
  isWanted: (data: Json) => boolean = () => true,
): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    if (isWanted(value.data)) taken.push(value.data);
  }
  return taken;
}

const request = async (input = ''): Promise<{ id: string; offerEpoch: number }> =>
  (
    await gateways[0].ask(`mutation { requestTrip(input: { ${input} }) { ... on Trip { id offerEpoch } } }`, {
      as: 'rider-1',
    })
  ).data.requestTrip;
const accept = (id: string, driver: string) =>
  gateways[0].ask(`mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`, {
    as: driver,
  });

describe('tripUpdated', () => {
  const query = (id: string, after: number) =>
    `subscription { tripUpdated(tripId: "${id}", afterRevision: ${after}) { type revision status } }`;

  test('the rider receives every change once and in order, past ones first, until the trip ends', async () => {
    const { id } = await request();
    const events = subscribe(gateways[1], 'rider-1', query(id, 0));
    expect(await take(events, 1)).toEqual([
      { tripUpdated: { type: 'TRIP_REQUESTED', revision: 1, status: 'FINDING' } },
    ]);
    await accept(id, 'driver-31');
    await gateways[0].ask(`mutation { startTrip(input: { tripId: "${id}" }) { __typename } }`, {
      as: 'driver-31',
    });
    await gateways[0].ask(`mutation { completeTrip(input: { tripId: "${id}" }) { __typename } }`, {
      as: 'driver-31',
    });
    expect(await take(events, 4)).toEqual([
      { tripUpdated: { type: 'TRIP_ACCEPTED', revision: 2, status: 'ACCEPTED' } },
      { tripUpdated: { type: 'TRIP_STARTED', revision: 3, status: 'IN_PROGRESS' } },
      { tripUpdated: { type: 'TRIP_COMPLETED', revision: 4, status: 'COMPLETED' } },
    ]);
  });

  test('a client that reconnects catches up from its last revision', async () => {
    const { id } = await request();
    await accept(id, 'driver-32');
    const events = subscribe(gateways[1], 'rider-1', query(id, 1));
    expect(await take(events, 1)).toEqual([
      { tripUpdated: { type: 'TRIP_ACCEPTED', revision: 2, status: 'ACCEPTED' } },
    ]);
  });

  test('a trip that has ended ends the subscription, whether or not its history still exists', async () => {
    const { id } = await request();
    await gateways[0].ask(`mutation { cancelTrip(input: { tripId: "${id}" }) { __typename } }`, {
      as: 'rider-1',
    });
    const past = subscribe(gateways[1], 'rider-1', query(id, 0));
    expect(await take(past, 9)).toHaveLength(2);
    await stores.database.pool.query('DELETE FROM trip_outbox WHERE trip_id = $1', [id]);
    expect(await take(subscribe(gateways[1], 'rider-1', query(id, 0)), 1)).toEqual([]);
  });

  test('a stranger is refused', async () => {
    const { id } = await request('offeredTo: ["33"]');
    const events = subscribe(gateways[1], 'rider-2', query(id, 0));
    const { value } = await events.next();
    expect(value.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'NOT_YOUR_TRIP' } }]);
  });
});

describe('tripOffered', () => {
  test('listed drivers are notified of an offer, losers also of its end, and other drivers of neither', async () => {
    const query = 'subscription { tripOffered { tripId state offerEpoch } }';
    const [winner, loser, other] = ['driver-41', 'driver-42', 'driver-43'].map((driver) =>
      subscribe(gateways[1], driver, query),
    ) as [Events, Events, Events];
    const { data } = await gateways[0].ask(
      'mutation { generateTsids(count: 1) { ... on TsidsGenerated { ids } } }',
    );
    // Offers from earlier tests may still end during this test.
    const isNew = ({ tripOffered }: Json) => BigInt(tripOffered.tripId) > BigInt(data.generateTsids.ids[0]);
    const heard = [take(winner, 1, isNew), take(loser, 2, isNew), take(other, 1, isNew)];
    await subscribed(3);
    const { id: foreign } = await request('offeredTo: ["41", "42"]');
    expect(await heard[0]).toEqual([{ tripOffered: { tripId: foreign, state: 'OPEN', offerEpoch: 1 } }]);
    await accept(foreign, 'driver-41');
    expect(await heard[1]).toEqual([
      { tripOffered: { tripId: foreign, state: 'OPEN', offerEpoch: 1 } },
      { tripOffered: { tripId: foreign, state: 'GONE', offerEpoch: 1 } },
    ]);
    const { id: own } = await request('offeredTo: ["43"]');
    expect(await heard[2]).toEqual([{ tripOffered: { tripId: own, state: 'OPEN', offerEpoch: 1 } }]);
  });
});

test('a driver who got TripUndecided is notified on another gateway that the trip is still open', async () => {
  const { id } = await request('offeredTo: ["51"]');
  const before = await subscriptionCount();
  const events = subscribe(
    gateways[1],
    'driver-51',
    `subscription { tripUpdated(tripId: "${id}", afterRevision: 1) { type status offerEpoch } }`,
  );
  const heard = take(events, 1);
  const offered = take(
    subscribe(gateways[1], 'driver-51', 'subscription { tripOffered { tripId state } }'),
    1,
  );
  await subscribed(before + 2);
  const redis = new Redis(stores.redisUrl);
  // Left by a process that died before its commit.
  const pool = new Pool({ connectionString: stores.databaseUrl });
  const namespace = await createTripReservation({ database: pool }).namespace();
  await pool.end();
  const gate = `trip_lock:${namespace}:${id}:1`;
  await redis.set(gate, '52:dead', 'PX', 60_000);
  expect((await accept(id, 'driver-51')).data.acceptTrip.__typename).toBe('TripUndecided');
  expect(await heard).toEqual([
    { tripUpdated: { type: 'TRIP_STILL_OPEN', status: 'FINDING', offerEpoch: 1 } },
  ]);
  expect(await offered).toEqual([{ tripOffered: { tripId: id, state: 'OPEN' } }]);
  await redis.del(gate);
  redis.disconnect();
  expect((await accept(id, 'driver-51')).data.acceptTrip.__typename).toBe('TripAccepted');
});

test('a driver who got TripUndecided and subscribes after the decision sees that the offer closed, not by whom', async () => {
  const { id } = await request('offeredTo: ["61", "62"]');
  await accept(id, 'driver-62');
  const late = (query: string) => subscribe(gateways[1], 'driver-61', `subscription { ${query} }`);
  const heard = await take(
    late(`tripUpdated(tripId: "${id}", afterRevision: 1) { type status driverId }`),
    9,
  );
  expect(heard).toEqual([{ tripUpdated: { type: 'TRIP_ACCEPTED', status: 'ACCEPTED', driverId: null } }]);
  // Without a revision, or with one after the decision, the trip is someone else's.
  await gateways[0].ask(`mutation { startTrip(input: { tripId: "${id}" }) { __typename } }`, {
    as: 'driver-62',
  });
  for (const query of [
    `tripUpdated(tripId: "${id}") { type }`,
    `tripUpdated(tripId: "${id}", afterRevision: 2) { type }`,
  ]) {
    const { value } = await late(query).next();
    expect(value.errors[0].extensions.reason).toBe('NOT_YOUR_TRIP');
  }
});

test('a subscriber without a revision receives the last event first', async () => {
  const { id } = await request();
  const events = subscribe(
    gateways[1],
    'rider-1',
    `subscription { tripUpdated(tripId: "${id}") { type revision } }`,
  );
  expect(await take(events, 1)).toEqual([{ tripUpdated: { type: 'TRIP_REQUESTED', revision: 1 } }]);
});

describe('documentNumberIssued', () => {
  test('delivers the numbers of a project with their ledger data', async () => {
    const before = await subscriptionCount();
    const events = subscribe(
      gateways[1],
      'clerk-1',
      `subscription { documentNumberIssued(projectCode: "DEMO") { id number sequence project { code } } }`,
    );
    const heard = take(events, 3);
    await subscribed(before + 1);
    const issued = await Promise.all(
      [1, 2, 3].map(() =>
        gateways[0].ask(`mutation { issueDocumentNumber(input: {
          projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"
        }) { ... on DocumentNumber { id number sequence project { code } } } }`),
      ),
    );
    const expected = issued.map((answer) => ({ documentNumberIssued: answer.data.issueDocumentNumber }));
    expect(await heard).toEqual(expect.arrayContaining(expected));
  });

  test('delivers each number once, however it is issued', async () => {
    const before = await subscriptionCount();
    const events = subscribe(
      gateways[1],
      'clerk-1',
      'subscription { documentNumberIssued(projectCode: "DEMO") { number status } }',
    );
    const heard = take(events, 5);
    await subscribed(before + 1);
    const series = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "ARC"';
    const run = async (mutation: string): Promise<Json> => {
      const { data, errors } = await gateways[0].ask(`mutation { ${mutation} }`);
      expect(errors).toEqual([]);
      return Object.values(data)[0];
    };
    const create = `createCorrespondence(input: { ${series}, subject: "x", idempotencyKey: "heard once" }) {
      ... on Correspondence { number: documentNumber } }`;
    const created = await run(create);
    await run(create);
    const { token } = await run(
      `reserveDocumentNumber(input: { ${series} }) { ... on DocumentNumberReservation { token } }`,
    );
    const confirm = `confirmDocumentNumber(input: { token: "${token}" }) { ... on DocumentNumber { number } }`;
    const confirmed = await run(confirm);
    await run(confirm);
    const replace = `replaceDocumentNumber(input: { number: "${confirmed.number}", reason: "wrong",
      replacement: { ${series}, idempotencyKey: "replaced once" } }) {
      ... on DocumentNumberReplaced { replacement { number } } }`;
    const { replacement } = await run(replace);
    await run(replace);
    const assigned = await run(`assignDocumentNumber(input: { ${series}, sequence: 10, reason: "stamped" }) {
      ... on DocumentNumber { number } }`);
    const issued = await run(
      `issueDocumentNumber(input: { ${series} }) { ... on DocumentNumber { number } }`,
    );
    expect(await heard).toEqual(
      [created, confirmed, replacement, assigned, issued].map(({ number }) => ({
        documentNumberIssued: { number, status: number === assigned.number ? 'MANUAL' : 'ISSUED' },
      })),
    );
  });
});

describe('sockets', () => {
  test('queries and mutations are rejected; they require HTTP', async () => {
    const events = subscribe(gateways[0], 'clerk-1', '{ __typename }');
    await expect(events.next()).rejects.toMatchObject([{ extensions: { reason: 'SUBSCRIPTIONS_ONLY' } }]);
  });

  test('repeatedly subscribing and unsubscribing leaves nothing behind', async () => {
    const { id } = await request();
    const redis = new Redis(stores.redisUrl);
    const url = `${gateways[1].url.replace('http', 'ws')}/graphql`;
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      lazy: false,
      connectionParams: { demoUser: 'rider-1' },
    });
    clients.push(client);
    const cycle = async (): Promise<void> => {
      const events = client.iterate({
        query: `subscription { tripUpdated(tripId: "${id}", afterRevision: 0) { revision } }`,
      });
      await events.next();
      await events.return?.();
    };
    for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 25 }, cycle));
    const channels = () => redis.pubsub('CHANNELS', `*${id}*`);
    await until(async () => (await channels()).length === 0);
    redis.disconnect();
  });
});

/** Waits until the second gateway has at least this many active subscriptions. */
async function subscribed(count: number): Promise<void> {
  await until(async () => (await subscriptionCount()) >= count);
}

async function subscriptionCount(): Promise<number> {
  const text = await (await fetch(`${gateways[1].url}/metrics`)).text();
  return Number(/^solegate_gateway_subscriptions (\d+)$/m.exec(text)?.[1]);
}
