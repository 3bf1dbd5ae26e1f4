import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';

@ObjectType({ description: 'A rider, driver or clerk.' })
@Entity({ name: 'people' })
export class Person {
  @Field(() => TsidScalar, { description: 'Unique ID (TSID); the subject of their tokens.' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, { description: 'Display name.' })
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
