import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';

@ObjectType({ description: 'A rider, a driver or a clerk; the ID is the subject of their tokens.' })
@Entity({ name: 'people' })
export class Person {
  @Field(() => TsidScalar, { description: 'Their TSID.' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, { description: 'For people.' })
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
