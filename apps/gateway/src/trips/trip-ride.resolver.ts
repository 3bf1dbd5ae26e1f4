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

/** Operations of the driver who has a trip. The driver is the caller; no argument names them. */
@Resolver()
export class TripRideResolver {
  constructor(private readonly trips: Trips) {}

  @Mutation(() => ReportArrivalResult, { description: 'Reports that the driver has arrived at the pickup.' })
  async reportArrival(
    @Arg('input', () => TripInput, { description: 'The trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof ReportArrivalResult> {
    return resultOf(await this.trips.reportArrival({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => ReportNoShowResult, {
    description:
      'Ends a trip whose rider did not come, once the driver has waited at the pickup for five minutes.',
  })
  async reportNoShow(
    @Arg('input', () => TripInput, { description: 'The trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof ReportNoShowResult> {
    return resultOf(await this.trips.reportNoShow({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => StartTripResult, { description: 'Starts the ride, with the rider on board.' })
  async startTrip(
    @Arg('input', () => TripInput, { description: 'The trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof StartTripResult> {
    return resultOf(await this.trips.startTrip({ tripId, driverId: identity.subjectId }));
  }

  @Mutation(() => CompleteTripResult, { description: 'Completes a trip that has reached its destination.' })
  async completeTrip(
    @Arg('input', () => TripInput, { description: 'The trip.' }) { tripId }: TripInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<typeof CompleteTripResult> {
    return resultOf(await this.trips.completeTrip({ tripId, driverId: identity.subjectId }));
  }
}
