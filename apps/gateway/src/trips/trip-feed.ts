import type { PubSub, PubSubEvent, Subscription } from '@solegate/redis-infra';
import {
  decodeTripEvent,
  TRIP_OFFER_CHANNEL,
  type TripEvent,
  TripNotFoundError,
  type TripReservation,
  type TripStatus,
  tripEventChannel,
} from '@solegate/trip-reservation';
import { GatewayError } from '../errors/gateway-error.js';
import { listen } from '../graphql/listen.js';
import { type Events, mapEvents } from '../graphql/mapped-iterator.js';
import type { Identity } from '../identity/identity.js';
import { TripWitness } from './trip-access.js';

const HISTORY_PAGE = 1_000;
const ENDED: ReadonlySet<TripStatus> = new Set(['COMPLETED', 'CANCELLED', 'EXPIRED']);

/** Where a subscriber of one trip stands. */
interface Watch {
  readonly tripId: bigint;
  readonly known: number;
  readonly isOver: boolean;
  readonly witness: TripWitness;
}

/**
 * Changes of trips for subscribers. Redis carries the news and may lose some; a trip's history in PostgreSQL is the
 * truth. So a subscriber of one trip first reads the history after the revision they know, then listens, and reads the
 * history again whenever a revision is missing or Redis was away: they get every revision once and in order. A trip that
 * has ended ends the subscription, since nothing leaves such a state.
 */
export class TripFeed {
  #lastPayload = '';
  #lastEvent: TripEvent | undefined;

  constructor(
    private readonly trips: TripReservation,
    private readonly pubSub: PubSub,
  ) {}

  /**
   * @param afterRevision the last revision the subscriber knows; undefined: from now on
   * @throws TripNotFoundError, GatewayError FORBIDDEN
   */
  async updates(
    tripId: bigint,
    afterRevision: number | undefined,
    identity: Identity,
  ): Promise<Events<TripEvent>> {
    const subscription = await listen(this.pubSub, tripEventChannel(tripId));
    try {
      const trip = await this.trips.findTrip(tripId);
      if (trip === undefined) throw new TripNotFoundError(tripId);
      const witness = new TripWitness(trip, identity);
      const known = afterRevision ?? trip.revision;
      const isOver = ENDED.has(trip.status);
      if (isOver && known >= trip.revision) subscription.close();
      return this.#inOrder(subscription, { tripId, known, isOver, witness });
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  /** Offers that open for a driver or end, of all trips; ends with an error when some were missed. */
  async offers({ subjectId }: Identity): Promise<Events<TripEvent>> {
    const subscription = await listen(this.pubSub, TRIP_OFFER_CHANNEL);
    return mapEvents(subscription, (event) => {
      if (event.kind === 'gap') throw missedEvents();
      const offer = this.#decode(event.payload);
      const isForDriver = offer.offeredTo === 'EVERYONE' || offer.offeredTo.includes(subjectId);
      return isForDriver && offer.driverId !== subjectId ? [offer] : [];
    });
  }

  #inOrder(subscription: Subscription, { tripId, isOver, witness, ...from }: Watch): Events<TripEvent> {
    let { known } = from;
    const missed = async (): Promise<TripEvent[]> => {
      const events: TripEvent[] = [];
      for (;;) {
        const page = await this.trips.tripHistory({ tripId, afterRevision: known, first: HISTORY_PAGE });
        events.push(...page);
        known = page.at(-1)?.revision ?? known;
        if (page.length < HISTORY_PAGE) return events;
      }
    };
    subscription.push({ kind: 'gap' });
    const read = async (news: PubSubEvent): Promise<TripEvent[]> => {
      if (news.kind === 'gap') {
        const events = await missed();
        // The history of a trip is removed some time after its end.
        if (isOver && events.length === 0) subscription.close();
        return events;
      }
      const event = this.#decode(news.payload);
      if (event.revision <= known) return [];
      if (event.revision > known + 1) return missed();
      known = event.revision;
      return [event];
    };
    return mapEvents(
      subscription,
      async (news) => (await read(news)).map((event) => witness.see(event)),
      (event) => ENDED.has(event.status) || witness.isLast(event),
    );
  }

  /** Every subscriber of a channel gets the same text in turn, so the last one is kept read. */
  #decode(payload: string): TripEvent {
    if (this.#lastEvent === undefined || payload !== this.#lastPayload) {
      this.#lastEvent = decodeTripEvent(payload);
      this.#lastPayload = payload;
    }
    return this.#lastEvent;
  }
}

function missedEvents(): GatewayError {
  return new GatewayError({
    code: 'SERVICE_UNAVAILABLE',
    reason: 'EVENTS_MISSED',
    message: 'Some events were missed; read the current state, then subscribe again.',
    retryable: true,
    retryAfterMs: 500,
  });
}
