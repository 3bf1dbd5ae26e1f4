import type { DriverPool } from '@solegate/trip-reservation/driver-pool';
import { Arg, Ctx, Field, Float, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { RequestContext } from '../graphql/request-context.js';

@InputType({ description: 'Where the calling driver is, in degrees of WGS 84.' })
export class UpdateDriverPositionInput {
  @Field(() => Float, { description: '-85 to 85.' })
  latitude!: number;

  @Field(() => Float, { description: '-180 to 180.' })
  longitude!: number;
}

@ObjectType({ description: 'The position is known. Nobody but the driver who reported it ever sees it.' })
export class DriverPositionUpdated {
  @Field(() => Int, { description: 'How long it counts, in milliseconds: report it again before that.' })
  countsForMs: number;

  constructor(countsForMs: number) {
    this.countsForMs = countsForMs;
  }
}

@Resolver()
export class DriverPositionResolver {
  constructor(private readonly drivers: DriverPool) {}

  @Mutation(() => DriverPositionUpdated, {
    description: 'Reports where the calling driver is, so that trips near them are offered to them first.',
  })
  async updateDriverPosition(
    @Arg('input', () => UpdateDriverPositionInput, { description: 'Where they are.' })
    { latitude, longitude }: UpdateDriverPositionInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DriverPositionUpdated> {
    await this.drivers.updatePosition({ driverId: identity.subjectId, place: { latitude, longitude } });
    return new DriverPositionUpdated(this.drivers.positionTtlMs);
  }
}
