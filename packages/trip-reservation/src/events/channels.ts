import type { TripEvent, TripEventType } from '../trip/trip.js';

/** Every event that opens an offer or ends it, of all trips: what drivers listen to. */
export const TRIP_OFFER_CHANNEL = 'trip_offers';

const OFFER_EVENTS: ReadonlySet<TripEventType> = new Set<TripEventType>([
  'TRIP_REQUESTED',
  'TRIP_OFFERED',
  'TRIP_STILL_OPEN',
  'TRIP_ACCEPTED',
  'TRIP_CANCELLED',
  'TRIP_REDISPATCHED',
  'TRIP_EXPIRED',
]);

/** The channel of every event of one trip. */
export function tripEventChannel(tripId: bigint): string {
  return `trip_events:${tripId}`;
}

/** Where an event goes. */
export function channelsOf(event: TripEvent): string[] {
  const own = tripEventChannel(event.tripId);
  const isOffer = OFFER_EVENTS.has(event.type) && event.status !== 'SCHEDULED';
  return isOffer ? [own, TRIP_OFFER_CHANNEL] : [own];
}

/** JSON: IDs as decimal strings, moments in ISO 8601. */
export function encodeTripEvent(event: TripEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

interface EncodedTripEvent extends Omit<TripEvent, 'tripId' | 'riderId' | 'driverId' | 'offeredTo'> {
  readonly tripId: string;
  readonly riderId: string;
  readonly driverId: string | null;
  readonly offeredTo: 'EVERYONE' | readonly string[];
}

/** The event of a published message. @throws SyntaxError for a message that is not one. */
export function decodeTripEvent(message: string): TripEvent {
  const encoded: EncodedTripEvent = JSON.parse(message);
  return {
    ...encoded,
    tripId: BigInt(encoded.tripId),
    riderId: BigInt(encoded.riderId),
    driverId: encoded.driverId === null ? null : BigInt(encoded.driverId),
    offeredTo: encoded.offeredTo === 'EVERYONE' ? 'EVERYONE' : encoded.offeredTo.map(BigInt),
    offerExpiresAt: new Date(encoded.offerExpiresAt),
    occurredAt: new Date(encoded.occurredAt),
  };
}
