import {
  type CancelTripOptions,
  type NearestOffer,
  type Place,
  TripNotFoundError,
} from '@solegate/trip-reservation';
import { explain } from '@solegate/tsid-core';
import { Ctx, Resolver } from 'type-graphql';
import type { Cells } from '../cells/cells.js';
import { badInput } from '../errors/gateway-error.js';
import { Arg } from '../graphql/described.js';
import { given } from '../graphql/given.js';
import { checkKey } from '../graphql/idempotency-key.js';
import { RequestContext } from '../graphql/request-context.js';
import { SoleMutation } from '../graphql/results.js';
import type { Identity, Role } from '../identity/identity.js';
import type { Trips } from './cell-trips.js';
import { foreignTrip } from './trip-access.js';
import { resultOf } from './trip-outcomes.js';
import {
  AnswerOfferInput,
  BroadcastTripInput,
  CancelTripInput,
  RequestTripInput,
  TripInput,
  type TripPart,
} from './types/trip.inputs.js';
import { type PlaceType, TripType } from './types/trip.type.js';
import { TripMutation } from './types/trip-results.type.js';

/** The clock of the node that made an ID might be slightly ahead of this one. */
const CLOCK_DIFFERENCE_MAX_MS = 5_000;
const LISTED_DRIVERS_MAX = 500;
const ROLE_OF: Readonly<Record<TripPart, Role>> = { RIDER: 'rider', DRIVER: 'driver', DISPATCHER: 'admin' };

/** The caller is the rider or the driver; no argument names them. */
@Resolver()
export class TripMutationsResolver {
  constructor(
    private readonly trips: Trips,
    private readonly cells: Cells,
    private readonly nearest: NearestOffer,
  ) {}

  @SoleMutation(() => TripType, 'Requests a trip. The caller is the rider.', 'The requested trip.')
  async requestTrip(
    @Arg('input', () => RequestTripInput, 'The requested trip.') input: RequestTripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<TripType> {
    const { pickup, dropoff, offeredTo, offerAt, offerTtlMs, idempotencyKey } = input;
    if (typeof input.tripId === 'bigint') checkNotFromTheFuture(input.tripId);
    checkAudience(offeredTo);
    if (input.nearestFirst && !pickup)
      throw badInput('PICKUP_NEEDED', 'Give "pickup", or omit "nearestFirst".');
    checkKey(idempotencyKey);
    const options = {
      tripId: this.#tripIdOf(input),
      riderId: identity.subjectId,
      ...given({ pickup: placeOf(pickup), dropoff: placeOf(dropoff) }),
      ...given({ offeredTo, offerAt, offerTtlMs, idempotencyKey }),
      ...(input.nearestFirst && { nearest: this.nearest }),
    };
    return this.trips.requestTrip(options, typeof input.tripId !== 'bigint');
  }

  @TripMutation(
    ['OFFERED', 'TAKEN', 'NOT_OPEN', 'STALE_OFFER', 'NOT_OFFERED'],
    'Offers an open trip to more drivers, or for longer, under the same epoch. For its rider and administrators.',
    'Outcome of widening an offer.',
  )
  async broadcastTrip(
    @Arg('input', () => BroadcastTripInput, 'The offer, the drivers to add, and how long it lasts.')
    { tripId, offerEpoch, offeredTo, offerTtlMs }: BroadcastTripInput,
    @Ctx() { identity }: RequestContext,
  ) {
    const trip = await this.trips.findTrip(tripId);
    if (trip === undefined) throw new TripNotFoundError(tripId);
    if (trip.riderId !== identity.subjectId && !identity.roles.has('admin')) throw foreignTrip();
    checkAudience(offeredTo);
    const more = given({ offeredTo, offerTtlMs });
    return resultOf(await this.trips.broadcastOffer({ tripId, epoch: offerEpoch, ...more }));
  }

  @TripMutation(
    ['ACCEPTED', 'TAKEN', 'UNDECIDED', 'DRIVER_BUSY', 'NOT_OPEN', 'STALE_OFFER', 'NOT_OFFERED'],
    'Accepts an offer. Of all drivers who call it for one offer, exactly one gets TripAccepted, also on a retry. ' +
      'On TripUndecided, try again after `retryAfterMs`. Handle unknown outcomes, because new ones might be added.',
    'Outcome of accepting an offer.',
  )
  async acceptTrip(
    @Arg('input', () => AnswerOfferInput, 'The offer.') input: AnswerOfferInput,
    @Ctx() { identity }: RequestContext,
  ) {
    return resultOf(await this.trips.acceptTrip({ ...answerOf(input), driverId: identity.subjectId }));
  }

  @TripMutation(
    ['REJECTED', 'ACCEPTED', 'TAKEN', 'NOT_OPEN', 'STALE_OFFER', 'NOT_OFFERED'],
    'Rejects an offer. The caller is the driver.',
    'Outcome of rejecting an offer.',
  )
  async rejectTrip(
    @Arg('input', () => AnswerOfferInput, 'The offer.') input: AnswerOfferInput,
    @Ctx() { identity }: RequestContext,
  ) {
    return resultOf(await this.trips.rejectTrip({ ...answerOf(input), driverId: identity.subjectId }));
  }

  @TripMutation(
    ['CANCELLED', 'REDISPATCHED', 'NOT_OPEN'],
    'Cancels a trip, also for administrators. If its driver cancels, they leave the trip, and it is offered to others.',
    'Outcome of a cancellation.',
  )
  async cancelTrip(
    @Arg('input', () => CancelTripInput, 'The trip.') input: CancelTripInput,
    @Ctx() { identity }: RequestContext,
  ) {
    const { tripId, reason } = input;
    const { subjectId } = identity;
    const part = await this.#partOf(input, identity);
    const who = {
      RIDER: { riderId: subjectId },
      DRIVER: { driverId: subjectId },
      DISPATCHER: { byDispatcher: true },
    }[part];
    // The package checks that the reason fits the part.
    const options = { tripId, ...who, ...given({ reason }) } as CancelTripOptions;
    return resultOf(await this.trips.cancelTrip(options));
  }

  @TripMutation(
    ['ARRIVED', 'NOT_OPEN'],
    'Reports that the driver has arrived at the pickup.',
    'Outcome of reporting an arrival.',
  )
  async reportArrival(
    @Arg('input', () => TripInput, 'The trip.') { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ) {
    return resultOf(await this.trips.reportArrival({ tripId, driverId: identity.subjectId }));
  }

  @TripMutation(
    ['CANCELLED', 'TOO_EARLY', 'NOT_OPEN'],
    'Ends a trip whose rider did not come, once the driver has waited at the pickup for five minutes.',
    'Outcome of reporting a no-show.',
  )
  async reportNoShow(
    @Arg('input', () => TripInput, 'The trip.') { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ) {
    return resultOf(await this.trips.reportNoShow({ tripId, driverId: identity.subjectId }));
  }

  @TripMutation(
    ['STARTED', 'NOT_OPEN'],
    'Starts the ride, with the rider on board.',
    'Outcome of starting a trip.',
  )
  async startTrip(
    @Arg('input', () => TripInput, 'The trip.') { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ) {
    return resultOf(await this.trips.startTrip({ tripId, driverId: identity.subjectId }));
  }

  @TripMutation(
    ['COMPLETED', 'NOT_OPEN'],
    'Completes a trip that has reached its destination.',
    'Outcome of completing a trip.',
  )
  async completeTrip(
    @Arg('input', () => TripInput, 'The trip.') { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ) {
    return resultOf(await this.trips.completeTrip({ tripId, driverId: identity.subjectId }));
  }

  /** A trip is in the cell that made its ID. @throws {GatewayError} UNKNOWN_REGION, TRIP_ID_OF_OTHER_REGION */
  #tripIdOf({ tripId, region }: RequestTripInput): bigint {
    const cell = this.cells.ofRegion(region);
    if (typeof tripId !== 'bigint') return cell.running.node.mint();
    if (typeof region !== 'string' || this.cells.ofId(tripId)[0] === cell) return tripId;
    throw badInput('TRIP_ID_OF_OTHER_REGION', 'Omit "tripId" or "region"; use an idempotency key.');
  }

  /** The package checks that the trip is theirs in that part. @throws {GatewayError} NOT_YOUR_TRIP */
  async #partOf({ tripId, as }: CancelTripInput, { roles, subjectId }: Identity): Promise<TripPart> {
    if (as && !roles.has(ROLE_OF[as])) throw foreignTrip();
    if (as) return as;
    const isDispatcher = roles.has('admin');
    if (!isDispatcher && roles.has('rider') !== roles.has('driver'))
      return roles.has('rider') ? 'RIDER' : 'DRIVER';
    const trip = await this.trips.findTrip(tripId);
    if (roles.has('rider') && (trip === undefined || trip.riderId === subjectId)) return 'RIDER';
    const isDriver = trip?.driverId === subjectId || trip?.excludedDriverIds.includes(subjectId);
    return roles.has('driver') && (isDriver || !isDispatcher) ? 'DRIVER' : 'DISPATCHER';
  }
}

function placeOf(place: PlaceType | null | undefined): Place | undefined {
  if (!place) return undefined;
  const { latitude, longitude, address } = place;
  return { latitude, longitude, ...given({ address }) };
}

/** @throws {GatewayError} OFFERED_TO */
function checkAudience(offeredTo: readonly bigint[] | null | undefined): void {
  if (!offeredTo || (offeredTo.length > 0 && offeredTo.length <= LISTED_DRIVERS_MAX)) return;
  throw badInput(
    'OFFERED_TO',
    `List 1 to ${LISTED_DRIVERS_MAX} drivers, or omit "offeredTo" to reach every driver.`,
  );
}

/** An ID that no gateway has made yet would collide with the trip that gets it later. */
function checkNotFromTheFuture(tripId: bigint): void {
  if (explain(tripId).time.getTime() <= Date.now() + CLOCK_DIFFERENCE_MAX_MS) return;
  throw badInput('TRIP_ID_IN_FUTURE', 'Omit "tripId", or give one from generateTsids.');
}

function answerOf({ tripId, offerEpoch }: AnswerOfferInput) {
  return { tripId, offerEpoch };
}
