import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { type Client, createClient, OutcomeUnknownError, type Tsid } from '../src/index.js';
import { type Loss, type ReplyCutter, startReplyCutter } from './reply-cutter.js';

/**
 * The first reply of each of 300 calls is lost after the gateway has committed: the client retries with the same key, or
 * the same trip, and each call returns the result of its first attempt.
 */
const LOSSES: readonly Loss[] = ['nothing arrives', 'half of it arrives', 'a proxy answers instead'];
const PARALLEL = 10;
const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };
let gateway: GatewayProcess;
let cutter: ReplyCutter;
let client: Client;
let direct: Client;

beforeAll(async () => {
  gateway = await startGatewayWithStores();
  const known = new Set<string>();
  cutter = await startReplyCutter(gateway.url, (body) => {
    if (!body.includes('"query":"mutation') || known.has(body)) return undefined;
    known.add(body);
    return LOSSES[known.size % LOSSES.length];
  });
  client = createClient({ url: cutter.url });
  direct = createClient({ url: gateway.url });
});

afterAll(async () => {
  await client?.close();
  await direct?.close();
  await cutter?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

/** The answers of calls 0 to count - 1, a few at a time. */
async function callMany<Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) answers[index] = await call(index);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return answers;
}

/** Every number of the ledger. */
async function readLedger() {
  const numbers = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Client['documentNumbers']>> = await direct.documentNumbers({
      filter: { projectCode: 'DEMO', typeCode: 'RFA' },
      first: 100,
      after,
    });
    numbers.push(...page.edges.map(({ node }) => node));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return numbers;
}

async function readTripIds(): Promise<Tsid[]> {
  const page = await direct.trips({ filter: { as: 'RIDER' }, first: 100 });
  return page.edges.map(({ node }) => node.id);
}

test('300 replies are lost after the commit: nothing is done twice, nothing is lost, and each call gets its answer', async () => {
  const issued = await callMany(100, (index) =>
    client.issueDocumentNumber({ input: { ...series, reason: `number ${index}` } }),
  );
  const documents = await callMany(60, (index) =>
    client.createCorrespondence({ input: { ...series, subject: `document ${index}` } }),
  );
  const reserved = await callMany(40, (index) =>
    client.reserveDocumentNumber({ input: { ...series, reason: `held ${index}` } }),
  );
  const requested = await callMany(50, () => client.requestTrip({ input: {} }));
  const ended = await callMany(50, (index) =>
    client.cancelTrip({ input: { tripId: requested[index]?.id as Tsid, as: 'RIDER' } }),
  );
  expect(cutter.lostCount).toBe(300);

  const ledger = await readLedger();
  const numbers = [
    ...issued.map((result) => (result.__typename === 'DocumentNumber' ? result.number : result)),
    ...documents.map((result) => (result.__typename === 'Correspondence' ? result.documentNumber : result)),
    ...reserved.map((result) =>
      result.__typename === 'DocumentNumberReservation' ? result.documentNumber.number : result,
    ),
  ];
  expect(new Set(numbers).size).toBe(200);
  expect(ledger.map(({ sequence }) => sequence).sort((one, other) => one - other)).toEqual(
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
  const byNumber = new Map(ledger.map((entry) => [entry.number, entry]));
  expect(numbers.slice(0, 100).map((number) => byNumber.get(number as string)?.reason)).toEqual(
    Array.from({ length: 100 }, (_, index) => `number ${index}`),
  );

  const { edges } = await direct.correspondences({ first: 100 });
  const bySubject = new Map(edges.map(({ node }) => [node.subject, node.documentNumber]));
  expect(bySubject.size).toBe(60);
  expect(numbers.slice(100, 160)).toEqual(
    Array.from({ length: 60 }, (_, index) => bySubject.get(`document ${index}`)),
  );

  const tripIds = new Set(requested.map(({ id }) => id));
  expect(tripIds.size).toBe(50);
  expect(new Set(await readTripIds())).toEqual(tripIds);
  expect(ended.map(({ __typename }) => __typename)).toEqual(
    Array.from({ length: 50 }, () => 'TripCancelled'),
  );
  const histories = await callMany(50, (index) =>
    direct.tripHistory({ tripId: requested[index]?.id as Tsid }),
  );
  expect(histories.map((events) => events.map(({ type }) => type))).toEqual(
    Array.from({ length: 50 }, () => ['TRIP_REQUESTED', 'TRIP_CANCELLED']),
  );
});

test('a driver whose reply is lost gets the answer that they have the trip; a later driver, that it is taken', async () => {
  const trip = await direct.requestTrip({ input: {} });
  const input = { tripId: trip.id, offerEpoch: trip.offerEpoch };
  const as = (name: string) => createClient({ url: cutter.url, headers: { 'x-demo-user': name } });
  const first = await as('driver-41').acceptTrip({ input });
  const second = await as('driver-42').acceptTrip({ input });
  expect(first).toMatchObject({ __typename: 'TripAccepted', driverId: '41' });
  expect(second.__typename).toBe('TripTaken');
});

test('a mutation that a retry could execute twice is not retried, and its outcome is unknown', async () => {
  const lost = client.createProject({ input: { code: 'ONCE', name: 'A project' } });
  await expect(lost).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(lost).rejects.toMatchObject({ outcomeUnknown: true, retryable: false, attemptCount: 1 });
  const { edges } = await direct.projects({ first: 100 });
  expect(edges.filter(({ node }) => node.code === 'ONCE')).toHaveLength(1);
});
