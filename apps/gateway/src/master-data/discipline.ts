import { Field, ObjectType } from 'type-graphql';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tsidColumn } from '../tsid/tsid-column.js';
import { TsidScalar } from '../tsid/tsid-scalar.js';
import type { CodedRow } from './coded-row.js';

@ObjectType({ description: 'The field of work that a document belongs to; printed by {DISCIPLINE}.' })
@Entity({ name: 'disciplines' })
export class Discipline implements CodedRow {
  @Field(() => TsidScalar)
  @PrimaryColumn(tsidColumn)
  id!: bigint;

  @Field(() => String, { description: 'Never changes: numbers were printed with it.' })
  @Column({ type: 'text', unique: true })
  code!: string;

  @Field(() => String)
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
