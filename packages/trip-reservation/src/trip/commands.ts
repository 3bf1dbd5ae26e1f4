import type { SqlTransaction } from '@solegate/postgres-infra';
import { InvalidRequestError } from './errors.js';
import {
  assertAudience,
  assertEpoch,
  assertId,
  assertNearest,
  assertOfferAt,
  assertOneOf,
  assertPlace,
  assertPosition,
  assertText,
  assertWhole,
  OFFER_TTL_MAX_MS,
} from './input.js';
import { TRIP_STATUSES } from './lifecycle.js';
import type {
  DriverCancelReason,
  NearestOffer,
  OfferAudience,
  Place,
  RiderCancelReason,
  TripStatus,
} from './trip.js';

/** A request for a driver. */
export interface RequestTripOptions {
  /**
   * The trip's ID, chosen by the caller: 1 to 2^63 - 1. Repeating it with the same rider returns the same trip.
   */
  readonly tripId: bigint;
  readonly riderId: bigint;
  readonly pickup?: Place;
  readonly dropoff?: Place;
  /** Drivers of the first offer. Default: everyone. With `nearest`, used only for `LISTED`. */
  readonly offeredTo?: OfferAudience;
  /**
   * Offers the trip to the nearest free drivers first, then step by step to more of them. Requires `pickup`, and
   * `drivers` in the options of the reservation.
   */
  readonly nearest?: NearestOffer;
  /**
   * When the trip is first offered, up to 30 days ahead, by PostgreSQL's clock; a past time means now. Default: now.
   */
  readonly offerAt?: Date;
  /**
   * How long each offer of this trip lasts, 1 to 3,600,000 ms. Default: `offerTtlMs` of the reservation.
   */
  readonly offerTtlMs?: number;
  /**
   * The rider's key for this request, 1 to 200 characters: a repeat with a new ID returns the first trip.
   */
  readonly idempotencyKey?: string;
  /**
   * The caller's transaction: the trip exists only once it commits. A `pg` client after BEGIN, or what Prisma, Drizzle,
   * Kysely, Knex, Sequelize, TypeORM, postgres.js or PGlite pass to a transaction's callback. Default: its own.
   */
  readonly session?: SqlTransaction;
}

/**
 * Offers an open trip to more drivers, or for longer, in the same dispatch epoch.
 */
export interface BroadcastOfferOptions {
  readonly tripId: bigint;
  /** The dispatch epoch to widen. */
  readonly epoch: number;
  /** Drivers to add, or everyone. Default: everyone. */
  readonly offeredTo?: OfferAudience;
  /** Minimum time the offer lasts from now, 1 to 3,600,000 ms. Default: the trip's own. */
  readonly offerTtlMs?: number;
}

/** A driver's answer to an offer. */
export interface AnswerOfferOptions {
  readonly tripId: bigint;
  readonly driverId: bigint;
  /** The `epoch` of the offer that the driver saw, from 1. */
  readonly offerEpoch: number;
}

/** A trip and the driver who has it. */
export interface DriverTripOptions {
  readonly tripId: bigint;
  readonly driverId: bigint;
}

/** The rider or a dispatcher ends the trip, or the driver leaves it, and it is re-dispatched without them. */
export type CancelTripOptions =
  | { readonly tripId: bigint; readonly byDispatcher: true }
  | { readonly tripId: bigint; readonly riderId: bigint; readonly reason?: RiderCancelReason }
  | { readonly tripId: bigint; readonly driverId: bigint; readonly reason?: DriverCancelReason };

/** Filters, which must all match, and the page to return. */
export interface ListTripsOptions {
  readonly riderId?: bigint;
  readonly driverId?: bigint;
  readonly status?: TripStatus;
  /** Page size, 1 to 100. Default 20. */
  readonly first?: number;
  /** The last trip of the previous page: this page continues after it. */
  readonly after?: bigint;
  /** Only trips that look for a driver, the one whose offer ends first, first. Default `false`: newest first. */
  readonly lateFirst?: boolean;
}

/** Which events to return. */
export interface TripHistoryOptions {
  readonly tripId: bigint;
  /** Revision of the last event already known. Default 0: from the beginning. */
  readonly afterRevision?: number;
  /** Maximum number of events, 1 to 1,000. Default 100. */
  readonly first?: number;
}

/** The trip to watch, and where to start. */
export interface WatchTripOptions {
  readonly tripId: bigint;
  /** Revision of the last event already known; the watch starts after it. Default: the last one first. */
  readonly afterRevision?: number;
}

const RIDER_CANCEL_REASONS: readonly RiderCancelReason[] = [
  'CHANGED_PLANS',
  'WAITED_TOO_LONG',
  'DRIVER_ASKED',
  'OTHER',
];
const DRIVER_CANCEL_REASONS: readonly DriverCancelReason[] = [
  'VEHICLE_PROBLEM',
  'RIDER_UNREACHABLE',
  'TOO_FAR',
  'OTHER',
];

/**
 * Each check throws an `InvalidRequestError` that names the field, before anything is sent to a store.
 */
export function checkRequest(options: RequestTripOptions): void {
  assertId('tripId', options.tripId);
  assertId('riderId', options.riderId);
  if (options.pickup !== undefined) assertPlace('pickup', options.pickup);
  if (options.dropoff !== undefined) assertPlace('dropoff', options.dropoff);
  if (options.offeredTo !== undefined) assertAudience('offeredTo', options.offeredTo);
  if (options.offerAt !== undefined) assertOfferAt('offerAt', options.offerAt);
  if (options.nearest !== undefined) {
    assertNearest('nearest', options.nearest, options.offeredTo);
    assertPosition('pickup', options.pickup);
  }
  if (options.offerTtlMs !== undefined) assertWhole('offerTtlMs', options.offerTtlMs, 1, OFFER_TTL_MAX_MS);
  if (options.idempotencyKey !== undefined) assertText('idempotencyKey', options.idempotencyKey);
}

export function checkBroadcast(options: BroadcastOfferOptions): void {
  assertId('tripId', options.tripId);
  assertEpoch('epoch', options.epoch);
  if (options.offeredTo !== undefined) assertAudience('offeredTo', options.offeredTo);
  if (options.offerTtlMs !== undefined) assertWhole('offerTtlMs', options.offerTtlMs, 1, OFFER_TTL_MAX_MS);
}

export function checkAnswer({ tripId, driverId, offerEpoch }: AnswerOfferOptions): void {
  assertId('tripId', tripId);
  assertId('driverId', driverId);
  assertEpoch('offerEpoch', offerEpoch);
}

export function checkDriverTrip({ tripId, driverId }: DriverTripOptions): void {
  assertId('tripId', tripId);
  assertId('driverId', driverId);
}

export function checkCancel(options: CancelTripOptions): void {
  assertId('tripId', options.tripId);
  if (['riderId', 'driverId', 'byDispatcher'].filter((name) => name in options).length !== 1) {
    throw new InvalidRequestError(
      'riderId',
      'or driverId or byDispatcher must be given, and no other of them',
    );
  }
  if ('byDispatcher' in options) return;
  const { reason } = options;
  if ('riderId' in options) assertId('riderId', options.riderId);
  else assertId('driverId', options.driverId);
  if (reason !== undefined) {
    assertOneOf('reason', reason, 'riderId' in options ? RIDER_CANCEL_REASONS : DRIVER_CANCEL_REASONS);
  }
}

export function checkList({ riderId, driverId, status, first, after }: ListTripsOptions): void {
  if (riderId !== undefined) assertId('riderId', riderId);
  if (driverId !== undefined) assertId('driverId', driverId);
  if (after !== undefined) assertId('after', after);
  if (first !== undefined) assertWhole('first', first, 1, 100);
  if (status !== undefined) assertOneOf('status', status, TRIP_STATUSES);
}

export function checkHistory({ tripId, afterRevision, first }: TripHistoryOptions): void {
  assertId('tripId', tripId);
  if (afterRevision !== undefined) assertWhole('afterRevision', afterRevision, 0, 2 ** 31 - 1);
  if (first !== undefined) assertWhole('first', first, 1, 1000);
}
