/** Where a trip starts or ends. Latitude -90 to 90, longitude -180 to 180, both in degrees (WGS 84). */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** Free text for people, 1 to 200 characters. */
  readonly address?: string;
}

/**
 * - `SCHEDULED`: will be offered at `offerAt`; not visible to drivers yet.
 * - `FINDING`: offered to drivers; no driver has it.
 * - `ACCEPTED`: one driver has it and is on the way.
 * - `IN_PROGRESS`: that driver has started it.
 * - `COMPLETED`, `CANCELLED` (by the rider, a dispatcher, or the driver after a no-show), `EXPIRED` (no driver accepted): final.
 */
export type TripStatus =
  | 'SCHEDULED'
  | 'FINDING'
  | 'ACCEPTED'
  | 'IN_PROGRESS'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'EXPIRED';

/** Drivers who are allowed to accept: everyone, or those listed (1 to 500). */
export type OfferAudience = 'EVERYONE' | readonly bigint[];

/**
 * Who is offered a trip whose driver positions have been unavailable for two seconds.
 * - `WAIT`: no one; the search is repeated until it succeeds or the offer ends.
 * - `LISTED`: the drivers of the request's `offeredTo`, while the search is repeated.
 * - `EVERYONE`: every driver, who then also sees the pickup.
 */
export type WhenUnavailable = 'WAIT' | 'LISTED' | 'EVERYONE';

/** An offer that goes to the nearest drivers first, then to more of them: how many, how often and how far. */
export interface NearestOffer {
  /** Number of drivers per step, 1 to 100. */
  readonly batchSize: number;
  /** Time between two steps, 1 to 3,600,000 ms; steps end with the offer. */
  readonly everyMs: number;
  /**
   * Search radius of each step in metres, 1 to 1,000,000 each, 1 to 20 of them; further steps use the last one. A step
   * that finds no new driver immediately tries the following radii, and is repeated within a second.
   */
  readonly radiiMeters: readonly number[];
  /** Default: `WAIT`. */
  readonly whenUnavailable?: WhenUnavailable;
}

/** A snapshot of a trip; `revision` identifies it and grows by one with each event. */
export interface Trip {
  readonly id: bigint;
  readonly riderId: bigint;
  readonly status: TripStatus;
  /** Dispatch epoch, from 1. Each re-dispatch raises it; an offer of an older epoch is void. */
  readonly epoch: number;
  /** Number of this trip's last event, from 1. */
  readonly revision: number;
  /** The driver who has (or had, once completed or cancelled) the trip; null if none. */
  readonly driverId: bigint | null;
  readonly pickup: Place | null;
  readonly dropoff: Place | null;
  readonly offeredTo: OfferAudience;
  /** Drivers who left this trip; it is never offered to them again. */
  readonly excludedDriverIds: readonly bigint[];
  /** End of the current offer by PostgreSQL's clock. */
  readonly offerExpiresAt: Date;
  readonly requestedAt: Date;
  readonly acceptedAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** When the trip is first offered; null: as soon as it was requested. */
  readonly offerAt: Date | null;
  /** When the driver arrived at the pickup; null before that. */
  readonly arrivedAt: Date | null;
  /** Why the trip was cancelled, if given. */
  readonly cancelReason: CancelReason | null;
}

/** Why a rider cancels. */
export type RiderCancelReason = 'CHANGED_PLANS' | 'WAITED_TOO_LONG' | 'DRIVER_ASKED' | 'OTHER';
/** Why a driver leaves a trip. */
export type DriverCancelReason = 'VEHICLE_PROBLEM' | 'RIDER_UNREACHABLE' | 'TOO_FAR' | 'OTHER';
/**
 * `RIDER_NO_SHOW`: the driver waited at the pickup, but the rider did not come. `BY_DISPATCHER`: someone who watches over
 * all trips cancelled it.
 */
export type CancelReason = RiderCancelReason | DriverCancelReason | 'RIDER_NO_SHOW' | 'BY_DISPATCHER';

/** What happened to the trip. */
export type TripEventType =
  | 'TRIP_REQUESTED'
  | 'TRIP_OFFERED'
  | 'TRIP_STILL_OPEN'
  | 'TRIP_ACCEPTED'
  | 'DRIVER_ARRIVED'
  | 'TRIP_STARTED'
  | 'TRIP_COMPLETED'
  | 'TRIP_CANCELLED'
  | 'TRIP_REDISPATCHED'
  | 'TRIP_EXPIRED';

/**
 * One change of one trip, written by the statement that made the change. Delivered at least once and, with
 * several relays, not always in order: `id` identifies duplicates, `revision` (1, 2, 3 … without gaps per trip)
 * restores the order and reveals what is missing.
 */
export interface TripEvent {
  /** `<tripId>-<revision>`, the same in every delivery. */
  readonly id: string;
  readonly type: TripEventType;
  readonly tripId: bigint;
  readonly revision: number;
  readonly riderId: bigint;
  /** The status of the trip after this event. */
  readonly status: TripStatus;
  readonly epoch: number;
  /** Why the trip was cancelled or left, if given. */
  readonly reason: CancelReason | null;
  /** The driver the event is about: the one who accepted, arrived, started, completed or left; null if none. */
  readonly driverId: bigint | null;
  /**
   * The drivers of this epoch's offer, who should be notified that it opened or closed. For a further step of a nearest
   * offer: only the drivers it added. Empty if it concerns no driver.
   */
  readonly offeredTo: OfferAudience;
  /** Drivers who left this trip: it is not offered to them, even if it is to everyone. */
  readonly excludedDriverIds: readonly bigint[];
  readonly offerExpiresAt: Date;
  readonly occurredAt: Date;
}
