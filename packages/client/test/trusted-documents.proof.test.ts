import { readFileSync } from 'node:fs';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { fetchExchange, mapExchange, Client as UrqlClient } from '@urql/core';
import { type DocumentNode, getOperationAST } from 'graphql';
import { WebSocket } from 'ws';
import { RequestTripDocument, TripsDocument } from '../src/generated/documents.js';
import { type ClientOptions, createClient, parseTsid } from '../src/index.js';
import { webSockets } from '../src/websocket/index.js';

/** The client against a gateway that runs no documents but those it knows by ID. */
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGatewayWithStores({ TRUSTED_DOCUMENTS_ONLY: 'on' });
});

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

describe('by the IDs of the shipped manifest', () => {
  const path = new URL('../documents.json', import.meta.url);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { operations: { name: string; id: string }[] };
  const ids = new Map(manifest.operations.map(({ name, id }) => [name, id]));
  const idOf = (document: DocumentNode): string =>
    ids.get(getOperationAST(document)?.name?.value ?? '') ?? '';

  test('Apollo Client runs queries and mutations', async () => {
    const byId = new PersistedQueryLink({ generateHash: idOf });
    const link = byId.concat(new HttpLink({ uri: gateway.url }));
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    const once = { fetchPolicy: 'no-cache' } as const;
    const asked = await client.mutate({ mutation: RequestTripDocument, variables: { input: {} }, ...once });
    const id = asked.data?.requestTrip.id;
    const read = await client.query({ query: TripsDocument, variables: { first: 1 }, ...once });
    expect(read.data?.trips.edges).toMatchObject([{ node: { id, status: 'FINDING' } }]);
  });

  test('urql runs queries and mutations', async () => {
    const byId = mapExchange({
      onOperation: (operation) => ({
        ...operation,
        extensions: { persistedQuery: { version: 1, sha256Hash: idOf(operation.query) } },
      }),
    });
    const client = new UrqlClient({
      url: gateway.url,
      preferGetMethod: false,
      exchanges: [byId, fetchExchange],
      // urql aborts a request that was answered, and Node calls that an unhandled rejection.
      fetch: (input, init) => fetch(input, { ...init, signal: null }),
    });
    const asked = await client.mutation(RequestTripDocument, { input: {} }).toPromise();
    const id = asked.data?.requestTrip.id;
    const { data } = await client.query(TripsDocument, { first: 1 }).toPromise();
    expect(data?.trips.edges).toMatchObject([{ node: { id, status: 'FINDING' } }]);
  });
});
