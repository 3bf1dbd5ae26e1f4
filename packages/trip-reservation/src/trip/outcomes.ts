import type { Trip, TripStatus } from './trip.js';

/** The driver has the trip. A repeat returns the same value, including `acceptedAt`. */
export interface Accepted {
  readonly kind: 'ACCEPTED';
  readonly tripId: bigint;
  readonly driverId: bigint;
  readonly epoch: number;
  readonly acceptedAt: Date;
}

/** Another driver's reservation of this epoch is committed: this offer cannot be won. The winner never receives it. */
export interface Taken {
  readonly kind: 'TAKEN';
  readonly tripId: bigint;
  readonly epoch: number;
}

/**
 * Another driver is ahead, and the decision is not known yet. The caller might even have the trip already, through
 * another process. Retrying after `retryAfterMs` is safe and returns the answer. A watch of the trip from `afterRevision` on
 * yields it as an event: the decision, or TRIP_STILL_OPEN.
 */
export interface Undecided {
  readonly kind: 'UNDECIDED';
  readonly tripId: bigint;
  readonly epoch: number;
  /** When to retry, in milliseconds from now. */
  readonly retryAfterMs: number;
  /** A revision of the trip before its decision, for `afterRevision` of `watchTrip`: the newest one that is known. */
  readonly afterRevision: number;
}

/** The driver has another active trip. */
export interface DriverBusy {
  readonly kind: 'DRIVER_BUSY';
  readonly tripId: bigint;
  /** The trip that the driver has. */
  readonly activeTripId: bigint;
}

/** The trip's status does not allow the call; `EXPIRED` also if the offer has expired but was not swept yet. */
export interface NotOpen {
  readonly kind: 'NOT_OPEN';
  readonly tripId: bigint;
  readonly status: TripStatus;
}

/** The trip has been re-dispatched since: the offer's epoch has passed. */
export interface StaleOffer {
  readonly kind: 'STALE_OFFER';
  readonly tripId: bigint;
  readonly offerEpoch: number;
  readonly currentEpoch: number;
}

/**
 * `NOT_LISTED`: the offer is for other drivers. `EXCLUDED`: the driver left this trip before. `REJECTED`: they
 * rejected this offer. `NO_SUCH_OFFER`: there has been no offer of that epoch.
 */
export interface NotOffered {
  readonly kind: 'NOT_OFFERED';
  readonly tripId: bigint;
  readonly reason: 'NOT_LISTED' | 'EXCLUDED' | 'REJECTED' | 'NO_SUCH_OFFER';
}

/** The trip belongs to another rider or driver. */
export interface NotYours {
  readonly kind: 'NOT_YOURS';
  readonly tripId: bigint;
}

/** The answer to an accept; a repeat also returns `ACCEPTED`. */
export type AcceptOutcome = Accepted | Taken | Undecided | DriverBusy | NotOpen | StaleOffer | NotOffered;

/** A repeat also returns `REJECTED`; `ACCEPTED` means the driver already has the trip and must cancel instead. */
export type RejectOutcome =
  | { readonly kind: 'REJECTED'; readonly tripId: bigint; readonly offerEpoch: number }
  | Accepted
  | Taken
  | NotOpen
  | StaleOffer
  | NotOffered;

/** The result of offering a trip to more drivers, or for longer. */
export type OfferOutcome =
  | { readonly kind: 'OFFERED'; readonly trip: Trip }
  | Taken
  | NotOpen
  | StaleOffer
  | NotOffered;

/** The driver has not waited long enough: `allowedAt` by PostgreSQL's clock, null if they have not arrived. */
export interface TooEarly {
  readonly kind: 'TOO_EARLY';
  readonly tripId: bigint;
  readonly allowedAt: Date | null;
}

/** A repeat also returns `ARRIVED`. */
export type ArriveOutcome = { readonly kind: 'ARRIVED'; readonly trip: Trip } | NotOpen | NotYours;

/** `CANCELLED` if the driver has waited long enough; a repeat returns it again. */
export type NoShowOutcome =
  | { readonly kind: 'CANCELLED'; readonly trip: Trip }
  | TooEarly
  | NotOpen
  | NotYours;

/** A repeat also returns `STARTED`. */
export type StartOutcome = { readonly kind: 'STARTED'; readonly trip: Trip } | NotOpen | NotYours;

/** A repeat also returns `COMPLETED`. */
export type CompleteOutcome = { readonly kind: 'COMPLETED'; readonly trip: Trip } | NotOpen | NotYours;

/** `CANCELLED` for the rider, `REDISPATCHED` for the driver who leaves; a repeat returns the same. */
export type CancelOutcome =
  | { readonly kind: 'CANCELLED'; readonly trip: Trip }
  | { readonly kind: 'REDISPATCHED'; readonly trip: Trip }
  | NotOpen
  | NotYours;
