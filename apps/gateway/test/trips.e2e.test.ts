import { describe, expect, test } from '@jest/globals';
import { until } from '@solegate/testkit';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** The life of a trip over GraphQL. The caller's identity determines the rider or driver, never an argument. */
const gateway = gatewayOfFile();

async function ask(query: string, as: string): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

const request = async (rider: string, input = ''): Promise<string> =>
  (await ask(`mutation { requestTrip(input: { ${input} }) { ... on Trip { id } } }`, rider)).requestTrip.id;
/** Like a client: retries while the outcome is undecided. */
const answer = (verb: 'acceptTrip' | 'rejectTrip', id: string, driver: string, offerEpoch = 1) =>
  until(async () => {
    const answered = await ask(
      `mutation { ${verb}(input: { tripId: "${id}", offerEpoch: ${offerEpoch} }) {
      __typename
      ... on TripRefusal { message }
      ${verb === 'acceptTrip' ? '... on DriverBusy { activeTripId }' : ''}
      ... on TripNotOpen { status }
      ... on StaleOffer { currentEpoch }
      ... on NotOffered { reason }
      ... on TripAccepted { driverId acceptedAt }
    } }`,
      driver,
    );
    return answered[verb].__typename === 'TripUndecided' ? undefined : answered[verb];
  });
const move = async (verb: 'startTrip' | 'completeTrip', id: string, driver: string) =>
  (
    await ask(
      `mutation { ${verb}(input: { tripId: "${id}" }) { __typename ... on TripNotOpen { status } } }`,
      driver,
    )
  )[verb];
const cancel = async (id: string, who: string) =>
  (
    await ask(
      `mutation { cancelTrip(input: { tripId: "${id}" }) {
    __typename ... on TripCancelled { trip { status } } ... on TripRedispatched { trip { status offerEpoch } }
  } }`,
      who,
    )
  ).cancelTrip;

describe('the life of a trip', () => {
  test('can begin at a place without an address, whether it is left out or null', async () => {
    for (const address of ['', 'address: null']) {
      const id = await request('rider-1', `pickup: { latitude: 13.75, longitude: 100.5, ${address} }`);
      const { trip } = await ask(`{ trip(id: "${id}") { pickup { address } } }`, 'rider-1');
      expect(trip.pickup).toEqual({ address: null });
    }
  });

  test('from the request to its end, with people and places', async () => {
    const id = await request('rider-1', 'pickup: { latitude: 13.75, longitude: 100.5, address: "Bangkok" }');
    expect(await answer('acceptTrip', id, 'driver-2')).toMatchObject({
      __typename: 'TripAccepted',
      driverId: '2',
    });
    expect(await move('startTrip', id, 'driver-2')).toEqual({ __typename: 'TripStarted' });
    expect(await move('completeTrip', id, 'driver-2')).toEqual({ __typename: 'TripCompleted' });
    const { trip } = await ask(
      `{ trip(id: "${id}") {
      status rider { name } driver { name } pickup { latitude address } dropoff { latitude } acceptedAt endedAt
    } }`,
      'rider-1',
    );
    expect(trip).toMatchObject({
      status: 'COMPLETED',
      rider: { name: 'Anong' },
      driver: { name: 'Boonmee' },
      pickup: { latitude: 13.75, address: 'Bangkok' },
      dropoff: null,
    });
    const { tripHistory } = await ask(`{ tripHistory(tripId: "${id}") { type revision } }`, 'rider-1');
    expect(tripHistory.map(({ type }: { type: string }) => type)).toEqual([
      'TRIP_REQUESTED',
      'TRIP_ACCEPTED',
      'TRIP_STARTED',
      'TRIP_COMPLETED',
    ]);
  });

  test('repeats get the same answer', async () => {
    const id = await request('rider-1');
    const first = await answer('acceptTrip', id, 'driver-10');
    expect(await answer('acceptTrip', id, 'driver-10')).toEqual(first);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await cancel(id, 'rider-1')).toEqual({
        __typename: 'TripCancelled',
        trip: { status: 'CANCELLED' },
      });
    }
  });

  test('a request with a key or a chosen ID is executed once', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => request('rider-3', 'idempotencyKey: "home"')));
    expect(second).toBe(first);
    const { generateTsids } = await ask(
      'mutation { generateTsids { ... on TsidsGenerated { ids } } }',
      'rider-3',
    );
    const input = `tripId: "${generateTsids.ids[0]}"`;
    expect([await request('rider-3', input), await request('rider-3', input)]).toEqual([
      ...generateTsids.ids,
      ...generateTsids.ids,
    ]);
  });
});

test('the ID 0 is an ID, not a missing one', async () => {
  const reasonOf = async (query: string): Promise<unknown> =>
    (await gateway.ask(query, { as: 'rider-79' })).errors[0]?.extensions.reason;
  expect(await reasonOf('{ trips(filter: { riderId: "0" }) { edges { cursor } } }')).toBe('NOT_YOUR_TRIP');
  expect(await reasonOf('mutation { requestTrip(input: { tripId: "0" }) { __typename } }')).toBe(
    'INVALID_REQUEST',
  );
});

describe('refusals', () => {
  test('each kind is a member of the union, with its own data', async () => {
    const taken = await request('rider-1');
    await answer('acceptTrip', taken, 'driver-20');
    expect(await answer('acceptTrip', taken, 'driver-21')).toMatchObject({
      __typename: 'TripTaken',
      message: expect.stringMatching(/already taken/),
    });

    const other = await request('rider-1');
    expect(await answer('acceptTrip', other, 'driver-20')).toMatchObject({
      __typename: 'DriverBusy',
      activeTripId: taken,
    });

    await cancel(other, 'rider-1');
    // Driver 20's hold is released after the answer; until then others get a provisional TAKEN.
    const late = await until(async () => {
      const answered = await answer('acceptTrip', other, 'driver-22');
      return answered.__typename === 'TripTaken' ? undefined : answered;
    });
    expect(late).toMatchObject({ __typename: 'TripNotOpen', status: 'CANCELLED' });

    const listed = await request('rider-1', 'offeredTo: ["23"]');
    expect(await answer('acceptTrip', listed, 'driver-24')).toMatchObject({
      __typename: 'NotOffered',
      reason: 'NOT_LISTED',
    });
    expect(await answer('acceptTrip', listed, 'driver-23', 2)).toMatchObject({
      __typename: 'NotOffered',
      reason: 'NO_SUCH_OFFER',
    });
    expect(await answer('rejectTrip', listed, 'driver-23')).toMatchObject({ __typename: 'TripRejected' });
    expect(await answer('acceptTrip', listed, 'driver-23')).toMatchObject({
      __typename: 'NotOffered',
      reason: 'REJECTED',
    });
    expect(await move('startTrip', other, 'driver-20').catch(() => 'refused')).toBe('refused');
  });

  test('a driver who cancels is excluded from the next offer, and the old offer is stale for everyone', async () => {
    const id = await request('rider-1');
    await answer('acceptTrip', id, 'driver-30');
    expect(await cancel(id, 'driver-30')).toEqual({
      __typename: 'TripRedispatched',
      trip: { status: 'FINDING', offerEpoch: 2 },
    });
    expect(await answer('acceptTrip', id, 'driver-31')).toMatchObject({
      __typename: 'StaleOffer',
      currentEpoch: 2,
    });
    expect(await answer('acceptTrip', id, 'driver-30', 2)).toMatchObject({
      __typename: 'NotOffered',
      reason: 'EXCLUDED',
    });
    expect(await answer('acceptTrip', id, 'driver-31', 2)).toMatchObject({ __typename: 'TripAccepted' });
  });
});

describe('lists', () => {
  test('riders see their own trips and administrators all trips, page by page', async () => {
    const mine: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) mine.push(await request('rider-77'));
    await request('rider-78');
    const page = async (as: string, args: string) =>
      (
        await ask(
          `{ trips(${args}) { edges { node { id riderId } } pageInfo { endCursor hasNextPage } } }`,
          as,
        )
      ).trips;
    const first = await page('rider-77', 'first: 3');
    const second = await page('rider-77', `first: 3, after: "${first.pageInfo.endCursor}"`);
    const ids = [...first.edges, ...second.edges].map(({ node }: { node: { id: string } }) => node.id);
    expect(ids).toEqual(mine.toReversed());
    expect(second.pageInfo.hasNextPage).toBe(false);
    const all = await page('admin-1', 'first: 100');
    expect(
      new Set(all.edges.map(({ node }: { node: { riderId: string } }) => node.riderId)).size,
    ).toBeGreaterThan(2);
    const open = await page('admin-1', 'first: 100, filter: { status: COMPLETED }');
    expect(open.edges).toHaveLength(1);
  });
});
