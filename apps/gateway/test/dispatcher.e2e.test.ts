import { beforeAll, expect, test } from '@jest/globals';
import { gatewayOfFile, type Json } from './gateway-fixture.js';

/** What an administrator does who watches over all trips. */
const gateway = gatewayOfFile();
const trips: string[] = [];

async function ask(query: string, as: string): Promise<Json> {
  const { data, errors } = await gateway.ask(query, { as });
  expect(errors).toEqual([]);
  return data;
}

async function listed(filter: string, rest = ''): Promise<readonly string[]> {
  const { trips: page } = await ask(
    `{ trips(filter: { ${filter} } ${rest}) { edges { node { id } } } }`,
    'admin-9',
  );
  return page.edges.map(({ node }: Json) => node.id);
}

beforeAll(async () => {
  for (const [rider, seconds] of [
    ['rider-1', 600],
    ['rider-2', 60],
    ['rider-1', 300],
  ] as const) {
    const request = `mutation { requestTrip(input: { offerTtlMs: ${seconds * 1_000}, offeredTo: ["41"] }) { ... on Trip { id } } }`;
    trips.push((await ask(request, rider)).requestTrip.id);
  }
});

test('finds trips by rider and driver, and those whose offers end first, page by page', async () => {
  const [first, second, third] = trips;
  expect(await listed('riderId: "1"')).toEqual([third, first]);
  expect(await listed('driverId: "41"')).toEqual([]);
  expect(await listed('lateFirst: true')).toEqual([second, third, first]);
  const { trips: page } = await ask(
    '{ trips(filter: { lateFirst: true }, first: 1) { pageInfo { endCursor } } }',
    'admin-9',
  );
  expect(await listed('lateFirst: true', `, first: 1, after: "${page.pageInfo.endCursor}"`)).toEqual([third]);
});

test('sees whom a trip was offered to, step by step', async () => {
  const [id] = trips;
  await ask(
    `mutation { broadcastTrip(input: { tripId: "${id}", offerEpoch: 1, offeredTo: ["42"] }) { __typename } }`,
    'admin-9',
  );
  await ask(
    `mutation { broadcastTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`,
    'admin-9',
  );
  const { tripOfferSteps } = await ask(
    `{ tripOfferSteps(tripId: "${id}") { offerEpoch revision driverIds } }`,
    'admin-9',
  );
  expect(tripOfferSteps).toEqual([
    { offerEpoch: 1, revision: 1, driverIds: ['41'] },
    { offerEpoch: 1, revision: 2, driverIds: expect.arrayContaining(['41', '42']) },
    { offerEpoch: 1, revision: 3, driverIds: null },
  ]);
});

test('cancels a trip that a driver has, which frees the driver and says by whom', async () => {
  const [, second, third] = trips;
  const accept = (id = '') =>
    ask(`mutation { acceptTrip(input: { tripId: "${id}", offerEpoch: 1 }) { __typename } }`, 'driver-41');
  await accept(second);
  const cancel = `mutation { cancelTrip(input: { tripId: "${second}", as: DISPATCHER }) {
    __typename ... on TripCancelled { trip { status cancelReason } } } }`;
  expect(await ask(cancel, 'admin-9')).toEqual({
    cancelTrip: { __typename: 'TripCancelled', trip: { status: 'CANCELLED', cancelReason: 'BY_DISPATCHER' } },
  });
  expect(await accept(third)).toEqual({ acceptTrip: { __typename: 'TripAccepted' } });
});

test('who names a part acts in that part alone, whatever other roles they have', async () => {
  const { requestTrip } = await ask('mutation { requestTrip(input: {}) { ... on Trip { id } } }', 'rider-5');
  const cancelAs = (part: string, as?: string) =>
    gateway.ask(
      `mutation { cancelTrip(input: { tripId: "${requestTrip.id}", as: ${part} }) { __typename } }`,
      as === undefined ? {} : { as },
    );
  // The demo's person 1 has every role.
  for (const [part, as] of [['RIDER'], ['DRIVER'], ['RIDER', 'admin-9'], ['DRIVER', 'rider-5']] as const) {
    const { errors } = await cancelAs(part, as);
    expect(errors.map(({ extensions }) => extensions.reason)).toEqual(['NOT_YOUR_TRIP']);
  }
  expect(await ask(`{ trip(id: "${requestTrip.id}") { status } }`, 'rider-5')).toEqual({
    trip: { status: 'FINDING' },
  });
  expect((await cancelAs('RIDER', 'rider-5')).data.cancelTrip.__typename).toBe('TripCancelled');
});

test('drivers receive no offer of a trip that they left, and nothing of one that was never offered', async () => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-demo-user': 'driver-51' },
    body: JSON.stringify({ query: 'subscription { tripOffered { tripId state offerEpoch } }' }),
  });
  expect(response.status).toBe(200);
  // Locked at once: when a response is collected whose body nobody reads yet, that ends the stream.
  const chunks = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  const request = async (input: string) =>
    (await ask(`mutation { requestTrip(input: { ${input} }) { ... on Trip { id } } }`, 'rider-6')).requestTrip
      .id;
  const change = (name: string, input: string, as: string) =>
    ask(`mutation { ${name}(input: { ${input} }) { __typename } }`, as);
  const left = await request('');
  await change('acceptTrip', `tripId: "${left}", offerEpoch: 1`, 'driver-51');
  await change('cancelTrip', `tripId: "${left}", as: DRIVER`, 'driver-51');
  await change('broadcastTrip', `tripId: "${left}", offerEpoch: 2`, 'admin-9');
  const scheduled = await request(`offerAt: "${new Date(Date.now() + 3_600_000).toISOString()}"`);
  await change('cancelTrip', `tripId: "${scheduled}"`, 'rider-6');
  const last = await request('offeredTo: ["51"]');
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.includes(last)) break;
  }
  const offers = [...text.matchAll(/^data: (\{.+)$/gm)].map(
    ([, data = '']) => JSON.parse(data).data.tripOffered,
  );
  expect(offers.filter(({ tripId }) => [left, scheduled, last].includes(tripId))).toEqual([
    { tripId: left, state: 'OPEN', offerEpoch: 1 },
    { tripId: last, state: 'OPEN', offerEpoch: 1 },
  ]);
});

test.each(['rider-3', 'driver-42'])('nobody else does: %s', async (as) => {
  const reasonOf = async (query: string) => (await gateway.ask(query, { as })).errors[0]?.extensions.reason;
  const [id] = trips;
  expect(
    await reasonOf(`mutation { cancelTrip(input: { tripId: "${id}", as: DISPATCHER }) { __typename } }`),
  ).toBe('NOT_YOUR_TRIP');
  expect(await reasonOf('{ trips(filter: { riderId: "1" }) { edges { node { id } } } }')).toBe(
    'NOT_YOUR_TRIP',
  );
  expect(await reasonOf(`{ tripOfferSteps(tripId: "${id}") { revision } }`)).toBe('ROLE_MISSING');
});
