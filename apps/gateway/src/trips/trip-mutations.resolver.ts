import { type CancelTripOptions, type NearestOffer, TripNotFoundError } from '@solegate/trip-reservation';
import { explain } from '@solegate/tsid-core';
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Cells } from '../cells/cells.js';
import { badInput } from '../errors/gateway-error.js';
import { checkKey } from '../graphql/idempotency-key.js';
import { RequestContext } from '../graphql/request-context.js';
import type { Identity } from '../identity/identity.js';
import type { Trips } from './cell-trips.js';
import { foreignTrip } from './trip-access.js';
import { resultOf } from './trip-outcomes.js';
import {
  AnswerOfferInput,
  BroadcastTripInput,
  CancelTripInput,
  RequestTripInput,
  type TripPart,
} from './types/trip.inputs.js';
import type { TripType } from './types/trip.type.js';
import {
  AcceptTripResult,
  BroadcastTripResult,
  CancelTripResult,
  RejectTripResult,
  RequestTripResult,
} from './types/trip-results.type.js';

/** The clock of the node that made an ID might be slightly ahead of this one. */
const CLOCK_DIFFERENCE_MAX_MS = 5_000;
const LISTED_DRIVERS_MAX = 500;

/** The caller is the rider or the driver; no argument names them. */
@Resolver()
export class TripMutationsResolver {
  constructor(
    private readonly trips: Trips,
    private readonly cells: Cells,
    private readonly nearest: NearestOffer,
  ) {}

  @Mutation(() => RequestTripResult, { description: 'Requests a trip. The caller is the rider.' })
  async requestTrip(
    @Arg('input', () => RequestTripInput, { description: 'The requested trip.' }) input: RequestTripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<TripType> {
    const { pickup, dropoff, offeredTo, offerTtlMs, idempotencyKey } = input;
    if (input.tripId) checkNotFromTheFuture(input.tripId);
    checkAudience(offeredTo);
    if (input.nearestFirst && !pickup)
      throw badInput('PICKUP_NEEDED', 'Give "pickup", or omit "nearestFirst".');
    checkKey(idempotencyKey);
    return this.trips.requestTrip({
      tripId: this.#tripIdOf(input),
      riderId: identity.subjectId,
      ...(pickup && { pickup }),
      ...(dropoff && { dropoff }),
      ...(offeredTo && { offeredTo }),
      ...(input.nearestFirst && { nearest: this.nearest }),
      ...(input.offerAt && { offerAt: input.offerAt }),
      ...(typeof offerTtlMs === 'number' && { offerTtlMs }),
      ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
    });
  }

  @Mutation(() => BroadcastTripResult, {
    description:
      'Offers an open trip to more drivers, or for longer, under the same epoch. For its rider and administrators.',
  })
  async broadcastTrip(
    @Arg('input', () => BroadcastTripInput, {
      description: 'The offer, the drivers to add, and how long it lasts.',
    })
    { tripId, offerEpoch, offeredTo, offerTtlMs }: BroadcastTripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof BroadcastTripResult> {
    const trip = await this.trips.findTrip(tripId);
    if (trip === undefined) throw new TripNotFoundError(tripId);
    if (trip.riderId !== identity.subjectId && !identity.roles.has('admin')) throw foreignTrip();
    checkAudience(offeredTo);
    return resultOf(
      await this.trips.broadcastOffer({
        tripId,
        epoch: offerEpoch,
        ...(offeredTo && { offeredTo }),
        ...(typeof offerTtlMs === 'number' && { offerTtlMs }),
      }),
    );
  }

  @Mutation(() => AcceptTripResult, {
    description:
      'Accepts an offer. Of all drivers who call it for one offer, exactly one gets TripAccepted, also on a retry. ' +
      'On TripUndecided, try again after `retryAfterMs`. Handle unknown outcomes, because new ones might be added.',
  })
  async acceptTrip(
    @Arg('input', () => AnswerOfferInput, { description: 'The offer.' }) input: AnswerOfferInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof AcceptTripResult> {
    return resultOf(await this.trips.acceptTrip({ ...answerOf(input), driverId: identity.subjectId }));
  }

  @Mutation(() => RejectTripResult, { description: 'Rejects an offer. The caller is the driver.' })
  async rejectTrip(
    @Arg('input', () => AnswerOfferInput, { description: 'The offer.' }) input: AnswerOfferInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof RejectTripResult> {
    return resultOf(await this.trips.rejectTrip({ ...answerOf(input), driverId: identity.subjectId }));
  }

  @Mutation(() => CancelTripResult, {
    description:
      'Cancels a trip, also for administrators. If its driver cancels, they leave the trip, and it is offered to others.',
  })
  async cancelTrip(
    @Arg('input', () => CancelTripInput, { description: 'The trip.' }) input: CancelTripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CancelTripResult> {
    const { tripId, reason } = input;
    const { subjectId } = identity;
    const part = await this.#partOf(input, identity);
    const who = {
      RIDER: { riderId: subjectId },
      DRIVER: { driverId: subjectId },
      DISPATCHER: { byDispatcher: true },
    }[part];
    // The package checks that the reason fits the part.
    const options = { tripId, ...who, ...(reason && { reason }) } as CancelTripOptions;
    return resultOf(await this.trips.cancelTrip(options));
  }

  /** A trip is in the cell that made its ID. @throws {GatewayError} UNKNOWN_REGION, TRIP_ID_OF_OTHER_REGION */
  #tripIdOf({ tripId, region }: RequestTripInput): bigint {
    const cell = this.cells.ofRegion(region);
    if (!tripId) return cell.running.node.mint();
    if (typeof region !== 'string' || this.cells.ofId(tripId)[0] === cell) return tripId;
    throw badInput('TRIP_ID_OF_OTHER_REGION', 'Omit "tripId" or "region"; use an idempotency key.');
  }

  /** @throws {GatewayError} NOT_YOUR_TRIP */
  async #partOf({ tripId, as }: CancelTripInput, { roles, subjectId }: Identity): Promise<TripPart> {
    const isDispatcher = roles.has('admin');
    if (as === 'DISPATCHER' && !isDispatcher) throw foreignTrip();
    if (as && (as === 'DISPATCHER' || (roles.has('rider') && roles.has('driver')))) return as;
    if (!isDispatcher && roles.has('rider') !== roles.has('driver'))
      return roles.has('rider') ? 'RIDER' : 'DRIVER';
    const trip = await this.trips.findTrip(tripId);
    if (roles.has('rider') && (trip === undefined || trip.riderId === subjectId)) return 'RIDER';
    const isDriver = trip?.driverId === subjectId || trip?.excludedDriverIds.includes(subjectId);
    return roles.has('driver') && (isDriver || !isDispatcher) ? 'DRIVER' : 'DISPATCHER';
  }
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
