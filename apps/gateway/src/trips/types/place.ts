import { Field, Float, InputType, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Where a trip starts or ends, in degrees of WGS 84.' })
@InputType('PlaceInput', { description: 'Where a trip starts or ends, in degrees of WGS 84.' })
export class PlaceType {
  @Field(() => Float, { description: '-90 to 90.' })
  latitude!: number;

  @Field(() => Float, { description: '-180 to 180.' })
  longitude!: number;

  @Field(() => String, { nullable: true, description: 'For people, 1 to 200 characters.' })
  address?: string;
}
