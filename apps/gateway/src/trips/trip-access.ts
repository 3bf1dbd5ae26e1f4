import type { Trip, TripEvent } from '@solegate/trip-reservation';
import { forbidden, type GatewayError } from '../errors/gateway-error.js';
import type { Identity } from '../identity/identity.js';
import type { TripType } from './types/trip.type.js';

/**
 * What a caller is allowed to see of a trip.
 *
 * - `WHOLE`: places, people and history; for its rider, the driver who has it, and administrators.
 * - `OFFER`: the pickup, but no people; for a driver who can accept it now.
 * - `NONE`: for everyone else. A role alone gives access to no trip.
 */
type TripView = 'WHOLE' | 'OFFER' | 'NONE';

export function viewOf(trip: Trip, { subjectId, roles }: Identity): TripView {
  if (roles.has('admin')) return 'WHOLE';
  if (roles.has('rider') && trip.riderId === subjectId) return 'WHOLE';
  if (!roles.has('driver')) return 'NONE';
  if (trip.driverId === subjectId) return 'WHOLE';
  return trip.status === 'FINDING' && wasOffered(trip, subjectId) ? 'OFFER' : 'NONE';
}

/** Returns the trip without what this view hides. */
export function seenAs(view: Exclude<TripView, 'NONE'>, trip: Trip): TripType {
  return view === 'WHOLE' ? trip : { ...trip, ...HIDDEN_FROM_OFFER };
}

/** What another driver does with the trip is hidden as well: a driver who left it can repeat the request that said so. */
const HIDDEN_FROM_OFFER = {
  riderId: null,
  driverId: null,
  dropoff: null,
  cancelReason: null,
  acceptedAt: null,
  arrivedAt: null,
  startedAt: null,
  endedAt: null,
};

function wasOffered({ offeredTo, excludedDriverIds }: Trip, driverId: bigint): boolean {
  const isListed = offeredTo === 'EVERYONE' || offeredTo.includes(driverId);
  return isListed && !excludedDriverIds.includes(driverId);
}

export function foreignTrip(): GatewayError {
  return forbidden('NOT_YOUR_TRIP', 'This trip belongs to someone else; use one of your own trips.');
}

const CLOSES_OFFER: ReadonlySet<TripEvent['type']> = new Set<TripEvent['type']>([
  'TRIP_ACCEPTED',
  'TRIP_CANCELLED',
  'TRIP_EXPIRED',
]);

/**
 * A subscriber to a trip. A driver who was offered it sees that the offer closed, but not by whom, and nothing after
 * that, even if they subscribe just after it closed; the driver who has it sees events until they leave it.
 */
export class TripWitness {
  readonly #isConcerned: boolean;
  /** The offer has closed since the revision that they know. */
  readonly #isLate: boolean;
  #hasTrip: boolean;

  /** @throws {GatewayError} FORBIDDEN */
  constructor(
    private readonly trip: Trip,
    private readonly identity: Identity,
    afterRevision: number | undefined,
  ) {
    const view = viewOf(trip, identity);
    const { subjectId, roles } = identity;
    const wasInvited = roles.has('driver') && trip.status !== 'SCHEDULED' && wasOffered(trip, subjectId);
    this.#isLate = view === 'NONE' && wasInvited && afterRevision !== undefined;
    if (view === 'NONE' && !this.#isLate) throw foreignTrip();
    this.#isConcerned = roles.has('admin') || (roles.has('rider') && trip.riderId === subjectId);
    this.#hasTrip = view === 'WHOLE';
  }

  /** Returns the event as this subscriber is allowed to see it. @throws {GatewayError} FORBIDDEN */
  see(event: TripEvent): TripEvent {
    if (this.#isLate && event.status !== 'FINDING' && !CLOSES_OFFER.has(event.type)) throw foreignTrip();
    const isVisible = this.#isConcerned || this.#hasTrip || event.driverId === this.identity.subjectId;
    return isVisible ? event : { ...event, driverId: null, reason: null };
  }

  /** Whether they are allowed to see nothing after this event. Called once for each event, in order. */
  isLast(event: TripEvent): boolean {
    const isOpen = event.status === 'FINDING';
    if (this.#isLate) return !isOpen;
    if (this.#isConcerned || event.revision <= this.trip.revision) return false;
    if (isOpen) return this.#hasTrip;
    if (event.driverId === this.identity.subjectId) this.#hasTrip = true;
    return !this.#hasTrip;
  }
}
