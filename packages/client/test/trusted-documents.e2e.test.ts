import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { WebSocket } from 'ws';
import { type ClientOptions, createClient, parseTsid } from '../src/index.js';
import { webSockets } from '../src/websocket/index.js';

/** The client against a gateway that runs no documents but those it knows by ID. */
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGatewayWithStores({ TRUSTED_DOCUMENTS_ONLY: 'on' });
}, 120_000);

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

test('a document of somebody else is refused', async () => {
  await expect(gateway.ask('{ __typename }')).rejects.toThrow('DOCUMENT_NOT_TRUSTED');
});

test('queries and mutations run', async () => {
  await using client = createClient({ url: gateway.url });
  const {
    ids: [tripId = parseTsid('0')],
  } = await client.generateTsids({ count: 1 });
  const input = {
    projectCode: 'DEMO',
    organizationCode: 'TEAM',
    typeCode: 'RFA',
    disciplineCode: 'STR',
  };
  expect(await client.issueDocumentNumber({ input })).toMatchObject({ __typename: 'DocumentNumber' });
  expect(await client.documentNumbers({ filter: { projectCode: 'DEMO' } })).toMatchObject({
    edges: [{ node: { sequence: 1 } }],
  });
  expect(await client.requestTrip({ input: { tripId } })).toMatchObject({ id: tripId, offerEpoch: 1 });
  expect(await client.acceptTrip({ input: { tripId, offerEpoch: 1 } })).toMatchObject({
    __typename: 'TripAccepted',
  });
});

describe('subscriptions run', () => {
  test.each<[string, () => Partial<ClientOptions>]>([
    ['by server-sent events', () => ({})],
    ['by WebSocket', () => ({ webSocket: webSockets({ implementation: WebSocket }) })],
  ])('%s', async (_how, options) => {
    await using client = createClient({ url: gateway.url, ...options() });
    const { id: tripId } = await client.requestTrip({ input: {} });
    for await (const event of client.tripUpdated({ tripId, afterRevision: 0 })) {
      expect(event.type).toBe('TRIP_REQUESTED');
      break;
    }
  });
});
