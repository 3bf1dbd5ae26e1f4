import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import fastifyApollo from '@as-integrations/fastify';
import { createTsidGenerator } from '@solegate/tsid-core';
import Fastify, { type FastifyInstance } from 'fastify';
import mercurius from 'mercurius';
import { openOriginalNumbers } from '../../numbers/subjects/original-numbering.js';
import { type MintResolver, withDuties } from './mercurius-with-duties.js';
import type { Production } from './production.js';

/** A server to compare gateways with, in its own process. */
export type PeerServerOrder =
  | { readonly kind: 'raw fastify' }
  | { readonly kind: 'mercurius' }
  | { readonly kind: 'mercurius with duties'; readonly production?: Production }
  | { readonly kind: 'stock apollo on fastify' }
  | { readonly kind: 'original'; readonly databaseUrl: string; readonly redisUrl: string };

export type PeerServerAnswer =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string };

/** The gateway's own schema, so that both validate the same document and coerce the same type. */
const GATEWAY_SCHEMA = new URL('../../../../gateway/schema.graphql', import.meta.url);

const ORIGINAL_SCHEMA = `
  input IssueDocumentNumberInput {
    projectCode: String! organizationCode: String! typeCode: String! disciplineCode: String!
  }
  type DocumentNumber { number: String! sequence: Int! }
  type Query { healthy: Boolean! }
  type Mutation { issueDocumentNumber(input: IssueDocumentNumberInput!): DocumentNumber! }
`;

const generator = createTsidGenerator({ node: 7 });

/** The result of the mutation, as a member of its union. */
const mint: MintResolver = async (_parent, { count }) => ({
  __typename: 'TsidsGenerated',
  ids: Array.from({ length: count }, () => generator.nextString()),
});

async function build(order: PeerServerOrder): Promise<FastifyInstance> {
  const app = Fastify();
  switch (order.kind) {
    case 'raw fastify':
      app.post<{ Body: { variables: { count: number } } }>('/graphql', async ({ body }) => ({
        data: { generateTsids: await mint(undefined, body.variables) },
      }));
      return app;
    case 'mercurius':
      await app.register(mercurius, {
        schema: readFileSync(GATEWAY_SCHEMA, 'utf8'),
        resolvers: { Mutation: { generateTsids: mint } },
      });
      return app;
    case 'mercurius with duties':
      return withDuties(readFileSync(GATEWAY_SCHEMA, 'utf8'), mint, order.production);
    case 'stock apollo on fastify':
      await withApollo(app, readFileSync(GATEWAY_SCHEMA, 'utf8'), { generateTsids: mint });
      return app;
    case 'original':
      await withApollo(app, ORIGINAL_SCHEMA, await originalResolvers(order));
      return app;
  }
}

type Resolvers = Readonly<Record<string, (parent: unknown, input: never) => Promise<unknown>>>;

async function withApollo(app: FastifyInstance, typeDefs: string, mutation: Resolvers): Promise<void> {
  const server = new ApolloServer({
    typeDefs,
    resolvers: { Mutation: mutation },
    stopOnTerminationSignals: false,
  });
  await server.start();
  await app.register(fastifyApollo(server));
}

async function originalResolvers(order: Extract<PeerServerOrder, { kind: 'original' }>): Promise<Resolvers> {
  const { next: nextNumber } = await openOriginalNumbers({ ...order, poolSize: 20 });
  return {
    issueDocumentNumber: async (_parent: unknown, { input }: { input: { projectCode: string } }) => {
      const sequence = await nextNumber(input.projectCode);
      return { sequence, number: `${input.projectCode}-${String(sequence).padStart(4, '0')}` };
    },
  };
}

process.on('message', (order: PeerServerOrder) => {
  void build(order)
    .then((app) => app.listen({ host: '127.0.0.1', port: 0 }))
    .then(
      (address): PeerServerAnswer => ({ kind: 'listening', url: `${address}/graphql` }),
      (error: unknown): PeerServerAnswer => ({ kind: 'failed', message: String(error) }),
    )
    .then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => undefined);
