import type { TripEvent } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../graphql/request-context.js';
import { TripFeed } from './trip-feed.js';
import { TripEventObject } from './types/trip-event.type.js';
import { TripOfferObject } from './types/trip-offer.type.js';

interface SubscribeCall<Args> {
  readonly args: Args;
  readonly context: RequestContext;
}

@Resolver()
export class TripSubscriptionsResolver {
  @Subscription(() => TripEventObject, {
    description:
      'Each change of a trip, once and in order. A client that was away gives the last revision it knows.',
    subscribe: ({ args, context }: SubscribeCall<{ tripId: bigint; afterRevision?: number | null }>) =>
      context.feeds.get(TripFeed).updates(args.tripId, args.afterRevision ?? undefined, context.identity),
  })
  tripUpdated(
    @Root() event: TripEvent,
    @Arg('tripId', () => TsidScalar, { description: 'The trip.' }) _tripId: bigint,
    @Arg('afterRevision', () => Int, {
      description: 'The last revision that is known: what came after it is sent first. Default: from now on.',
      nullable: true,
    })
    _afterRevision?: number,
  ): TripEventObject {
    return new TripEventObject(event);
  }

  @Subscription(() => TripOfferObject, {
    description: 'Offers that open for the caller, and that are gone again.',
    subscribe: ({ context }: SubscribeCall<object>) => context.feeds.get(TripFeed).offers(context.identity),
  })
  tripOffered(@Root() event: TripEvent): TripOfferObject {
    return new TripOfferObject(event);
  }
}
