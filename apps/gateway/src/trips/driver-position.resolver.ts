import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Ctx, Float, Int, Resolver } from 'type-graphql';
import type { Cells } from '../cells/cells.js';
import { Arg } from '../graphql/described.js';
import { Fields, field, InputType, ObjectType, optional } from '../graphql/fields.js';
import { given } from '../graphql/given.js';
import { RequestContext } from '../graphql/request-context.js';
import { SoleMutation } from '../graphql/results.js';

@InputType('Position of the calling driver, in degrees (WGS 84).')
export class UpdateDriverPositionInput extends Fields({
  latitude: field(Float, 'Latitude, -85 to 85.'),
  longitude: field(Float, 'Longitude, -180 to 180.'),
  measuredAt: optional(
    GraphQLDateTimeISO,
    'When it was measured, by the clock of the device; an older position never replaces a newer one. Default: now.',
  ),
  region: optional(String, 'Region of the trips to offer. Default: the home region.'),
}) {}

@ObjectType('The position was received. No one but the driver who reported it ever sees it.')
export class DriverPositionUpdated extends Fields({
  countsForMs: field(
    Int,
    'How long the position is valid, in milliseconds; report it again before then. 0: a newer one is known.',
  ),
}) {}

@Resolver()
export class DriverPositionResolver {
  constructor(private readonly cells: Cells) {}

  @SoleMutation(
    () => DriverPositionUpdated,
    'Reports the position of the calling driver, so that nearby trips are offered to them first.',
    'How long the position is valid.',
  )
  async updateDriverPosition(
    @Arg('input', () => UpdateDriverPositionInput, 'The position.')
    { latitude, longitude, measuredAt, region }: UpdateDriverPositionInput,
    @Ctx() { identity }: RequestContext,
  ): Promise<DriverPositionUpdated> {
    const { drivers } = this.cells.ofRegion(region).running;
    const countsForMs = await drivers.updatePosition({
      driverId: identity.subjectId,
      place: { latitude, longitude },
      ...given({ measuredAt }),
    });
    return { countsForMs };
  }
}
