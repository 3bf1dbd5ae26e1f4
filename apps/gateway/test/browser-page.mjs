import { ApolloClient, ApolloLink, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client, cacheExchange, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';

/*
 * A page like a frontend's, with three clients: plain fetch, Apollo Client and urql. Each runs a mutation, a query and a
 * subscription, and reports their outcomes.
 */

const REQUEST = 'mutation Request { requestTrip(input: {}) { ... on Trip { id status } } }';
const READ = 'query Read($id: TSID!) { trip(id: $id) { id status } }';
const WATCH =
  'subscription Watch($id: TSID!) { tripUpdated(tripId: $id, afterRevision: 0) { revision status } }';

const kinds = {
  fetch: ({ url, token }) => {
    const post = (body, accept) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const ask = async (body) => (await (await post(body, 'application/graphql-response+json')).json()).data;
    return {
      mutate: () => ask({ query: REQUEST }),
      query: (id) => ask({ query: READ, variables: { id } }),
      first: async (id) => {
        const { body } = await post({ query: WATCH, variables: { id } }, 'text/event-stream');
        const reader = body.pipeThrough(new TextDecoderStream()).getReader();
        for (let text = ''; ; ) {
          const { value, done } = await reader.read();
          if (done) throw new Error('the stream ended');
          text += value;
          const [, event] = /event: next\ndata: (.*)\n\n/.exec(text) ?? [];
          if (event === undefined) continue;
          await reader.cancel();
          return JSON.parse(event).data;
        }
      },
    };
  },

  apollo: ({ url, socketUrl, token }) => {
    const sockets = createClient({
      url: socketUrl,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.split(
        ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
        new GraphQLWsLink(sockets),
        new HttpLink({ uri: url, headers: { authorization: `Bearer ${token}` } }),
      ),
    });
    return {
      mutate: async () => (await client.mutate({ mutation: apolloGql(REQUEST) })).data,
      query: async (id) => (await client.query({ query: apolloGql(READ), variables: { id } })).data,
      first: (id) =>
        new Promise((resolve, reject) => {
          const watching = client.subscribe({ query: apolloGql(WATCH), variables: { id } }).subscribe({
            next: ({ data, error }) => {
              if (error) return reject(error);
              resolve(data);
              setTimeout(() => watching.unsubscribe());
            },
            error: reject,
          });
        }),
    };
  },

  urql: ({ url, socketUrl, token }) => {
    const sockets = createClient({
      url: socketUrl,
      retryAttempts: 0,
      connectionParams: { authorization: `Bearer ${token}` },
    });
    const client = new Client({
      url,
      preferGetMethod: false,
      fetchOptions: { headers: { authorization: `Bearer ${token}` } },
      exchanges: [
        cacheExchange,
        fetchExchange,
        subscriptionExchange({
          forwardSubscription: (request) => ({
            subscribe: (sink) => ({ unsubscribe: sockets.subscribe(request, sink) }),
          }),
        }),
      ],
    });
    const dataOf = ({ data, error }) => {
      if (error) throw error;
      return data;
    };
    return {
      mutate: async () => dataOf(await client.mutation(gql(REQUEST), {}).toPromise()),
      query: async (id) => dataOf(await client.query(gql(READ), { id }).toPromise()),
      first: (id) =>
        new Promise((resolve, reject) => {
          const watching = client.subscription(gql(WATCH), { id }).subscribe((result) => {
            if (result.error) return reject(result.error);
            resolve(result.data);
            setTimeout(() => watching.unsubscribe());
          });
        }),
    };
  },
};

/** The outcome of each operation: `ok`, `nothing` (an unexpected answer) or `failed`. */
globalThis.run = async (kind, gateway, knownId) => {
  const { mutate, query, first } = kinds[kind](gateway);
  let id = knownId;
  const attempt = async (work) => {
    try {
      return (await work()) ? 'ok' : 'nothing';
    } catch {
      return 'failed';
    }
  };
  return {
    mutation: await attempt(async () => {
      const { requestTrip } = await mutate();
      id = requestTrip.id;
      return requestTrip.status === 'FINDING';
    }),
    query: await attempt(async () => (await query(id)).trip.id === id),
    subscription: await attempt(async () => (await first(id)).tripUpdated.revision === 1),
  };
};
