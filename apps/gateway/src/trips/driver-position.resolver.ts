import type { DriverPool } from '@solegate/trip-reservation/driver-pool';
import { Arg, Ctx, Field, Float, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { RequestContext } from '../graphql/request-context.js';

@InputType({ description: 'Position of the calling driver, in degrees (WGS 84).' })
export class UpdateDriverPositionInput {
  @Field(() => Float, { description: 'Latitude, -85 to 85.' })
  latitude!: number;

  @Field(() => Float, { description: 'Longitude, -180 to 180.' })
  longitude!: number;
}

@ObjectType({ description: 'The position was recorded. No one but the driver who reported it ever sees it.' })
export class DriverPositionUpdated {
  @Field(() => Int, {
    description: 'How long the position is valid, in milliseconds. Report it again before then.',
  })
  countsForMs: number;

  constructor(countsForMs: number) {
    this.countsForMs = countsForMs;
  }
}

@Resolver()
export class DriverPositionResolver {
  constructor(private readonly drivers: DriverPool) {}

  @Mutation(() => DriverPositionUpdated, {
    description:
      'Reports the position of the calling driver, so that nearby trips are offered to them first.',
  })
  async updateDriverPosition(
    @Arg('input', () => UpdateDriverPositionInput, { description: 'The position.' })
    { latitude, longitude }: UpdateDriverPositionInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DriverPositionUpdated> {
    await this.drivers.updatePosition({ driverId: identity.subjectId, place: { latitude, longitude } });
    return new DriverPositionUpdated(this.drivers.positionTtlMs);
  }
}
