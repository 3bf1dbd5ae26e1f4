import type { PubSub, PubSubEvent } from '@solegate/redis-infra';
import {
  decodeTripEvent,
  type TripEvent,
  TripNotFoundError,
  tripOfferChannel,
} from '@solegate/trip-reservation';
import type { Cell } from '../cells/cell.js';
import type { Cells } from '../cells/cells.js';
import { unavailable } from '../errors/gateway-error.js';
import { type Events, mapEvents, mergeSources, type Source, sharedMap } from '../graphql/events.js';
import { type FactBatch, type FactReaders, openWoken } from '../graphql/fact-readers.js';
import { given } from '../graphql/given.js';
import { listen } from '../graphql/listen.js';
import type { RequestContext } from '../graphql/request-context.js';
import type { Identity } from '../identity/identity.js';
import type { Trips } from './cell-trips.js';
import { TripWitness } from './trip-access.js';

/** Trip events for subscribers, as far as each is allowed to see them. */
export class TripFeed {
  readonly #offerIn = sharedMap((event: PubSubEvent) =>
    event.kind === 'MESSAGE' ? decodeTripEvent(event.payload) : undefined,
  );

  constructor(
    private readonly trips: Trips,
    private readonly cells: Cells,
    private readonly pubSub: PubSub,
  ) {}

  /**
   * Yields each change once and in order, even while Redis is unavailable; ends with the trip.
   *
   * @param afterRevision the last revision the subscriber knows; undefined: the last change first
   * @throws TripNotFoundError, GatewayError FORBIDDEN
   */
  async updates(
    tripId: bigint,
    afterRevision: number | undefined,
    identity: Identity,
  ): Promise<Events<TripEvent>> {
    const trip = await this.trips.findTrip(tripId);
    if (trip === undefined) throw new TripNotFoundError(tripId);
    const witness = new TripWitness(trip, identity, afterRevision);
    // Not from what is the last change by the time it watches: the witness has to see each one since the trip was read.
    const watch = await this.trips.watchTrip({ tripId, afterRevision: afterRevision ?? trip.revision - 1 });
    return mapEvents(
      watch,
      (event) => [witness.see(event)],
      (event) => witness.isLast(event),
    );
  }

  /** Yields offers of all trips as they open or close for a driver; ends with an error if some were missed. */
  async offers({ subjectId }: Identity): Promise<Events<TripEvent>> {
    const { running, all } = this.cells;
    const away = all.filter(({ hasStarted }) => !hasStarted);
    const channels = await Promise.all(
      running.map(async ({ trips }) => tripOfferChannel(await trips.namespace())),
    );
    const subscriptions = await Promise.all(channels.map((channel) => listen(this.pubSub, channel)));
    return mapEvents(mergeSources([...subscriptions, gapOnStart(away)]), (event) => {
      const offer = this.#offerIn(event);
      if (offer === undefined) {
        const whatToDo = 'Some events were missed; read the current state, then subscribe again.';
        throw unavailable('EVENTS_MISSED', whatToDo, 500);
      }
      const isForDriver = offer.offeredTo === 'EVERYONE' || offer.offeredTo.includes(subjectId);
      const hasLeft = offer.excludedDriverIds.includes(subjectId);
      return isForDriver && !hasLeft && offer.driverId !== subjectId ? [offer] : [];
    });
  }
}

/** A gap once one of these cells has started: its offers are not subscribed to. */
function gapOnStart(cells: readonly Cell[]): Source<PubSubEvent> {
  let stops: (() => void)[] = [];
  const gap = new Promise<IteratorResult<PubSubEvent>>((resolve) => {
    stops = cells.map((cell) => cell.onStarted(() => resolve({ done: false, value: { kind: 'GAP' } })));
  });
  return {
    next: () => gap,
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** The events of all trips of a region, from the outbox; published offers only end the wait for them. */
export class TripEventFeed {
  constructor(
    private readonly cells: Cells,
    private readonly pubSub: PubSub,
    private readonly readers: FactReaders,
  ) {}

  /** @throws {GatewayError} UNKNOWN_REGION, TOO_MANY_FEEDS; TripReservationError */
  async follow(
    { region, after }: { readonly region?: string | null; readonly after?: string | null },
    { identity, lastEventId }: RequestContext,
  ): Promise<Events<FactBatch<TripEvent>>> {
    const { trips } = this.cells.ofRegion(region).running;
    const channel = tripOfferChannel(await trips.namespace());
    return this.readers.batches(identity, () =>
      openWoken(this.pubSub, channel, (notices) =>
        trips.feed({ ...given({ after: lastEventId ?? after }), ...notices }),
      ),
    );
  }
}
