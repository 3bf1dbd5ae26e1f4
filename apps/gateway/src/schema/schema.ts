import 'reflect-metadata';
import { type GraphQLFieldResolver, type GraphQLSchema, isInputObjectType, OperationTypeNode } from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import { CorrespondenceResolver } from '../correspondences/correspondence.resolver.js';
import { NumberedDocumentResolver } from '../correspondences/numbered-document.resolver.js';
import { clientLeft } from '../errors/gateway-error.js';
import type { RequestContext } from '../graphql/request-context.js';
import { ruleMismatches } from '../identity/operation-rules.js';
import { MasterDataResolver } from '../master-data/master-data.resolver.js';
import { ImportResolver } from '../numbering/corrections/import.resolver.js';
import { NumberLifeResolver } from '../numbering/corrections/number-life.resolver.js';
import { CounterResolver } from '../numbering/counters/counter.resolver.js';
import { NumberFactsResolver } from '../numbering/facts/number-facts.resolver.js';
import { IssueResolver } from '../numbering/issue/issue.resolver.js';
import { NumberSubscriptionsResolver } from '../numbering/issue/number-subscriptions.resolver.js';
import { AuditResolver } from '../numbering/ledger/audit.resolver.js';
import { LedgerResolver } from '../numbering/ledger/ledger.resolver.js';
import { SearchResolver } from '../numbering/ledger/search.resolver.js';
import { FormatResolver } from '../numbering/series/format.resolver.js';
import { SeriesResolver } from '../numbering/series/series.resolver.js';
import { OverviewResolver } from '../overview/overview.resolver.js';
import { DriverPositionResolver } from '../trips/driver-position.resolver.js';
import { TripEventFeedResolver } from '../trips/trip-event-feed.resolver.js';
import { TripMutationsResolver } from '../trips/trip-mutations.resolver.js';
import { TripQueriesResolver } from '../trips/trip-queries.resolver.js';
import { TripRideResolver } from '../trips/trip-ride.resolver.js';
import { TripSubscriptionsResolver } from '../trips/trip-subscriptions.resolver.js';
import { NodeFleetResolver } from '../tsid/node-fleet.resolver.js';
import { TsidResolver } from '../tsid/tsid.resolver.js';

const RESOLVERS = [
  TsidResolver,
  NodeFleetResolver,
  OverviewResolver,
  IssueResolver,
  LedgerResolver,
  SearchResolver,
  AuditResolver,
  NumberLifeResolver,
  SeriesResolver,
  CounterResolver,
  FormatResolver,
  ImportResolver,
  CorrespondenceResolver,
  MasterDataResolver,
  TripQueriesResolver,
  TripMutationsResolver,
  TripRideResolver,
  DriverPositionResolver,
  TripSubscriptionsResolver,
  NumberSubscriptionsResolver,
  NumberedDocumentResolver,
  NumberFactsResolver,
  TripEventFeedResolver,
] as const satisfies NonEmptyArray<NewableFunction>;

type ResolverClass = (typeof RESOLVERS)[number];

/** The instance of each resolver class. */
export type Resolvers = ReadonlyMap<ResolverClass, object>;

/** type-graphql requires one as soon as there is a subscription; every subscription here has its own source. */
const NO_PUB_SUB: PubSub = {
  publish() {
    throw new Error('subscriptions read from their feeds');
  },
  subscribe() {
    throw new Error('subscriptions read from their feeds');
  },
};

/**
 * Builds the GraphQL schema, as `schema.graphql` prints it. Inputs are validated where they are used, since a validator
 * for every input costs half of a small mutation.
 *
 * @param resolvers without them, the schema can be printed but not executed
 * @throws if an operation has no rule
 */
export function buildGatewaySchema(resolvers: Resolvers = new Map()): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: RESOLVERS,
    container: { get: (resolver: ResolverClass) => resolvers.get(resolver) },
    pubSub: NO_PUB_SUB,
    validate: false,
    // GraphQL itself validates the schema before it executes anything.
    skipCheck: true,
  });
  complete(schema);
  const { unruled } = ruleMismatches(schema);
  if (unruled.length > 0) throw new Error(`these operations have no rule: ${unruled.join(', ')}`);
  return schema;
}

const ROOTS: Readonly<Record<OperationTypeNode, string>> = {
  query: 'Read operations, without side effects.',
  mutation: 'Write operations. The actor comes from the token, never from an argument.',
  subscription: 'Live updates, over WebSocket or server-sent events.',
};
/** Inputs that take exactly one field. */
const ONE_OF = ['DocumentNumberBy'];

type Call = Parameters<GraphQLFieldResolver<unknown, RequestContext>>;

/** The fields of a mutation run one after the other; they are skipped once the client has disconnected. */
function stillWanted(call: Call): Call {
  if (call[2].isAbandoned) throw clientLeft();
  return call;
}

/** Adds what type-graphql cannot express: descriptions of the roots, @oneOf, and skipping of abandoned work. */
function complete(schema: GraphQLSchema): void {
  for (const kind of Object.values(OperationTypeNode)) {
    const root = schema.getRootType(kind);
    if (root) root.description = ROOTS[kind];
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve) field.resolve = (...call) => resolve(...stillWanted(call));
  }
  for (const name of ONE_OF) {
    const input = schema.getType(name);
    if (!isInputObjectType(input)) throw new Error(`${name} is not an input type`);
    input.isOneOf = true;
  }
}
