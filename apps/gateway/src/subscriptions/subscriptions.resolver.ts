import type { TripEvent } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../http/request-context.js';
import { DocumentNumber } from '../numbering/document-number.type.js';
import { TripEventObject } from '../trips/trip-event.type.js';
import { TripOfferObject } from '../trips/trip-offer.type.js';
import type { NumberFeed } from './number-feed.js';
import type { TripFeed } from './trip-feed.js';

/** Where subscriptions read; part of the request context, since a decorator cannot reach the resolver's own parts. */
export interface Feeds {
  readonly trips: TripFeed;
  readonly numbers: NumberFeed;
}

interface SubscribeCall<Args> {
  readonly args: Args;
  readonly context: RequestContext;
}

@Resolver()
export class SubscriptionsResolver {
  @Subscription(() => TripEventObject, {
    description:
      'Each change of a trip, once and in order. A client that was away gives the last revision it knows.',
    subscribe: ({ args, context }: SubscribeCall<{ tripId: bigint; afterRevision?: number | null }>) =>
      context.feeds.trips.updates(args.tripId, args.afterRevision ?? undefined, context.identity),
  })
  tripUpdated(
    @Root() event: TripEvent,
    @Arg('tripId', () => TsidScalar) _tripId: bigint,
    @Arg('afterRevision', () => Int, { nullable: true }) _afterRevision?: number,
  ): TripEventObject {
    return new TripEventObject(event);
  }

  @Subscription(() => TripOfferObject, {
    description: 'Offers that open for the caller, and that are gone again.',
    subscribe: ({ context }: SubscribeCall<object>) => context.feeds.trips.offers(context.identity),
  })
  tripOffered(@Root() event: TripEvent): TripOfferObject {
    return new TripOfferObject(event);
  }

  @Subscription(() => DocumentNumber, {
    description: 'Numbers as they are issued, at most once each; the ledger tells what was missed.',
    subscribe: ({ args, context }: SubscribeCall<{ projectId?: bigint | null }>) =>
      context.feeds.numbers.issued(args.projectId ?? undefined),
  })
  documentNumberIssued(
    @Root() issued: DocumentNumber,
    @Arg('projectId', () => TsidScalar, { nullable: true }) _projectId?: bigint,
  ): DocumentNumber {
    return issued;
  }
}
