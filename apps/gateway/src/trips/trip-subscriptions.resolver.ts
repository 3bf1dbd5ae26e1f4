import type { TripEvent } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { SubscribeCall } from '../graphql/request-context.js';
import { TripFeed } from './trip-feed.js';
import { TripEventObject } from './types/trip-event.type.js';
import { TripOfferObject } from './types/trip-offer.type.js';

@Resolver()
export class TripSubscriptionsResolver {
  @Subscription(() => TripEventObject, {
    description:
      'Each change to a trip, once and in order. After a disconnect, pass the last known revision to resume.',
    subscribe: ({ args, context }: SubscribeCall<{ tripId: bigint; afterRevision?: number | null }>) =>
      context.feeds.get(TripFeed).updates(args.tripId, args.afterRevision ?? undefined, context.identity),
  })
  tripUpdated(
    @Root() event: TripEvent,
    @Arg('tripId', () => TsidScalar, { description: 'ID of the trip.' }) _tripId: bigint,
    @Arg('afterRevision', () => Int, {
      description:
        'Last known revision; later events are sent first. Default: the last event, then new ones.',
      nullable: true,
    })
    _afterRevision?: number,
  ): TripEventObject {
    return event;
  }

  @Subscription(() => TripOfferObject, {
    description: 'Offers to the calling driver, as they open and close.',
    subscribe: ({ context }: SubscribeCall<object>) => context.feeds.get(TripFeed).offers(context.identity),
  })
  tripOffered(@Root() event: TripEvent): TripOfferObject {
    return { ...event, state: event.status === 'FINDING' ? 'OPEN' : 'GONE' };
  }
}
