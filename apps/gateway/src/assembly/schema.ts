import 'reflect-metadata';
import {
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isInputObjectType,
  isUnionType,
  OperationTypeNode,
} from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import { CorrespondenceResolver } from '../correspondences/correspondence.resolver.js';
import { correspondenceWriter } from '../correspondences/correspondence-writer.js';
import { NumberedDocumentResolver } from '../correspondences/numbered-document.resolver.js';
import type { RequestContext } from '../graphql/request-context.js';
import { ruleMismatches } from '../identity/operation-rules.js';
import { MasterDataResolver } from '../master-data/master-data.resolver.js';
import { NumberLifeResolver } from '../numbering/corrections/number-life.resolver.js';
import { CounterResolver } from '../numbering/counters/counter.resolver.js';
import { CounterOutlook } from '../numbering/counters/counter-outlook.js';
import { NumberSubscriptionsResolver } from '../numbering/facts/number-subscriptions.resolver.js';
import { IssueResolver } from '../numbering/issue/issue.resolver.js';
import type { IssuedFeed } from '../numbering/issue/issued-feed.js';
import { AuditResolver } from '../numbering/ledger/audit.resolver.js';
import { LedgerResolver } from '../numbering/ledger/ledger.resolver.js';
import { LedgerEntries } from '../numbering/ledger/ledger-entries.js';
import { FormatResolver } from '../numbering/series/format.resolver.js';
import { SeriesResolver } from '../numbering/series/series.resolver.js';
import { type OverviewParts, OverviewResolver } from '../overview/overview.resolver.js';
import { DriverPositionResolver } from '../trips/driver-position.resolver.js';
import { TripMutationsResolver } from '../trips/trip-mutations.resolver.js';
import { TripQueriesResolver } from '../trips/trip-queries.resolver.js';
import { TripSubscriptionsResolver } from '../trips/trip-subscriptions.resolver.js';
import { NodeFleetResolver } from '../tsid/node-fleet.resolver.js';
import { TsidResolver } from '../tsid/tsid.resolver.js';
import type { Services } from './services.js';

export interface ResolverParts extends Services {
  readonly feed: IssuedFeed;
  readonly overview: OverviewParts;
}

interface Parts extends ResolverParts {
  readonly entries: LedgerEntries;
}

/** How the one instance of each resolver class is created. */
const RESOLVERS = new Map<NewableFunction, (parts: Parts) => object>([
  [TsidResolver, ({ node, listFleet }) => new TsidResolver(node, listFleet)],
  [OverviewResolver, ({ overview }) => new OverviewResolver(overview)],
  [NodeFleetResolver, ({ node, listFleet }) => new NodeFleetResolver(node, listFleet)],
  [IssueResolver, ({ numbering, data, feed }) => new IssueResolver(numbering, data, feed)],
  [LedgerResolver, ({ numbering, data, entries }) => new LedgerResolver(numbering, data, entries)],
  [AuditResolver, ({ numbering, data }) => new AuditResolver(numbering, data)],
  [NumberLifeResolver, ({ numbering, data, feed }) => new NumberLifeResolver(numbering, data, feed)],
  [SeriesResolver, ({ numbering, data }) => new SeriesResolver(numbering, data)],
  [
    CounterResolver,
    ({ numbering, data }) =>
      new CounterResolver(numbering, data, new CounterOutlook(numbering, data, Date.now)),
  ],
  [FormatResolver, ({ numbering, data }) => new FormatResolver(numbering, data)],
  [
    CorrespondenceResolver,
    ({ numbering, data, feed, correspondences: store }) =>
      new CorrespondenceResolver({ writer: correspondenceWriter(numbering), store, data, feed }),
  ],
  [MasterDataResolver, ({ data }) => new MasterDataResolver(data)],
  [
    TripQueriesResolver,
    ({ data, trips, tripAttempts, cells }) => new TripQueriesResolver(trips, data, tripAttempts, cells),
  ],
  [TripMutationsResolver, ({ trips, cells, nearest }) => new TripMutationsResolver(trips, cells, nearest)],
  [DriverPositionResolver, ({ cells }) => new DriverPositionResolver(cells)],
  [TripSubscriptionsResolver, () => new TripSubscriptionsResolver()],
  [NumberSubscriptionsResolver, () => new NumberSubscriptionsResolver()],
  [
    NumberedDocumentResolver,
    ({ entries, correspondences }) => new NumberedDocumentResolver(correspondences, entries),
  ],
]);

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
 * @param given without them, the schema can be printed but not executed
 * @throws if an operation has no rule
 */
export function buildGatewaySchema(given?: ResolverParts): GraphQLSchema {
  const parts = given && { ...given, entries: new LedgerEntries(given.numbering, given.data) };
  const resolvers = new Map([...RESOLVERS].map(([type, create]) => [type, parts && create(parts)]));
  const schema = buildSchemaSync({
    resolvers: [...RESOLVERS.keys()] as unknown as NonEmptyArray<NewableFunction>,
    container: { get: (type: NewableFunction) => resolvers.get(type) },
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

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** The fields of a mutation run one after the other; they are skipped once the client has disconnected. */
function whileWanted(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const { refusal } = context;
    if (refusal !== undefined) throw refusal;
    return resolve(source, args, context, info);
  };
}

/**
 * Adds what type-graphql cannot express: descriptions of the roots, @oneOf, skipping of abandoned work, and that a union
 * of one type has only that, whatever the class of a value, with nothing to await.
 */
function complete(schema: GraphQLSchema): void {
  for (const kind of Object.values(OperationTypeNode)) {
    const root = schema.getRootType(kind);
    if (root) root.description = ROOTS[kind];
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (field.resolve) field.resolve = whileWanted(field.resolve);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    const [only, ...others] = isUnionType(type) ? type.getTypes() : [];
    if (isUnionType(type) && only && others.length === 0) type.resolveType = () => only.name;
  }
  for (const name of ONE_OF) {
    const input = schema.getType(name);
    if (!isInputObjectType(input)) throw new Error(`${name} is not an input type`);
    input.isOneOf = true;
  }
}
