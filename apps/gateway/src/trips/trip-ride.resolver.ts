import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { RequestContext } from '../graphql/request-context.js';
import type { Trips } from './cell-trips.js';
import { resultOf } from './trip-outcomes.js';
import { TripInput } from './types/trip.inputs.js';
import {
  CompleteTripResult,
  ReportArrivalResult,
  ReportNoShowResult,
  StartTripResult,
} from './types/trip-results.type.js';

/** What the driver who has a trip does with it. The driver is the caller; no argument names them. */
@Resolver()
export class TripRideResolver {
  constructor(private readonly trips: Trips) {}

  @Mutation(() => ReportArrivalResult, { description: 'The driver is at the pickup.' })
  async reportArrival(
    @Arg('input', () => TripInput, { description: 'Which trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof ReportArrivalResult> {
    return resultOf(await this.trips.reportArrival({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => ReportNoShowResult, {
    description: 'The driver has waited at the pickup for five minutes and nobody came: ends the trip.',
  })
  async reportNoShow(
    @Arg('input', () => TripInput, { description: 'Which trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof ReportNoShowResult> {
    return resultOf(await this.trips.reportNoShow({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => StartTripResult, { description: 'The rider is on board.' })
  async startTrip(
    @Arg('input', () => TripInput, { description: 'Which trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof StartTripResult> {
    return resultOf(await this.trips.startTrip({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => CompleteTripResult, { description: 'The driver has brought the rider there.' })
  async completeTrip(
    @Arg('input', () => TripInput, { description: 'Which trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CompleteTripResult> {
    return resultOf(await this.trips.completeTrip({ tripId, driverId: identity.subjectId }));
  }
}
