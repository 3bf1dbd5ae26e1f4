import type { Trip, TripEvent } from '@solegate/trip-reservation';
import { GatewayError } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';
import type { TripView } from './types/trip.type.js';

export function viewOf(trip: Trip, { subjectId, roles }: Identity): TripView {
  if (roles.has('admin')) return 'WHOLE';
  if (roles.has('rider') && trip.riderId === subjectId) return 'WHOLE';
  if (!roles.has('driver')) return 'NONE';
  if (trip.driverId === subjectId) return 'WHOLE';
  const isOffered = trip.offeredTo === 'EVERYONE' || trip.offeredTo.includes(subjectId);
  const hasLeft = trip.excludedDriverIds.includes(subjectId);
  return trip.status === 'FINDING' && isOffered && !hasLeft ? 'OFFER' : 'NONE';
}

export function foreignTrip(): GatewayError {
  return new GatewayError({
    code: 'FORBIDDEN',
    reason: 'NOT_YOUR_TRIP',
    message: 'This trip belongs to someone else; use one of your own trips.',
  });
}

/**
 * A subscriber to a trip from now on. A driver who was offered it sees that the offer closed, but not by whom, and
 * nothing after that; the driver who has it sees events until they leave it.
 */
export class TripWitness {
  readonly #isConcerned: boolean;
  #hasTrip: boolean;

  /** @throws {GatewayError} FORBIDDEN */
  constructor(
    private readonly trip: Trip,
    private readonly identity: Identity,
  ) {
    const view = viewOf(trip, identity);
    if (view === 'NONE') throw foreignTrip();
    const { subjectId, roles } = identity;
    this.#isConcerned = roles.has('admin') || (roles.has('rider') && trip.riderId === subjectId);
    this.#hasTrip = view === 'WHOLE';
  }

  /** Returns the event as this subscriber is allowed to see it. */
  see(event: TripEvent): TripEvent {
    const isVisible = this.#isConcerned || this.#hasTrip || event.driverId === this.identity.subjectId;
    return isVisible ? event : { ...event, driverId: null, reason: null };
  }

  /** Whether they are allowed to see nothing after this event. Called once for each event, in order. */
  isLast(event: TripEvent): boolean {
    if (this.#isConcerned || event.revision <= this.trip.revision) return false;
    const isOpen = event.status === 'FINDING';
    if (isOpen) return this.#hasTrip;
    if (event.driverId === this.identity.subjectId) this.#hasTrip = true;
    return !this.#hasTrip;
  }
}
