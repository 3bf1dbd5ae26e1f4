import type { TripEvent } from '@solegate/trip-reservation';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Int, Resolver, Root, Subscription } from 'type-graphql';
import { Arg } from '../graphql/described.js';
import type { FactBatch } from '../graphql/fact-readers.js';
import { Fields, field, ObjectType } from '../graphql/fields.js';
import type { SubscribeCall } from '../graphql/request-context.js';
import { TripEventFeed, TripFeed } from './trip-feed.js';
import { TripEventObject, TripOfferObject } from './types/trip-event.type.js';

@ObjectType('Events of trips, and where to continue after them.')
class TripEvents extends Fields({
  events: field([TripEventObject], 'Those of a trip in the order of its revisions; at most 100.'),
  cursor: field(
    String,
    'Opaque cursor after these events, at most 200 characters. Store it with what you made of them, and pass it as `after`.',
  ),
}) {}

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
    @Arg('tripId', () => TsidScalar, 'ID of the trip.') _tripId: bigint,
    @Arg(
      'afterRevision',
      () => Int,
      'Last known revision; later events are sent first. Default: the last event, then new ones.',
      { nullable: true },
    )
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

  @Subscription(() => TripEvents, {
    description:
      'Every change to every trip of a region and of those that share its database, each once, those of a trip in order, from any point: after a break, pass the last `cursor` as `after`. A person has at most 10 of these feeds at a gateway (TOO_MANY_FEEDS).',
    subscribe: ({ args, context }: SubscribeCall<{ region?: string | null; after?: string | null }>) =>
      context.feeds.get(TripEventFeed).follow(args, context),
  })
  tripEvents(
    @Root() { facts, cursor }: FactBatch<TripEvent>,
    @Arg(
      'region',
      () => String,
      'Region whose database to follow, with the trips of its other regions. Default: the first database.',
      { nullable: true },
    )
    _region?: string,
    @Arg(
      'after',
      () => String,
      'Cursor of the last events that you have. Default: from the oldest one that is kept.',
      { nullable: true },
    )
    _after?: string,
  ): TripEvents {
    return { events: facts, cursor };
  }
}
