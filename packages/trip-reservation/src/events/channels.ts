import type { TripEvent, TripEventType } from '../trip/trip.js';

/**
 * Returns the channel of all events that open or end an offer, of any trip, for drivers to subscribe to.
 *
 * @param namespace from `namespace()` of the reservation
 */
export function tripOfferChannel(namespace: string): string {
  return `trip_offers:${namespace}`;
}

const OFFER_EVENTS: ReadonlySet<TripEventType> = new Set<TripEventType>([
  'TRIP_REQUESTED',
  'TRIP_OFFERED',
  'TRIP_STILL_OPEN',
  'TRIP_ACCEPTED',
  'TRIP_CANCELLED',
  'TRIP_REDISPATCHED',
  'TRIP_EXPIRED',
]);

/**
 * Returns the channel of all events of one trip.
 *
 * @param namespace from `namespace()` of the reservation
 */
export function tripEventChannel(namespace: string, tripId: bigint): string {
  return `trip_events:${namespace}:${tripId}`;
}

/** Returns the channels that an event is published to. */
export function channelsOf(namespace: string, event: TripEvent): string[] {
  const own = tripEventChannel(namespace, event.tripId);
  const isOffer = OFFER_EVENTS.has(event.type) && event.status !== 'SCHEDULED' && event.offeredTo.length > 0;
  return isOffer ? [own, tripOfferChannel(namespace)] : [own];
}

/** Encodes an event as JSON: IDs as decimal strings, times in ISO 8601. */
export function encodeTripEvent(event: TripEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

interface EncodedTripEvent
  extends Omit<TripEvent, 'tripId' | 'riderId' | 'driverId' | 'offeredTo' | 'excludedDriverIds'> {
  readonly tripId: string;
  readonly riderId: string;
  readonly driverId: string | null;
  readonly offeredTo: 'EVERYONE' | readonly string[];
  readonly excludedDriverIds: readonly string[];
}

let last: { readonly message: string; readonly event: TripEvent } | undefined;

/**
 * Parses a published message. All subscribers of a process receive the same message in turn and get the same event: the last
 * one is kept. @throws SyntaxError or TypeError if it is not an event
 */
export function decodeTripEvent(message: string): TripEvent {
  if (last?.message !== message) last = { message, event: decoded(message) };
  return last.event;
}

function decoded(message: string): TripEvent {
  const encoded: EncodedTripEvent = JSON.parse(message);
  return {
    ...encoded,
    tripId: BigInt(encoded.tripId),
    riderId: BigInt(encoded.riderId),
    driverId: encoded.driverId === null ? null : BigInt(encoded.driverId),
    offeredTo: encoded.offeredTo === 'EVERYONE' ? 'EVERYONE' : encoded.offeredTo.map(BigInt),
    excludedDriverIds: encoded.excludedDriverIds.map(BigInt),
    offerExpiresAt: new Date(encoded.offerExpiresAt),
    occurredAt: new Date(encoded.occurredAt),
  };
}
