import type { TripEvent } from '@solegate/trip-reservation';
import { Arg, Field, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { FactBatch } from '../graphql/fact-readers.js';
import type { SubscribeCall } from '../graphql/request-context.js';
import { TripEventFeed } from './trip-event-feed.js';
import { TripEventObject } from './types/trip-event.type.js';

@ObjectType({ description: 'Events of trips, and where to continue after them.' })
class TripEvents {
  @Field(() => [TripEventObject], {
    description: 'Those of a trip in the order of its revisions; at most 100.',
  })
  events!: readonly TripEventObject[];

  @Field(() => String, {
    description:
      'Opaque cursor after these events, at most 200 characters. Store it with what you made of them, and pass it as `after`.',
  })
  cursor!: string;
}

@Resolver()
export class TripEventFeedResolver {
  @Subscription(() => TripEvents, {
    description:
      'Every change to every trip of a region, each once, those of a trip in order, from any point: after a break, pass the last `cursor` as `after`.',
    subscribe: ({ args, context }: SubscribeCall<{ region?: string | null; after?: string | null }>) =>
      context.feeds.get(TripEventFeed).follow(args, context),
  })
  tripEvents(
    @Root() { facts, cursor }: FactBatch<TripEvent>,
    @Arg('region', () => String, {
      nullable: true,
      description: 'Region of the trips. Default: the first database.',
    })
    _region?: string,
    @Arg('after', () => String, {
      nullable: true,
      description: 'Cursor of the last events that you have. Default: from the oldest one that is kept.',
    })
    _after?: string,
  ): TripEvents {
    return { events: facts, cursor };
  }
}
