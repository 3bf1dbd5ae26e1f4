import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayProcess, startGatewayWithStores } from '@solegate/testkit';
import { cacheExchange, fetchExchange, Client as UrqlClient } from '@urql/core';
import {
  AcceptTripDocument,
  RequestTripDocument,
  TripDocument,
  TripsDocument,
} from '../src/generated/documents.js';

/** The documents in other clients that a frontend may use: the types follow from the document alone. */
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGatewayWithStores();
});

afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

test('Apollo Client runs the documents, with their types', async () => {
  const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: gateway.url }) });
  const requested = await client.mutate({ mutation: RequestTripDocument, variables: { input: {} } });
  const trip = requested.data?.requestTrip;
  if (trip === undefined) throw new Error('no trip');
  const input = { tripId: trip.id, offerEpoch: trip.offerEpoch };
  const { data } = await client.mutate({ mutation: AcceptTripDocument, variables: { input } });
  const outcome = data?.acceptTrip;
  expect(outcome?.__typename === 'TripAccepted' && outcome.driverId).toBe('1');
  const read = await client.query({ query: TripDocument, variables: { id: trip.id } });
  expect(read.data?.trip?.status).toBe('ACCEPTED');
  // @ts-expect-error a trip is named by its ID, not by a number
  await expect(client.query({ query: TripDocument, variables: { id: 5 } })).rejects.toThrow();
});

test('urql runs the documents, with their types', async () => {
  const client = new UrqlClient({
    url: gateway.url,
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange],
    // urql aborts a request that was answered, and Node calls that an unhandled rejection.
    fetch: (input, init) => fetch(input, { ...init, signal: null }),
  });
  const requested = await client.mutation(RequestTripDocument, { input: {} }).toPromise();
  const trip = requested.data?.requestTrip;
  if (trip === undefined) throw requested.error ?? new Error('no trip');
  const { data } = await client.query(TripsDocument, { first: 1 }).toPromise();
  expect(data?.trips.edges.map(({ node }) => node.id)).toEqual([trip.id]);
  // @ts-expect-error a trip is named by its ID, not by a number
  expect((await client.query(TripDocument, { id: 5 }).toPromise()).error).toBeDefined();
});
