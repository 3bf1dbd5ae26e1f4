import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Field, ObjectType } from 'type-graphql';
import { Column, Entity } from 'typeorm';
import type { CodedRow } from './coded-row.js';

@ObjectType({ description: 'A number space: a document number is unique inside its project.' })
@Entity({ name: 'projects' })
export class Project implements CodedRow {
  @Field(() => TsidScalar, { description: 'Its TSID.' })
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, { description: 'Never changes: numbers were printed with it.' })
  @Column({ type: 'text', unique: true })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  @Column({ type: 'text' })
  name!: string;

  /** Where its numbers are; null: in the first cell. */
  @Column({ type: 'text', nullable: true })
  cell!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
