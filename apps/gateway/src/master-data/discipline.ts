import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';
import type { CodedRow } from './coded-row.js';

@ObjectType({ description: 'A field of work that documents belong to; printed by {DISCIPLINE}.' })
@Entity({ name: 'disciplines' })
export class Discipline implements CodedRow {
  @Field(() => TsidScalar, { description: 'Unique ID (TSID).' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, { description: 'Unique code, printed in document numbers; it never changes.' })
  @Column({ type: 'text', unique: true })
  code!: string;

  @Field(() => String, { description: 'Display name.' })
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
