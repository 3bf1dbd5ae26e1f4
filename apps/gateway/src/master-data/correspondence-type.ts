import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';
import type { CodedRow } from './coded-row.js';

@ObjectType({ description: 'The kind of a document and the series of its numbers; printed by {TYPE}.' })
@Entity({ name: 'correspondence_types' })
export class CorrespondenceType implements CodedRow {
  @Field(() => TsidScalar, { description: 'Its TSID.' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, { description: 'Never changes: numbers were printed with it.' })
  @Column({ type: 'text', unique: true })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
