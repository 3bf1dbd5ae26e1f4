import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '../src/index.js';
import { startGateway, type TestGateway } from './gateway.js';

let gateway: TestGateway;
let client: Client;

beforeAll(async () => {
  gateway = await startGateway();
  client = createClient({ url: gateway.url });
}, 120_000);

afterAll(async () => {
  await client?.close();
  await gateway?.[Symbol.asyncDispose]();
});

const series = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };

test('a number', async () => {
  const result = await client.issueDocumentNumber({ input: series });
  expect(result).toMatchObject({ __typename: 'DocumentNumber', sequence: 1 });
});

test('a trip', async () => {
  const trip = await client.requestTrip({ input: {} });
  const accepted = await client.acceptTrip({ input: { tripId: trip.id, offerEpoch: trip.offerEpoch } });
  expect(accepted.__typename).toBe('TripAccepted');
});

test('a trip is watched', async () => {
  const trip = await client.requestTrip({ input: {} });
  const events: string[] = [];
  for await (const event of client.tripUpdated({ tripId: trip.id, afterRevision: 0 })) {
    events.push(event.status);
    if (event.revision === 1) await client.cancelTrip({ input: { tripId: trip.id, as: 'RIDER' } });
  }
  expect(events).toEqual(['FINDING', 'CANCELLED']);
});
