import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import { CorrespondenceResolver } from '../correspondences/correspondence.resolver.js';
import { NumberedDocumentResolver } from '../correspondences/numbered-document.resolver.js';
import { ruleMismatches } from '../identity/operation-rules.js';
import { MasterDataResolver } from '../master-data/master-data.resolver.js';
import { CounterResolver } from '../numbering/counter.resolver.js';
import { FormatResolver } from '../numbering/format.resolver.js';
import { ImportResolver } from '../numbering/import.resolver.js';
import { IssueResolver } from '../numbering/issue.resolver.js';
import { LedgerResolver } from '../numbering/ledger.resolver.js';
import { NumberSubscriptionsResolver } from '../numbering/number-subscriptions.resolver.js';
import { TripMutationsResolver } from '../trips/trip-mutations.resolver.js';
import { TripQueriesResolver } from '../trips/trip-queries.resolver.js';
import { TripSubscriptionsResolver } from '../trips/trip-subscriptions.resolver.js';
import { TsidResolver } from '../tsid/tsid.resolver.js';

const RESOLVERS = [
  TsidResolver,
  IssueResolver,
  LedgerResolver,
  CounterResolver,
  FormatResolver,
  ImportResolver,
  CorrespondenceResolver,
  MasterDataResolver,
  TripQueriesResolver,
  TripMutationsResolver,
  TripSubscriptionsResolver,
  NumberSubscriptionsResolver,
  NumberedDocumentResolver,
] as const satisfies NonEmptyArray<NewableFunction>;

type ResolverClass = (typeof RESOLVERS)[number];

/** The object that answers for each resolver class. */
export type Resolvers = ReadonlyMap<ResolverClass, object>;

/** type-graphql asks for one as soon as there is a subscription; every subscription here brings its own source. */
const NO_PUB_SUB: PubSub = {
  publish() {
    throw new Error('subscriptions read from their feeds');
  },
  subscribe() {
    throw new Error('subscriptions read from their feeds');
  },
};

/**
 * The GraphQL schema, as `schema.graphql` prints it. Inputs are judged where they are used, since a validator for every
 * input costs half of a small mutation.
 *
 * @param resolvers without it the schema can be printed and cannot answer
 * @throws when an operation has no rule
 */
export function buildGatewaySchema(resolvers: Resolvers = new Map()): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: RESOLVERS,
    container: { get: (resolver: ResolverClass) => resolvers.get(resolver) },
    pubSub: NO_PUB_SUB,
    validate: false,
  });
  const { unruled } = ruleMismatches(schema);
  if (unruled.length > 0) throw new Error(`these operations have no rule: ${unruled.join(', ')}`);
  return schema;
}
