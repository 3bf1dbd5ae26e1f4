import type { Trip, TripStatus } from './trip.js';

/** The driver has the trip. A repeat gets the same value again, `acceptedAt` included. */
export interface Accepted {
  readonly kind: 'ACCEPTED';
  readonly tripId: bigint;
  readonly driverId: bigint;
  readonly epoch: number;
  readonly acceptedAt: Date;
}

/** Another driver's reservation of this epoch is committed: this offer can never be won. Never said to who has the trip. */
export interface Taken {
  readonly kind: 'TAKEN';
  readonly tripId: bigint;
  readonly epoch: number;
  /** @deprecated Always `DECIDED`; what was provisional is the outcome `UNDECIDED`. */
  readonly certainty: 'DECIDED';
}

/**
 * Another driver is ahead and what becomes of them is not known yet. It may even be the caller who has the trip, by way of
 * another process. Asking again after `retryAfterMs` is safe and brings the answer. Whoever watches the trip hears an event
 * meanwhile: what was decided, or TRIP_STILL_OPEN.
 */
export interface Undecided {
  readonly kind: 'UNDECIDED';
  readonly tripId: bigint;
  readonly epoch: number;
  /** In milliseconds. */
  readonly retryAfterMs: number;
}

/** The driver has another active trip. */
export interface DriverBusy {
  readonly kind: 'DRIVER_BUSY';
  readonly tripId: bigint;
  /** The trip that the driver has. */
  readonly activeTripId: bigint;
}

/** The trip's status does not allow it; `EXPIRED` also when the offer's time has run out. */
export interface NotOpen {
  readonly kind: 'NOT_OPEN';
  readonly tripId: bigint;
  readonly status: TripStatus;
}

/** The trip was dispatched anew since: the offer's epoch has passed. */
export interface StaleOffer {
  readonly kind: 'STALE_OFFER';
  readonly tripId: bigint;
  readonly offerEpoch: number;
  readonly currentEpoch: number;
}

/**
 * `NOT_LISTED`: the offer goes to other drivers. `EXCLUDED`: the driver left this trip before. `REJECTED`: they
 * rejected this offer. `NO_SUCH_OFFER`: no offer of that epoch was ever made.
 */
export interface NotOffered {
  readonly kind: 'NOT_OFFERED';
  readonly tripId: bigint;
  readonly reason: 'NOT_LISTED' | 'EXCLUDED' | 'REJECTED' | 'NO_SUCH_OFFER';
}

/** Another rider's or another driver's trip. */
export interface NotYours {
  readonly kind: 'NOT_YOURS';
  readonly tripId: bigint;
}

/** The answer to an accept; `ACCEPTED` also on repeat. */
export type AcceptOutcome = Accepted | Taken | Undecided | DriverBusy | NotOpen | StaleOffer | NotOffered;

/** `REJECTED` also on repeat; `ACCEPTED` when the driver has the trip already (they must cancel instead). */
export type RejectOutcome =
  | { readonly kind: 'REJECTED'; readonly tripId: bigint; readonly offerEpoch: number }
  | Accepted
  | Taken
  | NotOpen
  | StaleOffer
  | NotOffered;

/** What became of an offer to more drivers, or for longer. */
export type OfferOutcome =
  | { readonly kind: 'OFFERED'; readonly trip: Trip }
  | Taken
  | NotOpen
  | StaleOffer
  | NotOffered;

/** The driver must have arrived and waited: `allowedAt` by the clock of PostgreSQL, null while they have not arrived. */
export interface TooEarly {
  readonly kind: 'TOO_EARLY';
  readonly tripId: bigint;
  readonly allowedAt: Date | null;
}

/** `ARRIVED` also on repeat. */
export type ArriveOutcome = { readonly kind: 'ARRIVED'; readonly trip: Trip } | NotOpen | NotYours;

/** `CANCELLED` when the driver has waited long enough, also on repeat. */
export type NoShowOutcome =
  | { readonly kind: 'CANCELLED'; readonly trip: Trip }
  | TooEarly
  | NotOpen
  | NotYours;

/** `STARTED` also on repeat. */
export type StartOutcome = { readonly kind: 'STARTED'; readonly trip: Trip } | NotOpen | NotYours;

/** `COMPLETED` also on repeat. */
export type CompleteOutcome = { readonly kind: 'COMPLETED'; readonly trip: Trip } | NotOpen | NotYours;

/** `CANCELLED` for the rider, `REDISPATCHED` for the driver who leaves; both also on repeat. */
export type CancelOutcome =
  | { readonly kind: 'CANCELLED'; readonly trip: Trip }
  | { readonly kind: 'REDISPATCHED'; readonly trip: Trip }
  | NotOpen
  | NotYours;
