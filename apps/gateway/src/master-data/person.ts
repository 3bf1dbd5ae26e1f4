import { Field, ObjectType } from 'type-graphql';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tsidColumn } from '../tsid/tsid-column.js';
import { TsidScalar } from '../tsid/tsid-scalar.js';

@ObjectType({ description: 'A rider, a driver or a clerk; the ID is the subject of their tokens.' })
@Entity({ name: 'people' })
export class Person {
  @Field(() => TsidScalar)
  @PrimaryColumn(tsidColumn)
  id!: bigint;

  @Field(() => String)
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
