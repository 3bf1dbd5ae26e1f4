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
  | { readonly kind: 'mercurius' }
  | { readonly kind: 'mercurius with duties'; readonly production?: Production }
  | { readonly kind: 'original'; readonly databaseUrl: string; readonly redisUrl: string };

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
  if (order.kind === 'original') return originalGateway(order);
  const schema = readFileSync(GATEWAY_SCHEMA, 'utf8');
  if (order.kind === 'mercurius with duties') return withDuties(schema, mint, order.production);
  const app = Fastify();
  await app.register(mercurius, { schema, resolvers: { Mutation: { generateTsids: mint } } });
  return app;
}

async function originalGateway(
  stores: Extract<PeerServerOrder, { kind: 'original' }>,
): Promise<FastifyInstance> {
  const { next } = openOriginalNumbers({ ...stores, poolSize: 20 });
  const issueDocumentNumber = async (_parent: unknown, { input }: { input: { projectCode: string } }) => {
    const sequence = await next(input.projectCode);
    return { sequence, number: `${input.projectCode}-${String(sequence).padStart(4, '0')}` };
  };
  const server = new ApolloServer({
    typeDefs: ORIGINAL_SCHEMA,
    resolvers: { Mutation: { issueDocumentNumber } },
    stopOnTerminationSignals: false,
  });
  await server.start();
  const app = Fastify();
  await app.register(fastifyApollo(server));
  return app;
}

/** Serves in this process, and returns the address of its GraphQL endpoint. */
export async function serve(order: PeerServerOrder): Promise<string> {
  const app = await build(order);
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
}
