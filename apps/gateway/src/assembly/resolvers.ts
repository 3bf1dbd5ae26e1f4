import { CorrespondenceResolver } from '../correspondences/correspondence.resolver.js';
import { correspondenceWriter } from '../correspondences/correspondence-writer.js';
import { NumberedDocumentResolver } from '../correspondences/numbered-document.resolver.js';
import { MasterDataResolver } from '../master-data/master-data.resolver.js';
import { ImportResolver } from '../numbering/corrections/import.resolver.js';
import { NumberLifeResolver } from '../numbering/corrections/number-life.resolver.js';
import { CounterResolver } from '../numbering/counters/counter.resolver.js';
import { CounterOutlook } from '../numbering/counters/counter-outlook.js';
import { NumberFactsResolver } from '../numbering/facts/number-facts.resolver.js';
import { IssueResolver } from '../numbering/issue/issue.resolver.js';
import type { IssuedFeed } from '../numbering/issue/issued-feed.js';
import { NumberSubscriptionsResolver } from '../numbering/issue/number-subscriptions.resolver.js';
import { AuditResolver } from '../numbering/ledger/audit.resolver.js';
import { LedgerResolver } from '../numbering/ledger/ledger.resolver.js';
import { LedgerEntries } from '../numbering/ledger/ledger-entries.js';
import { SearchResolver } from '../numbering/ledger/search.resolver.js';
import { FormatResolver } from '../numbering/series/format.resolver.js';
import { SeriesResolver } from '../numbering/series/series.resolver.js';
import { type OverviewParts, OverviewResolver } from '../overview/overview.resolver.js';
import type { Resolvers } from '../schema/schema.js';
import { DriverPositionResolver } from '../trips/driver-position.resolver.js';
import { TripEventFeedResolver } from '../trips/trip-event-feed.resolver.js';
import { TripMutationsResolver } from '../trips/trip-mutations.resolver.js';
import { TripQueriesResolver } from '../trips/trip-queries.resolver.js';
import { TripRideResolver } from '../trips/trip-ride.resolver.js';
import { TripSubscriptionsResolver } from '../trips/trip-subscriptions.resolver.js';
import { NodeFleetResolver } from '../tsid/node-fleet.resolver.js';
import { TsidResolver } from '../tsid/tsid.resolver.js';
import type { Services } from './services.js';

export interface ResolverParts {
  readonly feed: IssuedFeed;
  readonly overview: OverviewParts;
}

/** Creates the resolvers with their dependencies. */
export function createResolvers(services: Services, { feed, overview }: ResolverParts): Resolvers {
  const { cells, node, listFleet, data, correspondences, numbering, trips, nearest, tripAttempts } = services;
  const mint = (space: string) => data.mintFor(space);
  const entries = new LedgerEntries(numbering);
  const writer = correspondenceWriter(numbering);
  return new Map<Parameters<Resolvers['get']>[0], object>([
    [TsidResolver, new TsidResolver((count) => node.mintMany(count), listFleet)],
    [OverviewResolver, new OverviewResolver(overview)],
    [NodeFleetResolver, new NodeFleetResolver(node, listFleet)],
    [IssueResolver, new IssueResolver(numbering, data, data.mintRowId, feed)],
    [LedgerResolver, new LedgerResolver(numbering, data, entries)],
    [SearchResolver, new SearchResolver(numbering, data)],
    [AuditResolver, new AuditResolver(numbering, data)],
    [NumberLifeResolver, new NumberLifeResolver(numbering, data, data.mintRowId, feed)],
    [SeriesResolver, new SeriesResolver(numbering, data, data.mintRowId)],
    [CounterResolver, new CounterResolver(numbering, data, new CounterOutlook(numbering, Date.now))],
    [FormatResolver, new FormatResolver(numbering, data, data.mintRowId)],
    [ImportResolver, new ImportResolver(numbering, data, data.mintRowId)],
    [CorrespondenceResolver, new CorrespondenceResolver({ writer, store: correspondences, data, mint })],
    [MasterDataResolver, new MasterDataResolver(data)],
    [TripQueriesResolver, new TripQueriesResolver(trips, data, tripAttempts, cells)],
    [TripMutationsResolver, new TripMutationsResolver(trips, cells, nearest)],
    [TripRideResolver, new TripRideResolver(trips)],
    [DriverPositionResolver, new DriverPositionResolver(cells)],
    [TripSubscriptionsResolver, new TripSubscriptionsResolver()],
    [NumberSubscriptionsResolver, new NumberSubscriptionsResolver()],
    [NumberFactsResolver, new NumberFactsResolver()],
    [TripEventFeedResolver, new TripEventFeedResolver()],
    [NumberedDocumentResolver, new NumberedDocumentResolver(correspondences, entries)],
  ]);
}
