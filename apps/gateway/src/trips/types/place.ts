import { Field, Float, InputType, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Place where a trip starts or ends, in degrees (WGS 84).' })
@InputType('PlaceInput', { description: 'Place where a trip starts or ends, in degrees (WGS 84).' })
export class PlaceType {
  @Field(() => Float, { description: 'Latitude, -90 to 90.' })
  latitude!: number;

  @Field(() => Float, { description: 'Longitude, -180 to 180.' })
  longitude!: number;

  @Field(() => String, { nullable: true, description: 'Human-readable address, 1 to 200 characters.' })
  address?: string;
}
