import type { PubSub } from '@solegate/redis-infra';
import { type TripEvent, tripOfferChannel } from '@solegate/trip-reservation';
import type { Cells } from '../cells/cells.js';
import { type FactBatch, type FactReaders, openWoken } from '../graphql/fact-readers.js';
import type { Events } from '../graphql/mapped-iterator.js';
import type { RequestContext } from '../graphql/request-context.js';

/** The events of all trips of a region, from the outbox; published offers only end the wait for them. */
export class TripEventFeed {
  constructor(
    private readonly cells: Cells,
    private readonly pubSub: PubSub,
    private readonly readers: FactReaders,
  ) {}

  /** @throws {GatewayError} UNKNOWN_REGION; TripReservationError */
  async follow(
    { region, after: given }: { readonly region?: string | null; readonly after?: string | null },
    { lastEventId }: RequestContext,
  ): Promise<Events<FactBatch<TripEvent>>> {
    const { trips } = this.cells.ofRegion(region).running;
    const after = lastEventId ?? given ?? undefined;
    const channel = tripOfferChannel(await trips.namespace());
    const feed = await openWoken(this.pubSub, channel, (notices) =>
      trips.feed({ ...(after !== undefined && { after }), ...notices }),
    );
    return this.readers.batches(feed);
  }
}
