/** Where a trip starts or ends. Latitude -90 to 90, longitude -180 to 180, both in degrees (WGS 84). */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** Free text for people, 1 to 200 characters. */
  readonly address?: string;
}

/**
 * - `SCHEDULED`: will be offered at its time (`offerAt`); no driver knows of it.
 * - `FINDING`: offered to drivers, nobody has it.
 * - `ACCEPTED`: one driver has it and is on the way.
 * - `IN_PROGRESS`: that driver has started it.
 * - `COMPLETED`, `CANCELLED` (by the rider, or by a driver to whom no rider came), `EXPIRED` (no driver came): ends, nothing leaves them.
 */
export type TripStatus =
  | 'SCHEDULED'
  | 'FINDING'
  | 'ACCEPTED'
  | 'IN_PROGRESS'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'EXPIRED';

/** Who may accept: every driver, or the listed ones (1 to 500). */
export type OfferAudience = 'EVERYONE' | readonly bigint[];

/** An offer that goes to the nearest drivers first, and then to more of them: how many, how often and how far. */
export interface NearestOffer {
  /** Drivers of each step, 1 to 100. */
  readonly batchSize: number;
  /** From one step to the next, 1 to 3,600,000 ms; steps end with the offer. */
  readonly everyMs: number;
  /**
   * How far the first step looks, the second, and so on, in metres, 1 to 1,000,000 each, 1 to 20 of them; the last stays. A
   * step that finds nobody new looks as far as the next ones at once.
   */
  readonly radiiMeters: readonly number[];
}

/** A trip as it was at one moment; `revision` distinguishes moments and grows by one with each event. */
export interface Trip {
  readonly id: bigint;
  readonly riderId: bigint;
  readonly status: TripStatus;
  /** Dispatch epoch, from 1. Each re-dispatch raises it; an offer of an older epoch is worth nothing. */
  readonly epoch: number;
  /** Number of the last event of this trip, from 1. */
  readonly revision: number;
  /** The driver who has (or had, once completed or cancelled) the trip; null while nobody has. */
  readonly driverId: bigint | null;
  readonly pickup: Place | null;
  readonly dropoff: Place | null;
  readonly offeredTo: OfferAudience;
  /** Drivers who left this trip; no later epoch is offered to them. */
  readonly excludedDriverIds: readonly bigint[];
  /** End of the current offer by the clock of PostgreSQL. */
  readonly offerExpiresAt: Date;
  readonly requestedAt: Date;
  readonly acceptedAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** When it is offered first; null: as soon as it was requested. */
  readonly offerAt: Date | null;
  /** When the driver was at the pickup; null before. */
  readonly arrivedAt: Date | null;
  /** Why it was cancelled, if that was said. */
  readonly cancelReason: CancelReason | null;
}

/** Why a rider cancels. */
export type RiderCancelReason = 'CHANGED_PLANS' | 'WAITED_TOO_LONG' | 'DRIVER_ASKED' | 'OTHER';
/** Why a driver leaves a trip. */
export type DriverCancelReason = 'VEHICLE_PROBLEM' | 'RIDER_UNREACHABLE' | 'TOO_FAR' | 'OTHER';
/** `RIDER_NO_SHOW`: the driver was there and waited in vain. */
export type CancelReason = RiderCancelReason | DriverCancelReason | 'RIDER_NO_SHOW';

/** What an event says of its trip. */
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
 * One change of one trip, written in the statement that made the change. Delivered at least once and, between
 * several relays, not always in order: `id` removes repeats, `revision` (1, 2, 3 … without gaps per trip)
 * restores the order and shows what is missing.
 */
export interface TripEvent {
  /** `<tripId>-<revision>`, the same in every delivery. */
  readonly id: string;
  readonly type: TripEventType;
  readonly tripId: bigint;
  readonly revision: number;
  readonly riderId: bigint;
  /** The status the trip has since this event. */
  readonly status: TripStatus;
  readonly epoch: number;
  /** Why the trip was cancelled or left, if that was said. */
  readonly reason: CancelReason | null;
  /** The driver the event is about: who accepted, arrived, started, completed or left; null when there is none. */
  readonly driverId: bigint | null;
  /**
   * Whom the offer of this epoch reaches or reached: who is to hear that it opened or is gone. Of a further step to the
   * nearest drivers: whom the offer reaches since this event.
   */
  readonly offeredTo: OfferAudience;
  readonly offerExpiresAt: Date;
  readonly occurredAt: Date;
}
