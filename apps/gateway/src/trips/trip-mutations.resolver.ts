import type { TripReservation } from '@solegate/trip-reservation';
import { explain } from '@solegate/tsid-core';
import { TsidScalar } from '@solegate/tsid-core/graphql';
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { badInput } from '../errors/gateway-error.js';
import { RequestContext } from '../http/request-context.js';
import type { Identity } from '../identity/identity.js';
import { AnswerOfferInput, CancelTripInput, RequestTripInput } from './trip.inputs.js';
import { TripType } from './trip.type.js';
import { resultOf } from './trip-outcomes.js';
import {
  AcceptTripResult,
  CancelTripResult,
  CompleteTripResult,
  RejectTripResult,
  StartTripResult,
} from './trip-results.type.js';

/** The node that made an ID may have a clock a little ahead of this one. */
const CLOCK_DIFFERENCE_MAX_MS = 5_000;

/** The rider and the driver are the caller; no argument names them. */
@Resolver()
export class TripMutationsResolver {
  constructor(
    private readonly trips: TripReservation,
    private readonly mint: () => bigint,
  ) {}

  @Mutation(() => TripType, { description: 'Asks for a driver. The caller is the rider.' })
  async requestTrip(
    @Arg('input', () => RequestTripInput) input: RequestTripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<TripType> {
    const { pickup, dropoff, offeredTo, offerTtlMs, idempotencyKey } = input;
    if (input.tripId) checkNotFromTheFuture(input.tripId);
    const trip = await this.trips.requestTrip({
      tripId: input.tripId ?? this.mint(),
      riderId: identity.subjectId,
      ...(pickup && { pickup }),
      ...(dropoff && { dropoff }),
      ...(offeredTo && { offeredTo }),
      ...(typeof offerTtlMs === 'number' && { offerTtlMs }),
      ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
    });
    return new TripType(trip);
  }

  @Mutation(() => AcceptTripResult, {
    description:
      'Of all drivers who call it for one offer exactly one gets TripAccepted, and again on repeat. TripUndecided: ask ' +
      'again after retryAfterMs. New outcomes may come, so have a default branch.',
  })
  async acceptTrip(
    @Arg('input', () => AnswerOfferInput) input: AnswerOfferInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof AcceptTripResult> {
    return resultOf(await this.trips.acceptTrip({ ...answerOf(input), driverId: identity.subjectId }));
  }

  @Mutation(() => RejectTripResult, { description: 'The driver does not want this offer.' })
  async rejectTrip(
    @Arg('input', () => AnswerOfferInput) input: AnswerOfferInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof RejectTripResult> {
    return resultOf(await this.trips.rejectTrip({ ...answerOf(input), driverId: identity.subjectId }));
  }

  @Mutation(() => StartTripResult, { description: 'The rider is on board.' })
  async startTrip(
    @Arg('tripId', () => TsidScalar) tripId: bigint,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof StartTripResult> {
    return resultOf(await this.trips.startTrip({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => CompleteTripResult)
  async completeTrip(
    @Arg('tripId', () => TsidScalar) tripId: bigint,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CompleteTripResult> {
    return resultOf(await this.trips.completeTrip({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => CancelTripResult, {
    description: 'The rider ends the trip; the driver leaves it, and it is offered to others.',
  })
  async cancelTrip(
    @Arg('input', () => CancelTripInput) input: CancelTripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CancelTripResult> {
    const { tripId } = input;
    const isRider = await this.#isRider(input, identity);
    const who = isRider ? { riderId: identity.subjectId } : { driverId: identity.subjectId };
    return resultOf(await this.trips.cancelTrip({ tripId, ...who }));
  }

  async #isRider({ tripId, as }: CancelTripInput, { roles, subjectId }: Identity): Promise<boolean> {
    if (!roles.has('driver')) return true;
    if (!roles.has('rider')) return false;
    if (as) return as === 'RIDER';
    const trip = await this.trips.findTrip(tripId);
    return trip === undefined || trip.riderId === subjectId;
  }
}

/** An ID that no gateway has made yet would be in the way of the trip that gets it later. */
function checkNotFromTheFuture(tripId: bigint): void {
  if (explain(tripId).time.getTime() <= Date.now() + CLOCK_DIFFERENCE_MAX_MS) return;
  throw badInput('TRIP_ID_IN_FUTURE', 'Leave out "tripId", or give one that generateTsids has made.');
}

function answerOf({ tripId, offerEpoch }: AnswerOfferInput) {
  return { tripId, offerEpoch };
}
