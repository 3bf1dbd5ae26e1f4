import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Arg, Ctx, Field, Float, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Cells } from '../cells/cells.js';
import { soleResult } from '../graphql/mutation-result.js';
import { RequestContext } from '../graphql/request-context.js';

@InputType({ description: 'Position of the calling driver, in degrees (WGS 84).' })
export class UpdateDriverPositionInput {
  @Field(() => Float, { description: 'Latitude, -85 to 85.' })
  latitude!: number;

  @Field(() => Float, { description: 'Longitude, -180 to 180.' })
  longitude!: number;

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description:
      'When it was measured, by the clock of the device; an older position never replaces a newer one. Default: now.',
  })
  measuredAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Region of the trips to offer. Default: the home region.',
  })
  region?: string | null;
}

@ObjectType({ description: 'The position was received. No one but the driver who reported it ever sees it.' })
export class DriverPositionUpdated {
  @Field(() => Int, {
    description:
      'How long the position is valid, in milliseconds; report it again before then. 0: a newer one is known.',
  })
  countsForMs!: number;
}

const UpdateDriverPositionResult = soleResult(
  'UpdateDriverPositionResult',
  'How long the position is valid.',
  DriverPositionUpdated,
);

@Resolver()
export class DriverPositionResolver {
  constructor(private readonly cells: Cells) {}

  @Mutation(() => UpdateDriverPositionResult, {
    description:
      'Reports the position of the calling driver, so that nearby trips are offered to them first.',
  })
  async updateDriverPosition(
    @Arg('input', () => UpdateDriverPositionInput, { description: 'The position.' })
    { latitude, longitude, measuredAt, region }: UpdateDriverPositionInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DriverPositionUpdated> {
    const { drivers } = this.cells.ofRegion(region).running;
    const countsForMs = await drivers.updatePosition({
      driverId: identity.subjectId,
      place: { latitude, longitude },
      ...(measuredAt && { measuredAt }),
    });
    return { countsForMs };
  }
}
