import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '@solegate/client';
import {
  createTestDatabase,
  type RedisTestServer,
  startRedisServer,
  type TestDatabase,
  until,
} from '@solegate/testkit';
import {
  asRuntimeRole,
  type Json,
  type StoreUrls,
  startTestGateway,
  type TestGateway,
} from './gateway-fixture.js';

/*
 * Redis is killed. A gateway whose node lease has ended, and one that starts without Redis, are ready and serve all that
 * PostgreSQL decides; what needs a new ID is refused, and served again once Redis is back.
 */

/** Short, so that the lease ends, and a node is granted again, within seconds. */
const SETTINGS = { NODE_LEASE_WINDOW_MS: '1000' };
const SERIES = 'projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR"';
const ISSUE = `mutation { issueDocumentNumber(input: { ${SERIES} }) { ... on DocumentNumber { id number reason } } }`;
const MINT = 'mutation { generateTsids(count: 2) { ... on TsidsGenerated { ids } } }';

let database: TestDatabase;
let redis: RedisTestServer;
let stores: StoreUrls;
let older: TestGateway;
let younger: TestGateway;

/** Somebody who subscribed to what is new while Redis was away. */
interface Subscriber {
  readonly client: Client;
  readonly numbers: string[];
  readonly offers: string[];
}

const subscribers: Subscriber[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ migrations: [] }), startRedisServer()]);
  stores = { databaseUrl: await asRuntimeRole(database.url), redisUrl: redis.url };
  older = await startTestGateway(stores, SETTINGS);
  await redis.kill();
  younger = await startTestGateway(stores, SETTINGS);
  await until(async () => (await older.ask(MINT)).errors.length > 0, { what: 'The end of the window' });
});

afterAll(async () => {
  await Promise.all(subscribers.map(({ client }) => client.close()));
  await Promise.all([older?.stop(), younger?.stop()]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

async function ask({ ask: send }: TestGateway, query: string, as?: string): Promise<Json> {
  const { data, errors } = await send(query, as === undefined ? {} : { as });
  expect(errors).toEqual([]);
  return data;
}

describe.each([
  ['whose lease has ended', () => older],
  ['that started without Redis', () => younger],
])('a gateway %s', (_which, gateway) => {
  test('issues, reserves, confirms, cancels, voids, replaces and saves a format; rows have no ID', async () => {
    const { number } = (await ask(gateway(), ISSUE)).issueDocumentNumber;
    const reserve = async () =>
      (
        await ask(
          gateway(),
          `mutation { reserveDocumentNumber(input: { ${SERIES} }) {
            ... on DocumentNumberReservation { token documentNumber { id number } } } }`,
        )
      ).reserveDocumentNumber;
    const confirm = `mutation { confirmDocumentNumber(input: { token: "${(await reserve()).token}" }) { ... on DocumentNumber { id status } } }`;
    expect(await ask(gateway(), confirm)).toEqual({ confirmDocumentNumber: { id: null, status: 'ISSUED' } });
    await ask(
      gateway(),
      `mutation { cancelDocumentNumber(input: { token: "${(await reserve()).token}", reason: "x" }) { ... on DocumentNumber { status } } }`,
    );
    const { replaceDocumentNumber } = await ask(
      gateway(),
      `mutation { replaceDocumentNumber(input: { number: "${number}", reason: "x", replacement: { ${SERIES} } }) {
        ... on DocumentNumberReplaced { replacement { id number issuedAt } } } }`,
    );
    const { replacement } = replaceDocumentNumber;
    expect(replacement).toMatchObject({ id: null, issuedAt: expect.any(String) });
    await ask(
      gateway(),
      `mutation { voidDocumentNumber(input: { projectCode: "DEMO", number: "${replacement.number}", reason: "x" }) { ... on DocumentNumber { id } } }`,
    );
    await ask(
      gateway(),
      `mutation { saveDocumentNumberFormat(input: { projectCode: "DEMO", typeCode: "MEMO",
        template: "{ORG}/{TYPE}/{DISCIPLINE}/{YEAR}/{SEQ:4}" }) { ... on DocumentNumberFormat { version } } }`,
    );
    const { documentNumbers } = await ask(
      gateway(),
      `{ documentNumbers(first: 100, filter: { projectCode: "DEMO", typeCode: "RFA" }) {
        edges { node { id number sequence } } } }`,
    );
    const sequences = documentNumbers.edges
      .map(({ node }: Json) => node.sequence)
      .toSorted((a: number, b: number) => a - b);
    expect(sequences).toEqual(sequences.map((_: number, index: number) => index + 1));
  });

  test('has trips requested with an ID of the caller, accepted once, started and completed', async () => {
    const tripId = BigInt(gateway().port);
    const [rider, winner, loser] = ['rider-1', `driver-${gateway().port}`, `driver-${gateway().port + 1}`];
    const { requestTrip } = await ask(
      gateway(),
      `mutation { requestTrip(input: { tripId: "${tripId}" }) { ... on Trip { offerEpoch } } }`,
      rider,
    );
    const input = `input: { tripId: "${tripId}", offerEpoch: ${requestTrip.offerEpoch} }`;
    const accept = (as: string) => ask(gateway(), `mutation { acceptTrip(${input}) { __typename } }`, as);
    expect(await accept(winner as string)).toEqual({ acceptTrip: { __typename: 'TripAccepted' } });
    expect(await accept(loser as string)).toEqual({ acceptTrip: { __typename: 'TripTaken' } });
    for (const step of ['startTrip', 'completeTrip']) {
      const typed = `mutation { ${step}(input: { tripId: "${tripId}" }) { __typename } }`;
      await ask(gateway(), typed, winner);
    }
    const { trip } = await ask(gateway(), `{ trip(id: "${tripId}") { status } }`, rider);
    expect(trip).toEqual({ status: 'COMPLETED' });
  });

  test.each([
    ['IDs', MINT],
    ['documents', `mutation { createCorrespondence(input: { ${SERIES}, subject: "x" }) { __typename } }`],
    ['trips without an ID of the caller', 'mutation { requestTrip(input: {}) { ... on Trip { id } } }'],
    ['projects', `mutation { createProject(input: { code: "NEW", name: "New" }) { ... on Project { id } } }`],
  ])('refuses new %s, and names the setting with which it would not', async (_what, query) => {
    const { errors } = await gateway().ask(query);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions).toMatchObject({ reason: 'NODE_UNAVAILABLE', retryable: true });
    expect(errors[0]?.message).toContain('NODE_STORE=postgres');
  });

  test('begins subscriptions to what is new', async () => {
    const client = createClient({ url: `${gateway().url}/graphql` });
    const numbers: string[] = [];
    const offers: string[] = [];
    subscribers.push({ client, numbers, offers });
    void (async () => {
      for await (const { number } of client.documentNumberIssued({})) numbers.push(number);
    })();
    void (async () => {
      for await (const { tripId } of client.tripOffered({})) offers.push(tripId);
    })();
    await until(async () => {
      const metrics = await (await fetch(`${gateway().url}/metrics`)).text();
      return metrics.includes('\nsolegate_gateway_streams 2\n');
    });
  });

  test('is ready, and says to operators and signed-in users what works and what to do', async () => {
    // By then, the tolerance of readiness has passed as well.
    await until(async () => {
      const metrics = await (await fetch(`${gateway().url}/metrics`)).text();
      return ['redis', 'nodeLease'].every((part) =>
        metrics.includes(`solegate_gateway_ready{part="${part}"} 0`),
      );
    });
    const response = await fetch(`${gateway().url}/health/ready`);
    const body = (await response.json()) as Json;
    expect([response.status, body.status]).toEqual([200, 'ready']);
    expect(body.away).toEqual({ redis: 'Redis does not answer', nodeLease: 'no node ID is leased' });
    const works = Object.fromEntries(body.promises.map(({ promise, works: does }: Json) => [promise, does]));
    expect(works).toEqual({
      NUMBERS: true,
      TRIPS: true,
      IDS: false,
      TRIP_UPDATES: true,
      ANNOUNCEMENTS: false,
      POSITIONS: false,
      RATE_LIMITS: true,
    });
    const { promises } = await ask(
      gateway(),
      '{ promises { promise works until limits { part reason effect action alert } } }',
      'driver-1',
    );
    expect(promises).toEqual(body.promises.map((one: Json) => ({ until: null, ...one })));
  });
});

test('once Redis is back, both gateways lease a node, mint IDs, and give ledger rows theirs; subscribers hear what is new', async () => {
  await redis.restart();
  const nodes = new Set<number>();
  for (const gateway of [older, younger]) {
    const minted = await until(async () => (await gateway.ask(MINT)).data?.generateTsids.ids);
    const { tsid } = await ask(gateway, `{ tsid(id: "${minted[0]}") { node } }`);
    nodes.add(tsid.node);
    expect((await ask(gateway, ISSUE)).issueDocumentNumber.id).toMatch(/^\d+$/);
  }
  expect(nodes.size).toBe(2);
  await until(
    async () => {
      await ask(older, ISSUE);
      await ask(older, 'mutation { requestTrip(input: {}) { __typename } }');
      return subscribers.every(({ numbers, offers }) => numbers.length > 0 && offers.length > 0);
    },
    { what: 'What is new, for subscribers of both' },
  );
});
